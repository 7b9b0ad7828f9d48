/** Careful reading of records that somebody else wrote: nothing is used before its type is known. */

export type Fields = Readonly<Record<string, unknown>>;

/** Longer results are cut in the middle: how a command began and how it ended is what tells its outcome. */
const MAX_RESULT_CHARS = 4_000;

/** 2000-01-01 to 2100-01-01; anything else is a clock that was never set, or seconds taken for milliseconds. */
const EARLIEST = 946_684_800_000;
const LATEST = 4_102_444_800_000;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A count or an amount: finite and not negative. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The first of several stamps (ISO text or milliseconds) that is a moment in time. */
export function timeOf(...stamps: readonly unknown[]): number | undefined {
  for (const stamp of stamps) {
    const at = typeof stamp === 'string' ? Date.parse(stamp) : stamp;
    if (typeof at === 'number' && at >= EARLIEST && at <= LATEST) return at;
  }
  return undefined;
}

/** Events name only what is known, so a later event never overwrites something with nothing. */
export function known<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) kept[name] = value as Exclude<T[typeof name], undefined>;
  }
  return kept;
}

/** The text of a message: a string, or the text blocks of a list; images and thoughts are left out. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const item of content) {
    const block = fieldsOf(item);
    if (block?.type === 'text' && typeof block.text === 'string') texts.push(block.text);
  }
  return texts.join('\n');
}

export function cut(text: string): string {
  if (text.length <= MAX_RESULT_CHARS) return text;
  const half = MAX_RESULT_CHARS / 2 - 3;
  return `${text.slice(0, half)}\n…\n${text.slice(-half)}`;
}
