/** Refuses two lists that should belong together item by item and do not. */
export function checkSameLength(
  first: ArrayLike<unknown>,
  second: ArrayLike<unknown>,
  names: readonly [string, string],
): void {
  if (first.length !== second.length) {
    throw new RangeError(
      `${names[0]} and ${names[1]} must be equally long, got ${first.length} and ${second.length}`,
    );
  }
}
