import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import type { MeasuredSession } from './session-score.ts';
import type { Category } from './signals/signal.ts';

/** One category of one session as a measurement. */
export function categoryOf(
  { categories }: Pick<MeasuredSession, 'categories'>,
  category: Category,
): Measurement {
  const value = categories[category];
  if (value !== undefined) return estimate(value, 1);
  return unmeasured(
    category === 'outcome'
      ? 'nothing outside the conversation was involved; its weight went to completion'
      : `nothing of ${category} could be measured`,
  );
}
