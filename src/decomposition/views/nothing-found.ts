/** Said of a text without any concept, to people and on the wire. */
export function nothingFound(why: string | undefined): string {
  return `no concept was found${why === undefined ? '' : `: ${why}`}`;
}
