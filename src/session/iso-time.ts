const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Undefined outside the years of four digits: others are spelled differently and would sort wrongly as text. */
export function isoTime(at: number | undefined): string | undefined {
  return at !== undefined && at >= FIRST && at <= LAST ? new Date(at).toISOString() : undefined;
}
