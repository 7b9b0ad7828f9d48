import type { Measurements } from '../measure/measure.ts';
import type { Unit } from '../measure/metric.ts';
import { bootstrapMean } from '../stats/bootstrap.ts';
import { signFlip } from '../stats/sign-flip.ts';
import { inPoints } from './points.ts';
import type { Direction } from './zone.ts';

/** The change over the cases that both runs measured, in points, positive when better. */
export type Paired = {
  readonly cases: number;
  readonly points: number;
  readonly low?: number;
  readonly high?: number;
  readonly p: number;
  /**
   * `noise`: a difference this large comes up by chance more often than one time in twenty. `too few to tell`: so few
   * cases changed that no outcome could be told from chance.
   */
  readonly verdict: 'better' | 'worse' | 'noise' | 'too few to tell';
};

const ALPHA = 0.05;

/** With fewer there is nothing to test; five cases that changed still reach p = 2/32 at best, six 2/64. */
const MIN_CASES = 5;

export function pairedChange(
  metric: { readonly id: string; readonly unit: Unit; readonly better: Direction },
  current: Readonly<Record<string, Measurements>>,
  baseline: Readonly<Record<string, Measurements>>,
): Paired | undefined {
  const sign = metric.better === 'higher' ? 1 : -1;
  const differences = Object.keys(baseline)
    .toSorted()
    .flatMap((id) => {
      const [before, after] = [baseline[id]?.[metric.id], current[id]?.[metric.id]];
      return before?.measured && after?.measured
        ? [sign * inPoints(after.value - before.value, metric.unit)]
        : [];
    });
  const test = signFlip(differences);
  if (test === undefined || test.n < MIN_CASES || test.flippable === 0) return undefined;
  const verdict =
    test.smallestP > ALPHA
      ? 'too few to tell'
      : test.p > ALPHA
        ? 'noise'
        : test.meanDifference > 0
          ? 'better'
          : 'worse';
  const interval = bootstrapMean(differences)?.interval;
  return { cases: test.n, points: test.meanDifference, ...interval, p: test.p, verdict };
}
