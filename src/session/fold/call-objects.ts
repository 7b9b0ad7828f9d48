/** What a call is about, whichever tool it is of: files and addresses, hashed, so that another tool's success is seen. */
import { NAMING_FIELDS } from './classify-tool.ts';
import { hashText } from './hash.ts';

const MAX_OBJECTS = 6;
const MAX_LOOK = 2_000;

/** What is merely searched for is no object. */
const FIELDS = [...NAMING_FIELDS, 'command', 'cmd', 'script', 'code'] as const;

/** Words with a slash or an ending in them, and addresses. */
const NAMES =
  /https?:\/\/[^\s"'`)>]+|(?<![\w./~@-])(?:~|\.{0,2})\/?(?:[\w@.-]+\/)*[\w@-][\w@.-]*(?:\.\w{1,8}|\/[\w@.-]+)/g;
/** Not a file: `1.2`, `e.g`, a time. */
const NUMBER = /^[\d.:/-]+$/;

export function objectsOf(input: unknown): number[] {
  if (typeof input === 'string') return objectsIn(input);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const fields = input as Readonly<Record<string, unknown>>;
  const objects = new Set<number>();
  for (const name of FIELDS) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const text = Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(' ') : value;
    if (typeof text === 'string') for (const object of objectsIn(text)) objects.add(object);
  }
  return [...objects].slice(0, MAX_OBJECTS);
}

function objectsIn(text: string): number[] {
  const objects: number[] = [];
  const seen = text.length > MAX_LOOK ? text.slice(0, MAX_LOOK) : text;
  NAMES.lastIndex = 0;
  for (let found = NAMES.exec(seen); found !== null; found = NAMES.exec(seen)) {
    const [name] = found;
    if (NUMBER.test(name)) continue;
    objects.push(hashText(nameOf(name)));
    if (objects.length >= MAX_OBJECTS) break;
  }
  return objects;
}

/** A file has the same last two names from wherever it is called; an address is the whole. */
function nameOf(name: string): string {
  if (name.startsWith('http')) return name;
  return name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .slice(-2)
    .join('/');
}
