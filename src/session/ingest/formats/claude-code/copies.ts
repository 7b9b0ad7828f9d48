/**
 * Messages of Claude Code in several files. A resumed session begins with a copy of another one's lines, sub-agents
 * replay what their parent said, backups repeat everything. Which file a message counts for is decided as within one
 * file (see `usage.ts`), over all files by path: the line that wins takes its message along.
 *
 * Files that may share a message are found by its id alone (`roughKey`). Those are then looked at line by line, and
 * what each of them has lost is left out by the exact identity of the message (`exactKey`).
 */

import { hashKey } from '../../copies/entry-keys.ts';
import { asObject, asText, type JsonObject } from '../../json/json-fields.ts';
import type { CopyWeighing, LoadedFormat } from '../format.ts';
import { sessionOfPath } from './state.ts';
import { saidBy } from './trim.ts';
import { beats, findMessage, messageKey, type RankedLine, rankedLine } from './usage.ts';

/** Makes keys longer than those that are unique within their session only. */
const PREFIX = 'claude-code message ';

/** The message of a line whose tokens may count, if it has an identity. */
export function messageOf(record: JsonObject): JsonObject | undefined {
  const message = asObject(record.message);
  if (record.type !== 'assistant' || message === undefined || message.model === '<synthetic>')
    return undefined;
  return asText(message.id) === undefined || asObject(message.usage) === undefined ? undefined : message;
}

/** Of a message its id, which copies keep; of any other line its `uuid`, which most copies keep. */
export function roughKey(record: unknown): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return undefined;
  const message = messageOf(fields);
  return message === undefined ? asText(fields.uuid) : `${PREFIX}${message.id}`;
}

/** What a person or the model said: never passed over, and copies keep its key. */
export function originKey(record: unknown): string | undefined {
  const type = asObject(record)?.type;
  return type === 'user' || type === 'assistant' ? roughKey(record) : undefined;
}

function exactKey(record: unknown, sessionOfFile: string): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return undefined;
  const message = messageOf(fields);
  if (message === undefined) return asText(fields.uuid);
  return `${PREFIX}${messageKey(fields, message, sessionOfFile)}`;
}

/** Other lines belong to the first file that has them; a message to the one that has most of it. */
export function weighCopies(format: LoadedFormat, shared: ReadonlySet<number>): CopyWeighing {
  const owners = new MessageOwners();
  return {
    look: (path) =>
      onlyMessages(format, shared, (record, message) => {
        if (shared.has(hashKey(roughKey(record) ?? ''))) owners.take(path, record, message);
      }),
    lostBy: (path) => owners.lostBy(path),
    hasOwn: (path) => owners.hasOwn(path),
    rest: (path, copies) => withExactKeys(format, path, copies),
    restIsByPath: true,
  };
}

/**
 * A line that holds one record whose entry counts elsewhere is passed over unread, damaged or not: half of a resumed session
 * is such lines. Not before one was read that tells the transcript.
 */
function withExactKeys(format: LoadedFormat, path: string, copies?: ReadonlySet<number>): LoadedFormat {
  const session = sessionOfPath(path);
  let isTold = copies === undefined;
  const entryKey = (record: unknown): string | undefined => {
    isTold ||= originKey(record) !== undefined;
    return exactKey(record, session);
  };
  if (copies === undefined) return { ...format, entryKey };
  const skipBytes = (line: Buffer): boolean => {
    const key = isTold ? keyInLine(line) : undefined;
    return (key !== undefined && copies.has(hashKey(key))) || format.skipBytes?.(line) === true;
  };
  return { ...format, entryKey, skipBytes };
}

const USAGE = Buffer.from('"usage":');
const COUNTS = Buffer.from('"usage":{');
const UUID = Buffer.from('"uuid":"');
const REQUEST = Buffer.from('"requestId":"');

/** As `exactKey` gives it, where the bytes leave no doubt; undefined otherwise. */
function keyInLine(line: Buffer): string | undefined {
  switch (saidBy(line)) {
    case 'user':
      return onlyText(line, UUID);
    case 'assistant': {
      const id = onlyText(line, ID);
      const request = onlyText(line, REQUEST);
      if (id === undefined || request === undefined || !line.includes(COUNTS)) return undefined;
      return `${PREFIX}msg_${id} ${request}`;
    }
    default:
      return undefined;
  }
}

/** What stands behind a key that stands there once. */
function onlyText(line: Buffer, key: Buffer): string | undefined {
  const at = line.indexOf(key) + key.length;
  if (at < key.length || line.indexOf(key, at) >= 0) return undefined;
  const text = line.toString('utf8', at, Math.max(at, line.indexOf(QUOTE, at)));
  return text.length < MIN_ID || text.includes('\\') ? undefined : text;
}

/** Shorter ones are told apart by their time as well. */
const MIN_ID = 20;

/** The format as it only looks at messages. */
function onlyMessages(
  { name, title, detect, start, skipBytes }: LoadedFormat,
  shared: ReadonlySet<number>,
  onMessage: (record: JsonObject, message: JsonObject) => void,
): LoadedFormat {
  return {
    name,
    title,
    detect,
    start,
    step: (_state, record) => {
      const fields = asObject(record);
      const message = fields && messageOf(fields);
      if (fields !== undefined && message !== undefined) onMessage(fields, message);
      return undefined;
    },
    skipBytes: (line) => !line.includes(USAGE) || !mayBeShared(line, shared) || skipBytes?.(line) === true,
  };
}

const ID = Buffer.from('"id":"msg_');
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** Most messages are in one file only: their lines need not be parsed. One without an id as all have it is. */
function mayBeShared(line: Buffer, shared: ReadonlySet<number>): boolean {
  let at = line.indexOf(ID);
  if (at < 0) return true;
  for (; at >= 0; at = line.indexOf(ID, at + ID.length)) {
    const from = at + '"id":"'.length;
    const id = line.subarray(from, line.indexOf(QUOTE, from));
    if (id.includes(BACKSLASH) || shared.has(hashKey(`${PREFIX}${id.toString()}`))) return true;
  }
  return false;
}

/** A message: the line that counts for it, where that stands, and which lines it has. */
type Owned = { line: RankedLine; path: string; readonly uuids: Set<string> };

/** Decides which file each message counts for. Files are to be shown in the order of their paths. */
class MessageOwners {
  readonly #byId = new Map<string, Owned[]>();
  readonly #byFile = new Map<string, Map<string, Owned>>();

  take(path: string, record: JsonObject, message: JsonObject): void {
    const line = rankedLine(record, message, sessionOfPath(path));
    if (line === undefined) return;
    const uuid = asText(record.uuid);
    const known = entryOf(this.#byId, String(message.id), (): Owned[] => []);
    let owned = findOwned(known, line, record.requestId === undefined ? uuid : undefined);
    if (owned === undefined) {
      owned = { line, path, uuids: new Set() };
      known.push(owned);
    } else if (beats(line, owned.line)) {
      owned.line = line;
      owned.path = path;
    }
    if (uuid !== undefined) owned.uuids.add(uuid);
    this.#ofFile(path).set(line.key, owned);
  }

  /** Keys of the messages in a file that count for another one, as `withExactKeys` gives them. */
  lostBy(path: string): string[] {
    const all = [...this.#ofFile(path)];
    return all.filter(([, owned]) => owned.path !== path).map(([key]) => `${PREFIX}${key}`);
  }

  /** Whether any of these messages counts for the file. */
  hasOwn(path: string): boolean {
    return [...this.#ofFile(path).values()].some((owned) => owned.path === path);
  }

  #ofFile(path: string): Map<string, Owned> {
    return entryOf(this.#byFile, path, () => new Map<string, Owned>());
  }
}

/** `uuid` is given for lines from before there were request ids, whose copies are under another session's id. */
function findOwned(known: readonly Owned[], line: RankedLine, uuid: string | undefined): Owned | undefined {
  const found = findMessage(
    known.map((owned) => owned.line),
    line,
  );
  if (found !== undefined) return known.find((owned) => owned.line === found);
  return uuid === undefined ? undefined : known.find(({ uuids }) => uuids.has(uuid));
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
