/** Whether the dearer of two is worth it, in money that can be reached. */
import { formatUsd } from '../../report/number.ts';
import type { PointCost } from '../pricing/point-cost.ts';
import type { Worth } from '../pricing/worth.ts';

/** Said once where such sentences stand. */
export const POINT =
  'A point is 0.01 of Q. The documented rule asks that Q rises as many times as the cost; Q cannot exceed 1.';

export function worthWords(taskType: string, dearer: string, cheaper: string, worth: Worth): string {
  const { meanCostUsd, pointUsd, furtherPointUsd, outOfReach, verdict, costIsLowerBound } = worth;
  const more = formatUsd(meanCostUsd.dearer - meanCostUsd.cheaper);
  const each = furtherPointUsd === undefined ? '' : `, ${sayPoint(furtherPointUsd)} for each further point`;
  const sides = [
    pointUsd.dearer && `${sayPoint(pointUsd.dearer)} with the former`,
    pointUsd.cheaper && `${sayPoint(pointUsd.cheaper)} with the latter`,
  ].filter(Boolean);
  const rule = outOfReach ? 'out of reach' : verdict;
  return `${taskType}: ${dearer} ${howMuchBetter(worth)} than ${cheaper}, and costs ${more} more a session${each}. A point of Q costs ${costIsLowerBound ? 'at least ' : ''}${sides.join(', ')}. Documented rule: ${rule}.`;
}

function howMuchBetter({ quality }: Worth): string {
  const { interval, value } = quality;
  const points = sayPoints(quality);
  if (interval === undefined) return `${value < 0 ? 'has a lower Q' : 'has a higher Q'} (${points})`;
  if (interval.low > 0) return `is better (${points})`;
  if (interval.high < 0) return `is worse (${points})`;
  return `is not surely ${value < 0 ? 'worse' : 'better'} (${points})`;
}

/** `+4 points [−1, +9]` */
function sayPoints({ value, interval }: Worth['quality']): string {
  const points = (q: number) => `${q < 0 ? '−' : '+'}${Math.abs(q * 100).toFixed(0)}`;
  const range = interval === undefined ? '' : ` [${points(interval.low)}, ${points(interval.high)}]`;
  return `${points(value)} points${range}`;
}

function sayPoint({ value, interval }: PointCost): string {
  return interval === undefined
    ? formatUsd(value)
    : `${formatUsd(value)} [${formatUsd(interval.low)}, ${formatUsd(interval.high)}]`;
}
