import { bootstrapMean, bootstrapNested } from '../stats/bootstrap.ts';
import { type Moments, mean, sampleSd, sdOfMoments } from '../stats/descriptive.ts';
import { type Interval, studentTAround, studentTInterval } from '../stats/intervals.ts';
import { estimate, type Measurement, unmeasured } from './metric.ts';

/**
 * A count out of a count. `asked`: how much was asked for; where nothing was given although something was asked for, the
 * share is 0, not unmeasured.
 */
export type Share = { readonly count: number; readonly of: number; readonly asked?: number };

/** Fewer cases than this give a mean but no interval: a bootstrap over three values only repeats them. */
export const MIN_CASES_FOR_INTERVAL = 5;

/** `count / of`, or unmeasured when there is nothing to divide by and nothing was asked for. */
export function shareOf({ count, of, asked = 0 }: Share, whenEmpty: string): Measurement {
  if (of > 0) return estimate(count / of, of);
  return asked > 0 ? estimate(0, asked) : unmeasured(whenEmpty);
}

/**
 * The suite value: every case counts the same. One case keeps its own n; several give the mean with a bootstrap
 * interval over cases and the mean coverage, and the cases that could not be measured are counted by reason.
 */
export function meanOverCases<Case>(
  cases: readonly Case[],
  perCase: (one: Case) => Measurement,
  pooled?: number,
  repeats?: Repeats,
): Measurement {
  const [first] = cases;
  if (first === undefined) return unmeasured('no cases');
  if (cases.length === 1) return perCase(first);
  const { values, coverages, skipped } = readCases(cases, perCase);
  const value = mean(values);
  if (value === undefined) return unmeasured(Object.keys(skipped).join('; '));
  const interval =
    values.length < MIN_CASES_FOR_INTERVAL ? undefined : (repeats?.interval ?? intervalOf(values));
  const spread = repeats?.spread;
  // Only composites have a coverage, and of a composite every case has one.
  const coverage = coverages.length === values.length ? mean(coverages) : undefined;
  return estimate(value, values.length, {
    ...interval,
    ...(pooled !== undefined && { pooled }),
    ...(spread !== undefined && { spread }),
    ...(coverage !== undefined && { coverage }),
    ...(Object.keys(skipped).length > 0 && { skipped }),
  });
}

/**
 * The same from sums, where the values of the cases are not kept: `cases` of them, `moments` over those that could be
 * measured, `why` the others could not. The interval is Student's.
 */
export function meanOfMoments(moments: Moments, cases: number, why: string): Measurement {
  if (cases === 0) return unmeasured('no cases');
  const { n, sum } = moments;
  if (n === 0) return unmeasured(why);
  const value = sum / n;
  if (cases === 1) return estimate(value, 1);
  const sd = sdOfMoments(moments);
  const interval = n < MIN_CASES_FOR_INTERVAL || sd === undefined ? undefined : studentTAround(value, sd, n);
  return estimate(value, n, {
    ...(interval && { low: Math.max(0, interval.low), high: Math.min(1, interval.high) }),
    ...(cases > n && { skipped: { [why]: cases - n } }),
  });
}

/** One measurement at a time: there may be a hundred thousand cases. */
function readCases<Case>(cases: readonly Case[], perCase: (one: Case) => Measurement) {
  const values: number[] = [];
  const coverages: number[] = [];
  const reasons = new Map<string, number>();
  for (const one of cases) {
    const measurement = perCase(one);
    if (measurement.measured) {
      values.push(measurement.value);
      if (measurement.coverage !== undefined) coverages.push(measurement.coverage);
    } else reasons.set(measurement.reason, (reasons.get(measurement.reason) ?? 0) + 1);
  }
  // Sorted, so that neither the sum nor the resampling depends on the order in which the cases came.
  values.sort((a, b) => a - b);
  const skipped = Object.fromEntries([...reasons].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { values, coverages, skipped };
}

export type Repeats = {
  readonly interval?: Interval | undefined;
  /** Standard deviation between repeats of one case, over the cases. */
  readonly spread: number;
};

/** Of the values of each case, one for each repeat; nothing where none was repeated. */
export function repeatsOf(cases: readonly (readonly number[])[]): Repeats | undefined {
  const repeated = cases.filter(({ length }) => length > 1);
  if (repeated.length === 0) return undefined;
  // Sorted, so that the sum does not depend on the order of the cases.
  const variances = repeated.map((values) => (sampleSd(values) ?? 0) ** 2).sort((a, b) => a - b);
  const spread = Math.sqrt(mean(variances) ?? 0);
  const units = cases.length === 1 ? (cases[0]?.length ?? 0) : cases.length;
  const isWide = spread > 0 && units >= MIN_CASES_FOR_INTERVAL && units < MANY;
  return { spread, ...(isWide && { interval: bootstrapNested(cases)?.interval }) };
}

/** From here on the mean is as good as normal: both intervals agree within a thousandth, and this one takes no time. */
const MANY = 5000;

function intervalOf(values: readonly number[]): Interval | undefined {
  if (values.length < MANY) return bootstrapMean(values)?.interval;
  const interval = studentTInterval(values);
  // A mean is never outside of its values; the normal curve does not know that.
  const [least = Number.NaN, most = Number.NaN] = [values[0], values.at(-1)];
  return interval && { low: Math.max(interval.low, least), high: Math.min(interval.high, most) };
}
