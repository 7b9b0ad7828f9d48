/** A session as metrics over many sessions see it. */
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { MIN_CASES_FOR_INTERVAL, meanOverCases } from '../measure/over-cases.ts';
import { equalValuesInterval } from '../stats/intervals.ts';
import type { Category } from './signals/signal.ts';

export type MeasuredSession = { readonly [Name in 'q' | Category]?: number | undefined };

/** Every session has the same weight. */
export function meanQ(sessions: readonly Pick<MeasuredSession, 'q'>[]): Measurement {
  return withInterval(
    meanOverCases(sessions, ({ q }) =>
      q === undefined ? unmeasured('no run of the session could be scored') : estimate(q, 1),
    ),
  );
}

/** Equal values still have an interval, because other sessions may differ. */
export function withInterval(mean: Measurement): Measurement {
  if (!mean.measured || mean.low !== undefined || mean.n < MIN_CASES_FOR_INTERVAL) return mean;
  return { ...mean, ...equalValuesInterval(mean.value, mean.n) };
}

export function meanOfCategory(sessions: readonly MeasuredSession[], category: Category): Measurement {
  const reason =
    category === 'outcome'
      ? 'nothing outside the conversation was involved; its weight went to completion'
      : `nothing of ${category} could be measured`;
  return meanOverCases(sessions, ({ [category]: value }) =>
    value === undefined ? unmeasured(reason) : estimate(value, 1),
  );
}
