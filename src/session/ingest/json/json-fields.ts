/** Reads fields of foreign records: every access is checked, nothing throws. */
import type { Usage } from '../../event.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Enough of a result to see whether it failed; more would only cost memory. */
const MAX_RESULT_CHARS = 4000;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; other items are skipped. */
export function asObjects(value: unknown): JsonObject[] {
  return asArray(value)
    .map(asObject)
    .filter((one) => one !== undefined);
}

/** A string with something in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An identity: ids are written as strings or as numbers. */
export function asId(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : asText(value);
}

/**
 * A number of something: not negative, and no larger than numbers are exact, so that sums of many stay finite; 64-bit numbers
 * come as strings of digits.
 */
export function asCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** A real cost. Programs write 0 for a model whose price they do not know, so 0 counts only if nothing was used. */
export function asCost(value: unknown, usage: Usage | undefined): number | undefined {
  const cost = asCount(value);
  return cost === 0 && (usage === undefined || usage.input + usage.output > 0) ? undefined : cost;
}

/** Milliseconds since 1970. A time without a zone is taken as UTC: results must not depend on the reader's clock. */
export function asTime(value: unknown): number | undefined {
  if (typeof value === 'number') return plausibleTime(value);
  if (typeof value !== 'string' || value.length > 40 || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined;
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(value) || value.length === 10;
  return plausibleTime(Date.parse(zoned ? value : `${value}Z`));
}

/** The first of several stamps that is a moment in time. */
export function firstTime(...stamps: readonly unknown[]): number | undefined {
  for (const stamp of stamps) {
    const at = asTime(stamp);
    if (at !== undefined) return at;
  }
  return undefined;
}

/** Between 2001 and 2286 in milliseconds; other values are seconds, nanoseconds or invalid. */
function plausibleTime(milliseconds: number): number | undefined {
  return milliseconds >= 1e12 && milliseconds < 1e13 ? milliseconds : undefined;
}

/** The beginning and the end of a long text. */
export function cutText(text: string): string {
  if (text.length <= MAX_RESULT_CHARS) return text;
  const half = MAX_RESULT_CHARS / 2 - 2;
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`;
}

/** The text of a message: a string, or the text parts of a list. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  let whole: string | undefined;
  for (const part of asArray(content)) {
    const text = typeof part === 'string' ? part : partText(asObject(part));
    if (text !== undefined) whole = whole === undefined ? text : `${whole}\n${text}`;
  }
  return whole ?? '';
}

function partText(part: JsonObject | undefined): string | undefined {
  if (part === undefined) return undefined;
  const type = part.type;
  if (type !== undefined && type !== 'text' && type !== 'output_text' && type !== 'input_text')
    return undefined;
  return asText(part.text) ?? asText(part.content);
}

/** The value of a JSON text; a text that is not JSON is returned unchanged. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A value as the text that a user would have seen. */
export function shown(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * Usage as most APIs report it: the input with cached tokens included. Some report cached tokens separately; then they
 * may exceed the input, and nothing is subtracted.
 */
export function usageOf(
  input: unknown,
  output: unknown,
  cacheRead?: unknown,
  cacheWrite?: unknown,
): Usage | undefined {
  const all = asCount(input);
  const out = asCount(output);
  if (all === undefined && out === undefined) return undefined;
  const read = asCount(cacheRead) ?? 0;
  const write = asCount(cacheWrite) ?? 0;
  const given = all ?? 0;
  return {
    input: given >= read + write ? given - read - write : given,
    output: out ?? 0,
    cacheRead: read,
    cacheWrite: write,
  };
}

/** Usage in the words of the chat-completions API. */
export function completionUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const details = asObject(usage.prompt_tokens_details);
  return usageOf(
    usage.prompt_tokens,
    usage.completion_tokens,
    usage.cache_read_input_tokens ?? details?.cached_tokens,
    usage.cache_creation_input_tokens,
  );
}

export function isZero(usage: Usage): boolean {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0;
}

/** `azure/gpt-4o` → provider and model; the way routers name models. */
export function routedModel(name: unknown): { model?: string; provider?: string } {
  const text = asText(name);
  if (text === undefined) return {};
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return { model: text };
  return { model: text.slice(slash + 1), provider: text.slice(0, slash) };
}

/** What detection looks at: the lines, or the first elements when the file is one array. */
export function sampled(records: readonly unknown[], document: boolean): readonly JsonObject[] {
  const first = records[0];
  return asObjects(document && Array.isArray(first) ? first.slice(0, 20) : records);
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops undefined fields: a later event must never overwrite a known value with nothing. */
export function defined<T extends object>(fields: T): Defined<T> {
  const picked: Partial<T> = {};
  for (const name in fields) if (fields[name] !== undefined) picked[name] = fields[name];
  return picked as unknown as Defined<T>;
}
