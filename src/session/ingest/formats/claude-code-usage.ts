/**
 * Which tokens of a Claude Code transcript count. The rule is ccusage's (20.0.24), found by experiments with
 * hand-made files and kept by tests, so that per-session totals are equal to the last token:
 *
 * - A line counts when it has `message.usage` with whole numbers for input and output, a complete time, and nothing
 *   that ccusage's reader refuses (`isRefused`); the type of the record does not matter to it, and neither does
 *   `isApiErrorMessage`. Sub-agent messages inside `progress` records have no `message` of their own: not counted.
 * - Cache writes are the sum of `cache_creation` where that object is present, else `cache_creation_input_tokens`.
 * - Lines with the same message id and the same request id (or both without one) are one message, in whatever file
 *   they stand. Without a message id every line counts.
 * - Of several lines of a message the one with the most tokens counts, the first of equals. That is the last line
 *   wherever usage only grows, as it does in all files we have seen.
 * - A message in a sidechain with the id and the time of a message elsewhere is a replay of it, whatever its request
 *   id. A line outside of sidechains wins over one inside, however many tokens it has.
 * - `usage.iterations` of type `advisor_message` are messages of another model and count on top.
 */
import type { Usage } from '../../event.ts';
import type { Counted, Line } from './claude-code-state.ts';
import { asArray, asObject, type JsonObject } from './json-fields.ts';
import { recall, remember } from './recent.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?(?:Z|[+-]\d\d:\d\d)$/;
const VERSION = /^\d+\.\d+\.\d/;
const OPTIONAL_TEXTS = ['sessionId', 'requestId'] as const;

/** Fields that ccusage refuses to find empty (`null`), wherever in the line they stand. */
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
export function messageKey(record: JsonObject, message: JsonObject): string | undefined {
  if (typeof message.id !== 'string' || message.id === '') return undefined;
  return typeof record.requestId === 'string' ? `${message.id} ${record.requestId}` : message.id;
}

/** The usage of a line on its own, or undefined when it does not count. */
export function lineUsage({ record, at }: Line, message: JsonObject): Usage | undefined {
  const usage = asObject(message.usage);
  if (usage === undefined || at === undefined || isRefused(record, message, usage)) return undefined;
  return tokensOf(usage);
}

function tokensOf(usage: JsonObject): Usage | undefined {
  const { input_tokens: input, output_tokens: output } = usage;
  const cacheRead = usage.cache_read_input_tokens ?? 0;
  const cacheWrite = cacheWritten(usage);
  if (!isTokens(input) || !isTokens(output) || !isTokens(cacheRead) || cacheWrite === undefined) {
    return undefined;
  }
  return { input, output, cacheRead, cacheWrite };
}

function cacheWritten(usage: JsonObject): number | undefined {
  const flat = usage.cache_creation_input_tokens ?? 0;
  if (!isTokens(flat)) return undefined;
  if (usage.cache_creation === undefined || usage.cache_creation === null) return flat;
  const parts = asObject(usage.cache_creation);
  if (parts === undefined) return undefined;
  const short = parts.ephemeral_5m_input_tokens === undefined ? 0 : parts.ephemeral_5m_input_tokens;
  const long = parts.ephemeral_1h_input_tokens === undefined ? 0 : parts.ephemeral_1h_input_tokens;
  return isTokens(short) && isTokens(long) ? short + long : undefined;
}

function isTokens(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRefused(record: JsonObject, message: JsonObject, usage: JsonObject): boolean {
  const { timestamp, version } = record;
  if (typeof timestamp !== 'string' || !TIME.test(timestamp)) return true;
  if (version !== undefined && (typeof version !== 'string' || !VERSION.test(version))) return true;
  for (const name of OPTIONAL_TEXTS) if (!isAbsentOrText(record[name])) return true;
  if (!isAbsentOrText(message.id) || !isAbsentOrText(message.model)) return true;
  if (usage.speed !== undefined && usage.speed !== 'fast' && usage.speed !== 'standard') return true;
  if (record.costUSD !== undefined && typeof record.costUSD !== 'number') return true;
  return (
    !isAbsentOrFlag(record.isApiErrorMessage) ||
    !isFlagOrNull(record.isSidechain) ||
    hasNull(record, message, usage)
  );
}

function isAbsentOrText(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value !== '');
}

function isAbsentOrFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isFlagOrNull(value: unknown): boolean {
  return value === null || isAbsentOrFlag(value);
}

/**
 * Looks for a null that ccusage refuses: in the fields of the line, of its message and usage, and anywhere in the
 * input of a call, where tools put nulls of their own. Only the model of an iteration may be null.
 */
function hasNull(record: JsonObject, message: JsonObject, usage: JsonObject): boolean {
  for (const name of NEVER_NULL) {
    if (record[name] === null || message[name] === null || usage[name] === null) return true;
  }
  for (const item of asArray(usage.iterations)) if (hasDeepNull(item, 'model')) return true;
  for (const item of asArray(message.content)) {
    const block = asObject(item);
    if (block !== undefined && (block.id === null || hasDeepNull(block.input))) return true;
  }
  return hasDeepNull(record.toolUseResult);
}

const MAX_LOOKS = 20_000;

function hasDeepNull(root: unknown, allowed?: string): boolean {
  if (typeof root !== 'object' || root === null) return false;
  const waiting: object[] = [root];
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const value = waiting.pop();
    if (value === undefined) return false;
    for (const [name, field] of Object.entries(value)) {
      if (field === null) {
        if (NEVER_NULL.includes(name) && name !== allowed) return true;
      } else if (typeof field === 'object') waiting.push(field);
    }
  }
  return false;
}

/** What a line makes of the usage of its message. */
export type Verdict =
  | { readonly kind: 'count'; readonly usage: Usage }
  /** A replay of a message that counts elsewhere: the whole line is a copy. */
  | { readonly kind: 'replay' }
  /** This line counts, and what a sidechain had counted does not any more. */
  | { readonly kind: 'takeover'; readonly usage: Usage; readonly from: Counted };

/** A message has one request, or two when it was replayed; more is made up. */
const MAX_REQUESTS = 32;

/** Weighs a line against what was counted for its message so far; remembers the winner. */
export function weigh(place: Line, key: string, messageId: string, usage: Usage): Verdict {
  const { state, sidechain, session } = place;
  const at = String(place.record.timestamp);
  const line: Counted = { usage, total: total(usage), sidechain, at, key, session };
  const known = recall(state.counted, messageId);
  if (known === undefined) {
    remember(state.counted, messageId, [line]);
    return { kind: 'count', usage };
  }
  const found = known.find((one) => one.key === key) ?? known.find((one) => isReplay(one, line));
  if (found === undefined) {
    if (known.length < MAX_REQUESTS) known.push(line);
    return { kind: 'count', usage };
  }
  const same = found.key === key && found.session === session && found.sidechain === sidechain;
  const wins = found.sidechain === sidechain ? line.total > found.total : found.sidechain;
  if (!wins) return same ? { kind: 'count', usage: found.usage } : { kind: 'replay' };
  known[known.indexOf(found)] = line;
  return same ? { kind: 'count', usage } : { kind: 'takeover', usage, from: found };
}

function isReplay(one: Counted, other: Counted): boolean {
  return one.at === other.at && (one.sidechain || other.sidechain);
}

function total(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

export type Advice = { readonly model: string; readonly usage: Usage };

/** Messages of an advising model inside the message; one that cannot be read spoils all, as it does in ccusage. */
export function adviceOf(message: JsonObject): Advice[] {
  const iterations = asObject(message.usage)?.iterations;
  if (!Array.isArray(iterations)) return [];
  const advice: Advice[] = [];
  for (const item of iterations) {
    const iteration = asObject(item);
    const usage = iteration === undefined ? undefined : tokensOf(iteration);
    if (iteration === undefined || usage === undefined || typeof iteration.type !== 'string') return [];
    const { model } = iteration;
    if (iteration.type !== 'advisor_message' || typeof model !== 'string' || model === '') continue;
    advice.push({ model, usage });
  }
  return advice;
}
