/** The table "Who may import whom" of the architecture page, as rules: the page is the rule, the test only reads it. */
import { readFileSync } from 'node:fs';
import type { Import } from './sources.ts';

export const INSTRUMENTS = ['decomposition', 'workflow', 'session'];

const PAGE = 'docs/architecture.md';
const HEADING = '## Who may import whom';
/** Beginnings of paths; with `type:` only types may be taken from there. */
type Rules = {
  readonly places: ReadonlyMap<string, readonly string[]>;
  readonly everywhere: readonly string[];
};

export function readImportTable(page = readFileSync(PAGE, 'utf8')): Rules {
  const section = page.slice(page.indexOf(HEADING) + HEADING.length).split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  const places = new Map<string, readonly string[]>();
  let everywhere: readonly string[] = [];
  for (const row of rows.slice(2)) {
    const [, who = '', what = ''] = row.split('|');
    const allowed = allowedBy(what);
    if (who.trim() === 'every place') everywhere = allowed;
    else for (const place of quoted(who)) places.set(place, allowed);
  }
  return { places, everywhere };
}

function allowedBy(cell: string): readonly string[] {
  const text = cell.trim();
  if (text === 'everything') return [''];
  const allowed = quoted(text);
  if (allowed.length === 0 && text !== 'nothing of ours') throw new Error(`${PAGE}: no rule in "${text}"`);
  return allowed;
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) =>
    name.includes('<instrument>') ? INSTRUMENTS.map((one) => name.replace('<instrument>', one)) : [name],
  );
}

/** The row that speaks of a file: the one with the longest place. */
export function rowFor({ places }: Rules, path: string): string | undefined {
  return [...places.keys()]
    .filter((place) => (place.endsWith('/') ? path.startsWith(place) : path === place))
    .sort((a, b) => b.length - a.length)[0];
}

export function isAllowed(rules: Rules, { from, to, typeOnly }: Import): boolean {
  if (to === 'index.ts') return false;
  const home = from.includes('/') ? `${from.split('/')[0]}/` : from;
  if (rules.everywhere.includes(to) || (home.endsWith('/') && to.startsWith(home))) return true;
  return (rules.places.get(rowFor(rules, from) ?? '') ?? []).some((rule) =>
    rule.startsWith('type:') ? typeOnly && to.startsWith(rule.slice('type:'.length)) : to.startsWith(rule),
  );
}
