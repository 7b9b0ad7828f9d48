import type { Unit } from '../measure/metric.ts';

/** A difference in percentage points: 0.70 → 0.74 is 4 points. Units that are not shares stay as they are. */
export function inPoints(difference: number, unit: Unit): number {
  return unit === 'ratio' || unit === 'score' ? difference * 100 : difference;
}
