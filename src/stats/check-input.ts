/** What the functions of this folder take as a sample. */
export type Numbers = readonly number[] | Float64Array;

/** Refuses what is not a whole number of at least `least`. */
export function checkCount(count: number, name: string, least = 0): void {
  if (!Number.isInteger(count) || count < least) {
    throw new RangeError(`${name} must be a whole number of at least ${least}, got ${count}`);
  }
}

/**
 * Refuses a sample with NaN or an infinity in it. d3-array skips NaN without a word, so a mean of three values
 * would quietly be one of two; here that is a fault of the caller and is named with its place.
 */
export function checkFinite(values: Numbers, name = 'values'): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      throw new RangeError(`${name}[${i}] must be a finite number, got ${values[i]}`);
    }
  }
}

/** Refuses a list of probabilities with a value outside 0–1 (0 and 1 are allowed). */
export function checkProbabilities(values: Numbers, name = 'probabilities'): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!(value >= 0 && value <= 1)) {
      throw new RangeError(`${name}[${i}] must be between 0 and 1, got ${value}`);
    }
  }
}

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

/** Refuses a confidence, power or alpha that is not strictly between 0 and 1: 95 is a common slip for 0.95. */
export function checkShare(share: number, name: string): void {
  if (!(share > 0 && share < 1)) {
    throw new RangeError(`${name} must be between 0 and 1 (0.95, not 95), got ${share}`);
  }
}
