import type { Unit } from '../measure/metric.ts';
import { inPoints } from './points.ts';
import { type Direction, TOLERANCE } from './zone.ts';

export type TrendPoint = { readonly runId: string; readonly at: string; readonly value: number };

export type Trend = {
  readonly metric: string;
  readonly title: string;
  readonly unit: Unit;
  readonly points: readonly TrendPoint[];
  /** How many of the latest runs in a row each fell by more than the noise line. */
  readonly declines: number;
  readonly alert: boolean;
};

export type TrendRule = { readonly noisePoints: number; readonly declinesToAlert: number };

/** A fall of more than one point is a decline; three declines in a row alert. */
export const TREND_RULE: TrendRule = { noisePoints: 1, declinesToAlert: 3 };

/** `points` belong to one series (same truth, same scorer, same subject), oldest first. */
export function trendOf(
  metric: { readonly id: string; readonly title: string; readonly unit: Unit; readonly better: Direction },
  points: readonly TrendPoint[],
  rule: TrendRule = TREND_RULE,
): Trend {
  let declines = 0;
  for (let i = points.length - 1; i > 0; i--) {
    const [before, after] = [points[i - 1], points[i]];
    if (before === undefined || after === undefined) break;
    const worsening = metric.better === 'higher' ? before.value - after.value : after.value - before.value;
    if (inPoints(worsening, metric.unit) <= rule.noisePoints + TOLERANCE) break;
    declines++;
  }
  return {
    metric: metric.id,
    title: metric.title,
    unit: metric.unit,
    points,
    declines,
    alert: declines >= rule.declinesToAlert,
  };
}
