/** Refuses what is not a whole number of at least `least`. */
export function checkCount(count: number, name: string, least = 0): void {
  if (!Number.isInteger(count) || count < least) {
    throw new RangeError(`${name} must be a whole number of at least ${least}, got ${count}`);
  }
}
