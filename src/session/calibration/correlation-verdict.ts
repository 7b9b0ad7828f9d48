/** Does Q agree with people well enough? Decided with the interval, never with the point alone. */
import { normalQuantile } from '../../stats/distributions.ts';
import { fisherZInterval } from '../../stats/fisher-z-interval.ts';
import type { Interval } from '../../stats/interval.ts';

export type CorrelationVerdict = {
  readonly verdict: 'meets the target' | 'does not meet it' | 'too few to tell';
  readonly because: string;
  /** Rated sessions that would decide it if r stayed as it is; absent when none would, or when it is decided. */
  readonly needed?: number;
};

/** r against people's ratings that the validation plan asks for. */
export const TARGET_R = 0.7;

/** Fisher's interval takes ratings as nearly normal; below this many it claims more than five steps can carry. */
export const MIN_RATED = 10;

export function correlationVerdict(
  r: number,
  n: number,
  interval: Interval | undefined,
  target = TARGET_R,
): CorrelationVerdict {
  const range = interval === undefined ? '' : ` [${two(interval.low)}, ${two(interval.high)}]`;
  const said = `r = ${two(r)}${range} over ${n} rated sessions`;
  const needed = neededRatings(r, target);
  if (n >= MIN_RATED) {
    const { low, high } = interval ?? { low: r, high: r };
    if (low > target) return { verdict: 'meets the target', because: `${said} lies above ${target}` };
    if (high < target) return { verdict: 'does not meet it', because: `${said} lies below ${target}` };
  }
  const why = n < MIN_RATED ? `; ${MIN_RATED} are the least` : `: ${target} is inside the interval`;
  return {
    verdict: 'too few to tell',
    because: `${said}${why}`,
    needed,
  };
}

/**
 * The number of rated sessions at which the 95% interval of this r would no longer contain the target: atanh r has a
 * standard error of 1 / √(n − 3). Worked value: r = 0.8 against 0.7 → 3 + (1.96 / 0.2313)² = 74.8, so 75.
 */
export function neededRatings(r: number, target = TARGET_R): number | undefined {
  const gap = Math.abs(Math.atanh(Math.max(-0.999, Math.min(0.999, r))) - Math.atanh(target));
  if (gap < 1e-3) return undefined;
  // One more than the smallest whole number: at the number itself the end of the interval may touch the target.
  return Math.max(MIN_RATED, Math.floor(3 + (normalQuantile(0.975) / gap) ** 2) + 1);
}

/**
 * The number of rated sessions at which the 95% interval of this r is at most `width` wide to either side, on average.
 * Worked values: r = 0.7 with n = 20 has [0.37, 0.87]; 0.1 to either side takes 105 sessions there, and 385 at r = 0.
 */
export function sessionsForPrecision(r: number, width: number): number {
  if (!(width > 0)) throw new RangeError(`width must be above 0, not ${width}`);
  const wide = (n: number): boolean => {
    const interval = fisherZInterval(Math.max(-0.999, Math.min(0.999, r)), n, 1, 0.95);
    return interval === undefined || interval.high - interval.low > 2 * width;
  };
  let [low, high] = [MIN_RATED - 1, MIN_RATED];
  while (wide(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wide(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function two(value: number): string {
  return value.toFixed(2);
}
