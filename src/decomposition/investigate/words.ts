/** Small words of an investigation; plain text, without any format's marks. */

const MOST_NAMED = 5;
const LONGEST_NAME = 80;

/** `a, b, c, d, e and 3 more`. */
export function nameSome(names: readonly string[], most: number = MOST_NAMED): string {
  const short = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
  const shown = names.slice(0, most).map(short);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** `1 concept`, `3 concepts`. */
export function amount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** `stated 5, implied 1`, the most frequent first. */
export function tally(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([kind, count]) => `${kind} ${count.toLocaleString('en-US')}`)
    .join(', ');
}

/** What evidence cannot show is said as what it suggests. */
export function suggestion(text: string): string {
  return `Suggestion: ${text}`;
}
