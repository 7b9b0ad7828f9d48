/** Refuses a confidence, power or alpha that is not strictly between 0 and 1: 95 is a common slip for 0.95. */
export function checkShare(share: number, name: string): void {
  if (!(share > 0 && share < 1)) {
    throw new RangeError(`${name} must be between 0 and 1 (0.95, not 95), got ${share}`);
  }
}
