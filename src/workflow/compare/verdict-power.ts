/**
 * What the verdict *improved* can see: not one of its two tests, but both. They judge the same difference, so it must be
 * past the stricter of their two lines; the difference itself varies with its own standard error around the true one.
 */
import { studentTQuantile } from '../../stats/distributions.ts';
import type { Welch } from '../../stats/welch.ts';
import { type PairedTest, UNITS_NEEDED } from './paired-errors.ts';

export type VerdictPower = {
  /** The smallest difference, in points, that this design calls improved 80% of the time. */
  readonly detectable?: number;
  /** Errors, spread over as many more units, that would show the difference that was found, and one of 20 points. */
  readonly errorsForThis?: number;
  readonly errorsFor20?: number;
};

const [POWER, ALPHA] = [0.8, 0.05];

/** More than this many times the errors is no plan. */
const MOST_TIMES = 10_000;

type RunTest = Pick<Welch, 'interval'> | undefined;

export function verdictPower(paired: PairedTest, welch: RunTest): VerdictPower {
  const { errors, difference } = paired;
  const detectable = detectableAt(1, paired, welch);
  const [forThis, for20] = [Math.abs(difference), 20].map((effect) => timesFor(effect, paired, welch));
  return {
    detectable,
    ...(forThis !== undefined && { errorsForThis: Math.ceil(errors * forThis - 1e-9) }),
    ...(for20 !== undefined && { errorsFor20: Math.ceil(errors * for20 - 1e-9) }),
  };
}

/** With `times` as many errors and units, and the same number of runs: run scores over more errors vary less too. */
function detectableAt(times: number, paired: PairedTest, welch: RunTest): number | undefined {
  const { standardError, units } = paired;
  if (standardError === undefined || standardError === 0) return undefined;
  const freedom = Math.round(units * times) - 1;
  if (freedom + 1 < UNITS_NEEDED) return undefined;
  const error = standardError / Math.sqrt(times);
  const lines = [
    studentTQuantile(1 - ALPHA / 2, freedom) * error * strictness(paired),
    ...(welch === undefined ? [] : [(welch.interval.high - welch.interval.low) / 2 / Math.sqrt(times)]),
  ];
  return Math.max(...lines) + studentTQuantile(POWER, freedom) * error;
}

/** Few units make the sign-flip test stricter than t: six must all agree. Its own interval says by how much. */
function strictness({ low, high, standardError, units }: PairedTest): number {
  if (low === undefined || high === undefined || !standardError) return 1;
  const byT = studentTQuantile(1 - ALPHA / 2, units - 1) * standardError;
  return Math.max(1, (high - low) / 2 / byT);
}

/** How many times the errors show an effect; found by halving, because more errors never show less. */
function timesFor(effect: number, paired: PairedTest, welch: RunTest): number | undefined {
  if (effect === 0) return undefined;
  const shows = (times: number) => {
    const detectable = detectableAt(times, paired, welch);
    return detectable !== undefined && detectable <= effect;
  };
  if (paired.standardError === undefined || paired.standardError === 0 || !shows(MOST_TIMES))
    return undefined;
  let [low, high] = [UNITS_NEEDED / (2 * paired.units), MOST_TIMES];
  while (high - low > 1e-6 * high) {
    const middle = Math.sqrt(low * high);
    if (shows(middle)) high = middle;
    else low = middle;
  }
  return high;
}
