/** What quality costs in groups of sessions: Q per dollar. */
import { mean } from '../../stats/descriptive.ts';
import type { Interval } from '../../stats/intervals.ts';
import { meanQ } from '../measured-session.ts';
import type { TaskType } from '../profiles/task-type.ts';

/** Per task type, unless the rows are task types. */
export type GroupRoi = RoiRow & { readonly taskType?: TaskType };

/** A session as far as cost and quality go. */
export type QualityAndCost = {
  readonly q?: number | undefined;
  readonly costUsd?: number | undefined;
  /** 1: it cost at least this. */
  readonly costAtLeast?: number | undefined;
};

export type RoiRow = {
  readonly key: string;
  /** Sessions with a Q. */
  readonly n: number;
  readonly meanQ: number;
  readonly interval?: Interval;
  /** Sessions with a known cost as well, on which cost and ROI rest. */
  readonly priced: number;
  readonly meanCostUsd?: number;
  readonly totalCostUsd?: number;
  /** Some costs are lower bounds: so are mean and total, and Q per dollar is an upper bound. */
  readonly costIsLowerBound?: true;
  readonly roi: Roi;
};

/**
 * One row per group, most expensive last. The ROI of a group is mean Q / mean cost over its priced sessions, so that one
 * session of a hundredth of a cent does not outweigh all others.
 */
export function roiBy<S extends QualityAndCost>(
  sessions: readonly S[],
  keyOf: (session: S) => string | undefined,
): RoiRow[] {
  const groups = new Map<string, S[]>();
  for (const session of sessions) {
    const key = keyOf(session);
    if (key === undefined || session.q === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [session]);
    else group.push(session);
  }
  return [...groups].flatMap(([key, group]) => rowOf(key, group) ?? []).sort(byCost);
}

export function byCost(a: RoiRow, b: RoiRow): number {
  return (a.meanCostUsd ?? Infinity) - (b.meanCostUsd ?? Infinity) || compareText(a.key, b.key);
}

function rowOf(key: string, group: readonly QualityAndCost[]): RoiRow | undefined {
  const quality = meanQ(group);
  if (!quality.measured) return undefined;
  const { low, high } = quality;
  const priced = pricedOf(group);
  const costs = priced.flatMap((one) => one.costUsd ?? []);
  const meanCostUsd = mean(costs);
  return {
    key,
    n: quality.n,
    meanQ: quality.value,
    ...(low !== undefined && high !== undefined && { interval: { low, high } }),
    priced: priced.length,
    ...(meanCostUsd !== undefined && { meanCostUsd, totalCostUsd: meanCostUsd * costs.length }),
    ...(priced.some((one) => one.costAtLeast === 1) && { costIsLowerBound: true }),
    roi: groupRoi(group),
  };
}

/** Mean Q / mean cost over the sessions with both. */
export function groupRoi(group: readonly QualityAndCost[]): Roi {
  const priced = pricedOf(group);
  if (priced.length === 0 && group.some(({ q }) => q !== undefined)) return UNPRICED;
  return roiOf(mean(priced.flatMap((one) => one.q ?? [])), mean(priced.flatMap((one) => one.costUsd ?? [])));
}

function pricedOf(group: readonly QualityAndCost[]): readonly QualityAndCost[] {
  return group.filter((one) => one.q !== undefined && one.costUsd !== undefined);
}

/** By code unit, so that the order is the same on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// The value for money of a session: Q per dollar.

/** Q / cost. A known cost of 0 is free: neither infinity nor a number. */
export type Roi =
  | { readonly measured: true; readonly value: number }
  | { readonly measured: false; readonly free: boolean; readonly reason: string };

const UNPRICED: Roi = { measured: false, free: false, reason: 'the cost is unknown' };

export function roiOf(q: number | undefined, costUsd: number | undefined): Roi {
  if (q === undefined) return { measured: false, free: false, reason: 'Q is unmeasured' };
  if (costUsd === undefined) return UNPRICED;
  if (costUsd === 0) return { measured: false, free: true, reason: 'it was free' };
  return { measured: true, value: q / costUsd };
}

/** The text of a cell: the number, `free` for a cost of 0, nothing when unmeasured. */
export function wordOfRoi(roi: Roi): number | 'free' | undefined {
  if (roi.measured) return roi.value;
  return roi.free ? 'free' : undefined;
}
