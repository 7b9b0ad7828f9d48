/** The frontier per task type: what is expensive for chat may be cheap for coding. */

import type { Interval } from '../../stats/intervals.ts';
import type { SessionRecord } from '../columns.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { type RoiRow, roiBy } from './roi.ts';
import { isWorthIt, MIN_SESSIONS, type Worth } from './worth.ts';

export type TypeFrontier = { readonly taskType: TaskType; readonly points: readonly Placed<PricedRow>[] };

export type PairWorth = { readonly expensive: string; readonly cheaper: string; readonly worth: Worth };

export type ComparedFrontier = TypeFrontier & { readonly comparisons: readonly PairWorth[] };

type KeyOf = (session: SessionRecord) => string | undefined;

export function frontiersOf(sessions: readonly SessionRecord[], keyOf: KeyOf): TypeFrontier[] {
  return frontiersFrom((taskType) => roiBy(ofType(sessions, taskType), keyOf));
}

export function frontiersFrom(rowsOf: (taskType: TaskType) => readonly RoiRow[]): TypeFrontier[] {
  return TASK_TYPES.flatMap((taskType) => {
    const points = frontier(pricedRows(rowsOf(taskType)));
    return points.length === 0 ? [] : [{ taskType, points }];
  });
}

/** With each compared with the next cheaper one, and every two that have enough sessions. */
export function comparedFrontiers(sessions: readonly SessionRecord[], keyOf: KeyOf): ComparedFrontier[] {
  return comparePairs(frontiersOf(sessions, keyOf), (taskType, expensive, cheaper) => {
    const own = ofType(sessions, taskType);
    const pick = (key: string) => own.filter((session) => keyOf(session) === key);
    return isWorthIt(pick(expensive), pick(cheaper));
  });
}

export function comparePairs(
  frontiers: readonly TypeFrontier[],
  worthOf: (taskType: TaskType, expensive: string, cheaper: string) => Worth | undefined,
): ComparedFrontier[] {
  return frontiers.map(({ taskType, points }) => {
    const comparisons = points.flatMap((expensive, i) =>
      points.slice(0, i).flatMap((cheaper, j) => {
        const isEnough = Math.min(expensive.priced, cheaper.priced) >= MIN_SESSIONS;
        const worth = j === i - 1 || isEnough ? worthOf(taskType, expensive.key, cheaper.key) : undefined;
        return worth === undefined ? [] : [{ expensive: expensive.key, cheaper: cheaper.key, worth }];
      }),
    );
    return { taskType, points, comparisons };
  });
}

function ofType(sessions: readonly SessionRecord[], taskType: TaskType): SessionRecord[] {
  return sessions.filter((session) => session.taskType === taskType);
}

// The cost–quality frontier: nothing on it is both more expensive and worse than something else.

type FrontierPoint = {
  readonly key: string;
  readonly n: number;
  readonly meanQ: number;
  readonly meanCostUsd: number;
  /** Of the mean Q; without it a point cannot be judged. */
  readonly interval?: Interval | undefined;
};

type Placed<Point extends FrontierPoint> = Point & {
  /**
   * `frontier`: nothing is at least as good for at most its cost. `below`: something is, by more than the intervals
   * allow for. `unclear`: something seems to be, but it could be chance.
   */
  readonly place: 'frontier' | 'below' | 'unclear';
  /** The best point that costs no more, for those not on the frontier. */
  readonly beatenBy?: string;
};

/** Cheapest first. */
export function frontier<Point extends FrontierPoint>(points: readonly Point[]): Placed<Point>[] {
  return points
    .toSorted((a, b) => a.meanCostUsd - b.meanCostUsd || b.meanQ - a.meanQ || (a.key < b.key ? -1 : 1))
    .map((point) => place(point, points));
}

function place<Point extends FrontierPoint>(point: Point, points: readonly Point[]): Placed<Point> {
  const better = points
    .filter((other) => dominates(other, point))
    .toSorted((a, b) => b.meanQ - a.meanQ || a.meanCostUsd - b.meanCostUsd || (a.key < b.key ? -1 : 1));
  const [best] = better;
  if (best === undefined) return { ...point, place: 'frontier' };
  const clearly = better.find((other) => isClearlyBelow(point, other));
  return { ...point, place: clearly === undefined ? 'unclear' : 'below', beatenBy: (clearly ?? best).key };
}

function dominates(a: FrontierPoint, b: FrontierPoint): boolean {
  return (
    a.meanCostUsd <= b.meanCostUsd &&
    a.meanQ >= b.meanQ &&
    (a.meanCostUsd < b.meanCostUsd || a.meanQ > b.meanQ)
  );
}

/**
 * Is the difference more than the two intervals allow for? The interval of a difference from the intervals of its
 * sides adds their half-widths in squares (Zou and Donner, Statistics in Medicine 27, 2008); comparing one interval
 * with the other's mean would cry too often, because the best of many points is partly lucky.
 */
function isClearlyBelow(point: FrontierPoint, other: FrontierPoint): boolean {
  if (point.interval === undefined || other.interval === undefined) return false;
  const difference = other.meanQ - point.meanQ;
  const half = Math.hypot(other.meanQ - other.interval.low, point.interval.high - point.meanQ);
  return difference - half > 0;
}

/** Two models on a kind of task. */
export type ModelComparison = {
  readonly taskType: TaskType;
  readonly first: PricedRow;
  readonly second: PricedRow;
  readonly worth: Worth;
};

type PricedRow = RoiRow & { readonly meanCostUsd: number };

function pricedRows(rows: readonly RoiRow[]): PricedRow[] {
  return rows.flatMap((row) =>
    row.meanCostUsd === undefined ? [] : [{ ...row, meanCostUsd: row.meanCostUsd }],
  );
}

/** Is the expensive model worth it: every pair with enough sessions of a kind of task; else the two with the most. */
export function compareModels(sessions: readonly SessionRecord[]): ModelComparison[] {
  const ofType = (taskType: TaskType) => sessions.filter((session) => session.taskType === taskType);
  return compareModelPairs(
    (taskType) => roiBy(ofType(taskType), ({ model }) => model),
    (taskType, one, other) => {
      const own = ofType(taskType);
      const pick = (key: string) => own.filter(({ model }) => model === key);
      return isWorthIt(pick(one), pick(other));
    },
  );
}

/** The same from summaries of each model. */
export function compareModelPairs(
  rowsOf: (taskType: TaskType) => readonly RoiRow[],
  worthOf: (taskType: TaskType, one: string, other: string) => Worth | undefined,
): ModelComparison[] {
  return TASK_TYPES.flatMap((taskType) => {
    const rows = pricedRows(rowsOf(taskType)).sort((a, b) => b.n - a.n);
    const enough = rows.filter(({ priced }) => priced >= MIN_SESSIONS);
    return pairsOf(enough.length > 1 ? enough : rows.slice(0, 2)).flatMap(([first, second]) => {
      const worth = worthOf(taskType, first.key, second.key);
      return worth === undefined ? [] : [{ taskType, first, second, worth }];
    });
  });
}

function pairsOf(rows: readonly PricedRow[]): (readonly [PricedRow, PricedRow])[] {
  return rows.flatMap((first, i) => rows.slice(i + 1).map((second) => [first, second] as const));
}
