/** When there are too many, the oldest is given up. */
export function pushBounded<T>(list: T[], item: T, kept: number): void {
  list.push(item);
  if (list.length > kept) list.shift();
}
