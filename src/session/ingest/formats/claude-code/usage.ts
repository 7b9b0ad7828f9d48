/**
 * Which tokens of a Claude Code transcript count. The rule is ccusage's (20.0.24), found by experiments with
 * hand-made files and kept by tests, so that per-session totals are equal to the last token:
 *
 * - A line counts when it has `message.usage` with whole numbers for input and output, a complete time, and nothing
 *   that ccusage's reader refuses (`isRefused`); the type of the record does not matter to it, and neither does
 *   `isApiErrorMessage`. Sub-agent messages inside `progress` records have no `message` of their own: not counted.
 * - Cache writes are the sum of `cache_creation` where that object is present, else `cache_creation_input_tokens`.
 * - Lines with the same message id and the same request id are one message, in whatever file they stand; where no
 *   request id is given, those with the same message id and the same session. Without a message id every line counts.
 * - Of several lines of a message the one with the most tokens counts, of equals one that says how fast the model ran,
 *   then the first, files by path. That is the last line wherever usage only grows, as it does in all files we have
 *   seen. It counts for the session of the file it stands in.
 * - A message in a sidechain with the id, the session and the time of a message elsewhere is a replay of it, whatever
 *   its request id. A line outside of sidechains wins over one inside, however many tokens it has.
 * - The very same record counts once: lines that repeat a `uuid` and its message, also where they have no request id
 *   and were copied under another session's id. Only there ccusage counts a message twice and we do not.
 * - `usage.iterations` of type `advisor_message` are messages of another model and count on top.
 */
import type { Usage } from '../../../event.ts';
import { MAX_MESSAGES } from '../../../fold/state.ts';
import { cacheWrite1h, tokensOf } from '../../../usage.ts';
import { hashKey } from '../../duplicates/entry-keys.ts';
import { asArray, asObject, asText, type JsonObject } from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import { type Counted, type FarRow, type Line, MIN_RECENT_HASHES } from './state.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?(?:Z|[+-]\d\d:\d\d)$/;
const VERSION = /^\d+\.\d+\.\d/;

/** Fields that ccusage rejects when they are `null`, anywhere in the line. */
const NEVER_NULL: readonly string[] = [
  'id',
  'cwd',
  'model',
  'speed',
  'costUSD',
  'version',
  'sessionId',
  'requestId',
  'isApiErrorMessage',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
];

/** Identity of a message across lines and files, as ccusage sees it; undefined when it has none. */
export function messageKey(
  record: JsonObject,
  message: JsonObject,
  sessionOfFile: string,
): string | undefined {
  if (typeof message.id !== 'string' || message.id === '') return undefined;
  if (typeof record.requestId === 'string') return `${message.id} ${record.requestId}`;
  return `${message.id} in ${saidSession(record, sessionOfFile)}`;
}

/** The session that a line names; one that names none is of its file's. */
function saidSession(record: JsonObject, sessionOfFile: string): string {
  return asText(record.sessionId) ?? sessionOfFile;
}

/** The usage of a line on its own, or undefined when it does not count. */
export function lineUsage(
  record: JsonObject,
  message: JsonObject,
  at: number | undefined,
): Usage | undefined {
  const usage = asObject(message.usage);
  if (usage === undefined || at === undefined || isRefused(record, message, usage)) return undefined;
  return statedUsage(usage);
}

function statedUsage(usage: JsonObject): Usage | undefined {
  const { input_tokens: input, output_tokens: output } = usage;
  const cacheRead = usage.cache_read_input_tokens ?? 0;
  const flat = usage.cache_creation_input_tokens ?? 0;
  if (!isTokens(input) || !isTokens(output) || !isTokens(cacheRead) || !isTokens(flat)) return undefined;
  const written = usage.cache_creation;
  if (written === undefined || written === null) return { input, output, cacheRead, cacheWrite: flat };
  const parts = asObject(written);
  if (parts === undefined) return undefined;
  const short = parts.ephemeral_5m_input_tokens === undefined ? 0 : parts.ephemeral_5m_input_tokens;
  const long = parts.ephemeral_1h_input_tokens === undefined ? 0 : parts.ephemeral_1h_input_tokens;
  if (!isTokens(short) || !isTokens(long)) return undefined;
  const cacheWrite = short + long;
  // Literal objects: assembled ones would each have a shape of their own, which is slow.
  return long > 0
    ? { input, output, cacheRead, cacheWrite, cacheWriteHour: long }
    : { input, output, cacheRead, cacheWrite };
}

function isTokens(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRefused(record: JsonObject, message: JsonObject, usage: JsonObject): boolean {
  const { timestamp, version } = record;
  if (typeof timestamp !== 'string' || !TIME.test(timestamp)) return true;
  if (version !== undefined && (typeof version !== 'string' || !VERSION.test(version))) return true;
  const texts = [record.sessionId, record.requestId, message.id, message.model];
  if (!texts.every(isAbsentOrText)) return true;
  if (usage.speed !== undefined && usage.speed !== 'fast' && usage.speed !== 'standard') return true;
  if (record.costUSD !== undefined && typeof record.costUSD !== 'number') return true;
  return (
    !isAbsentOrFlag(record.isApiErrorMessage) ||
    (record.isSidechain !== null && !isAbsentOrFlag(record.isSidechain)) ||
    hasNull(record, message, usage)
  );
}

function isAbsentOrText(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value !== '');
}

function isAbsentOrFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

/**
 * Looks for a null that ccusage refuses: in the fields of the line, of its message and usage, and anywhere in the
 * input of a call, where tools put nulls of their own. Only the model of an iteration may be null.
 */
function hasNull(record: JsonObject, message: JsonObject, usage: JsonObject): boolean {
  if (hasOwnNull(record) || hasOwnNull(message) || hasOwnNull(usage)) return true;
  for (const item of asArray(usage.iterations)) if (hasDeepNull(item, 'model')) return true;
  for (const item of asArray(message.content)) {
    const block = asObject(item);
    if (block !== undefined && (block.id === null || hasDeepNull(block.input))) return true;
  }
  return hasDeepNull(record.toolUseResult);
}

/** `NEVER_NULL`, name by name: access by a computed name is slow, and every message takes 33. */
function hasOwnNull(part: JsonObject): boolean {
  return (
    part.id === null ||
    part.cwd === null ||
    part.model === null ||
    part.speed === null ||
    part.costUSD === null ||
    part.version === null ||
    part.sessionId === null ||
    part.requestId === null ||
    part.isApiErrorMessage === null ||
    part.cache_read_input_tokens === null ||
    part.cache_creation_input_tokens === null
  );
}

const MAX_LOOKS = 20_000;

function hasDeepNull(root: unknown, allowed?: string): boolean {
  if (typeof root !== 'object' || root === null) return false;
  const waiting: object[] = [root];
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const value = waiting.pop();
    if (value === undefined) return false;
    let isSuspect = false;
    // By value, not by name: every tool has other fields, and code that names them is compiled for each.
    for (const field of Object.values(value)) {
      if (field === null) isSuspect = true;
      else if (typeof field === 'object') waiting.push(field);
    }
    if (isSuspect && NEVER_NULL.some((name) => (value as JsonObject)[name] === null && name !== allowed))
      return true;
  }
  return false;
}

/** What a line makes of the usage of its message. */
export type UsageVerdict =
  | { readonly kind: 'count'; readonly usage: Usage; readonly costUsd: number | undefined }
  /** A replay of a message that counts elsewhere: the whole line is a copy. */
  | { readonly kind: 'replay' }
  /** This line counts, and what another had counted does not any more. */
  | { readonly kind: 'takeover'; readonly line: Counted; readonly from: Counted }
  /** The message was counted long ago, and this line has more of it. */
  | { readonly kind: 'more'; readonly usage: Usage };

/** A message has one request, or two when it was replayed; more is made up. */
const MAX_REQUESTS = 32;
/** Messages whose lines may still replace each other: fewer than the fold remembers. */
const NEAR = MAX_MESSAGES - 2 * MAX_REQUESTS;

/** Compares a line with what was counted for its message so far, and stores the winner. */
export function weigh(place: Line, message: JsonObject, usage: Usage): UsageVerdict {
  const { state } = place;
  const line = countedLine(place, message, usage);
  const id = String(message.id);
  const before = state.counted.get(id);
  const known = before === undefined ? NONE : before.filter(({ order }) => state.sent - order < NEAR);
  const found = findMessage(known, line);
  const { far } = state;
  const verdict = found === undefined ? weighFar(line, far.get(hashKey(line.key))) : weighNear(line, found);
  if (verdict.kind === 'replay' || verdict.kind === 'more') {
    if (verdict.kind === 'more') remember(far, hashKey(line.key), farRow(line), MIN_RECENT_HASHES);
    return verdict;
  }
  if (found !== undefined && verdict.kind === 'count' && verdict.usage !== usage) return verdict;
  if (found !== undefined && found.key === line.key) line.order = found.order;
  else state.sent += 1;
  if (found !== undefined) far.delete(hashKey(found.key));
  remember(far, hashKey(line.key), farRow(line), MIN_RECENT_HASHES);
  const others = known.filter((one) => one !== found).slice(-MAX_REQUESTS);
  others.push(line);
  remember(state.counted, id, others, NEAR);
  return verdict;
}

const NONE: readonly Counted[] = [];

function countedLine(place: Line, message: JsonObject, usage: Usage): Counted {
  const { state, record, sidechain, session } = place;
  const sessionOfFile = state.pathParent ?? state.stem;
  const costUsd = costOf(record);
  const counted: Counted = {
    usage,
    at: String(record.timestamp),
    speed: asObject(message.usage)?.speed !== undefined,
    sidechain,
    key: messageKey(record, message, sessionOfFile) ?? '',
    said: saidSession(record, sessionOfFile),
    session,
    order: state.sent,
  };
  if (costUsd !== undefined) counted.costUsd = costUsd;
  return counted;
}

/** Old versions wrote what a message cost. */
export function costOf(record: JsonObject): number | undefined {
  return typeof record.costUSD === 'number' && record.costUSD >= 0 ? record.costUSD : undefined;
}

function weighNear(line: Counted, found: Counted): UsageVerdict {
  const same = found.key === line.key && found.session === line.session && found.sidechain === line.sidechain;
  if (!beats(line, found)) {
    return same ? { kind: 'count', usage: found.usage, costUsd: found.costUsd } : { kind: 'replay' };
  }
  if (same) return { kind: 'count', usage: line.usage, costUsd: line.costUsd };
  return { kind: 'takeover', line, from: found };
}

/** The counted line of the same message: the same request, or a replayed one. */
function findMessage(known: readonly Counted[], line: Counted): Counted | undefined {
  return known.find(({ key }) => key === line.key) ?? known.find((one) => isReplay(one, line));
}

function isReplay(one: Counted, other: Counted): boolean {
  return one.at === other.at && one.said === other.said && (one.sidechain || other.sidechain);
}

/** Whether a line counts instead of an earlier one of its message. */
function beats(line: FarRow, before: FarRow): boolean {
  if (line.sidechain !== before.sidechain) return before.sidechain;
  const more = tokensOf(line.usage) - tokensOf(before.usage);
  return more === 0 ? line.speed && !before.speed : more > 0;
}

function farRow({ usage, sidechain, speed }: Counted): FarRow {
  return { usage, sidechain, speed };
}

/** The fold has dropped this old message, so only the difference can be added. */
function weighFar(line: Counted, before: FarRow | undefined): UsageVerdict {
  if (before === undefined) return { kind: 'count', usage: line.usage, costUsd: line.costUsd };
  if (!beats(line, before)) return { kind: 'replay' };
  const more = (kind: 'input' | 'output' | 'cacheRead' | 'cacheWrite') =>
    Math.max(0, line.usage[kind] - before.usage[kind]);
  const usage = {
    input: more('input'),
    output: more('output'),
    cacheRead: more('cacheRead'),
    cacheWrite: more('cacheWrite'),
    ...cacheWrite1h((line.usage.cacheWriteHour ?? 0) - (before.usage.cacheWriteHour ?? 0)),
  };
  return { kind: 'more', usage };
}

type Advice = { readonly model: string; readonly usage: Usage };

/** Messages of an advising model inside the message; one that cannot be read spoils all, as it does in ccusage. */
export function adviceOf(message: JsonObject): Advice[] {
  const iterations = asObject(message.usage)?.iterations;
  if (!Array.isArray(iterations)) return [];
  const advice: Advice[] = [];
  for (const item of iterations) {
    const iteration = asObject(item);
    const usage = iteration === undefined ? undefined : statedUsage(iteration);
    if (iteration === undefined || usage === undefined || typeof iteration.type !== 'string') return [];
    const { model } = iteration;
    if (iteration.type !== 'advisor_message' || typeof model !== 'string' || model === '') continue;
    advice.push({ model, usage });
  }
  return advice;
}
