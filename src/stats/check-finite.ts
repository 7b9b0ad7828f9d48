import type { Numbers } from './numbers.ts';

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
