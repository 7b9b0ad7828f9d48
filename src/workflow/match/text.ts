/** Text as it is compared: Unicode and white space in one form, letters as they are. Nothing else is forgiven. */
export function normaliseText(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

/** A shorter quote could stand anywhere: it identifies nothing by itself. */
export const SHORTEST_QUOTE = 12;

/** Whether one quote lies within the other; both normalised. */
export function quotesMeet(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.length >= SHORTEST_QUOTE && long.includes(short);
}
