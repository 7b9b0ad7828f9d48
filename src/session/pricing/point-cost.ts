/** What quality costs in money that can be paid: dollars for a point of Q, a hundredth. */

import { percentileInterval } from '../../stats/bootstrap.ts';
import type { Interval } from '../../stats/intervals.ts';
import { random } from '../../stats/random.ts';

/** A session with both. */
export type Priced = { readonly q: number; readonly costUsd: number };

export type PointCost = { readonly value: number; readonly interval?: Interval };

/** Q goes from 0 to 1; a hundredth of it is what people call a point. */
const POINTS = 100;
const RESAMPLES = 2000;
const CONFIDENCE = 0.95;
/** Drawing more than this takes seconds and changes nothing. */
const MANY = 5000;

/** Mean cost / mean Q in points. Undefined where nothing was reached for it. */
export function costOfPoint(
  meanCost: number,
  meanQ: number,
  sessions: readonly Priced[] = [],
): PointCost | undefined {
  if (meanQ <= 0) return undefined;
  const value = meanCost / (meanQ * POINTS);
  const interval = drawn(sessions, [], (one) => one.cost / (one.q * POINTS));
  return { value, ...(interval && { interval }) };
}

/** What each point costs that the more expensive side has more; only where it surely has more. */
export function costOfFurtherPoint(
  expensive: readonly Priced[] | undefined,
  cheaper: readonly Priced[] | undefined,
  means: { readonly cost: number; readonly q: number; readonly sure: boolean },
): PointCost | undefined {
  if (!means.sure || means.q <= 0) return undefined;
  const value = means.cost / (means.q * POINTS);
  const interval = drawn(expensive ?? [], cheaper ?? [], (one, other) => {
    const points = (one.q - other.q) * POINTS;
    return points > 0 ? (one.cost - other.cost) / points : Infinity;
  });
  return { value, ...(interval && { interval }) };
}

type Means = { q: number; cost: number };

function drawn(
  one: readonly Priced[],
  other: readonly Priced[],
  value: (one: Means, other: Means) => number,
): Interval | undefined {
  if (one.length < 2 || other.length === 1 || one.length + other.length > MANY) return undefined;
  const source = random(1);
  const draw = (sessions: readonly Priced[]): Means => {
    const mean = { q: 0, cost: 0 };
    for (let i = 0; i < sessions.length; i++) {
      const session = sessions[source.below(sessions.length)] as Priced;
      mean.q += session.q / sessions.length;
      mean.cost += session.costUsd / sessions.length;
    }
    return mean;
  };
  const values = Float64Array.from({ length: RESAMPLES }, () => value(draw(one), draw(other)));
  return intervalOf(values);
}

/** A draw without a point has no price: such draws lie beyond the upper end, or there is no end. */
function intervalOf(values: Float64Array): Interval | undefined {
  const endless = values.filter((value) => !Number.isFinite(value)).length;
  if (endless / values.length >= (1 - CONFIDENCE) / 2) return undefined;
  const ranked = values.map((value) => (Number.isFinite(value) ? value : Number.MAX_VALUE));
  return percentileInterval(ranked, CONFIDENCE);
}
