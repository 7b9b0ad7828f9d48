import type { Numbers } from './numbers.ts';

/** Refuses a list of probabilities with a value outside 0–1 (0 and 1 are allowed). */
export function checkProbabilities(values: Numbers, name = 'probabilities'): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!(value >= 0 && value <= 1)) {
      throw new RangeError(`${name}[${i}] must be between 0 and 1, got ${value}`);
    }
  }
}
