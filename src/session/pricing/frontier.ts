/** The frontier per task type: what is expensive for chat may be cheap for coding. */

import type { Interval } from '../../stats/intervals.ts';
import type { SessionRecord } from '../columns.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { type RoiRow, roiBy } from './roi.ts';
import { isWorthIt, MIN_SESSIONS, type Worth } from './worth.ts';

type PairWorth = { readonly expensive: string; readonly cheaper: string; readonly worth: Worth };

/** A session as a dot behind the means. */
type SessionDot = { readonly q: number; readonly costUsd: number };

export type TypeFrontier = {
  readonly taskType: TaskType;
  /** Cheapest first. */
  readonly points: readonly Placed<PricedRow>[];
  /** Each point of the frontier with the next cheaper one on it. */
  readonly comparisons: readonly PairWorth[];
  /** The sessions themselves, or the newest of very many; absent where nobody draws them. */
  readonly dots?: readonly SessionDot[];
};

type KeyOf = (session: SessionRecord) => string | undefined;

export function frontiersOf(sessions: readonly SessionRecord[], keyOf: KeyOf): TypeFrontier[] {
  return frontiersFrom(
    (taskType) => roiBy(ofType(sessions, taskType), keyOf),
    (taskType, expensive, cheaper) => {
      const own = ofType(sessions, taskType);
      const pick = (key: string) => own.filter((session) => keyOf(session) === key);
      return isWorthIt(pick(expensive), pick(cheaper));
    },
  );
}

/** The same from what is known of each model or agent. */
export function frontiersFrom(
  rowsOf: (taskType: TaskType) => readonly RoiRow[],
  worthOf: (taskType: TaskType, expensive: string, cheaper: string) => Worth | undefined,
): TypeFrontier[] {
  return TASK_TYPES.flatMap((taskType) => {
    const points = frontier(pricedRows(rowsOf(taskType)));
    if (points.length === 0) return [];
    const best = points.filter(({ place }) => place === 'frontier');
    const comparisons = best.slice(1).flatMap(({ key: expensive }, i): PairWorth[] => {
      const cheaper = best[i]?.key ?? '';
      const worth = worthOf(taskType, expensive, cheaper);
      return worth === undefined ? [] : [{ expensive, cheaper, worth }];
    });
    return [{ taskType, points, comparisons }];
  });
}

function ofType(sessions: readonly SessionRecord[], taskType: TaskType): SessionRecord[] {
  return sessions.filter((session) => session.taskType === taskType);
}

/** The sessions with a Q and a cost, by task type. */
export function withDots(
  frontiers: readonly TypeFrontier[],
  sessions: readonly SessionRecord[],
): TypeFrontier[] {
  return frontiers.map((one) => ({
    ...one,
    dots: ofType(sessions, one.taskType).flatMap(({ q, costUsd }) =>
      q === undefined || costUsd === undefined ? [] : [{ q, costUsd }],
    ),
  }));
}

// The cost–quality frontier: nothing on it is both more expensive and worse than something else.

type FrontierPoint = {
  readonly key: string;
  readonly n: number;
  /** Sessions of those whose cost is known. */
  readonly priced?: number;
  readonly meanQ: number;
  readonly meanCostUsd: number;
  /** Of the mean Q; without it a point cannot be judged. */
  readonly interval?: Interval | undefined;
};

type Placed<Point extends FrontierPoint> = Point & {
  /**
   * `frontier`: nothing is at least as good for at most its cost. `below`: something is, by more than the intervals
   * allow for. `unclear`: something seems to be, but it could be chance. `too few`: too few sessions to say either.
   */
  readonly place: 'frontier' | 'below' | 'unclear' | 'too few';
  /** The best point that costs no more, for those not on the frontier. */
  readonly beatenBy?: string;
};

/** Cheapest first. Of a handful of sessions nothing is said, neither for them nor against others. */
export function frontier<Point extends FrontierPoint>(points: readonly Point[]): Placed<Point>[] {
  return points
    .toSorted((a, b) => a.meanCostUsd - b.meanCostUsd || b.meanQ - a.meanQ || (a.key < b.key ? -1 : 1))
    .map((point) =>
      isEnough(point) ? place(point, points.filter(isEnough)) : { ...point, place: 'too few' },
    );
}

const isEnough = ({ n, priced = n }: FrontierPoint): boolean => priced >= MIN_SESSIONS;

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

type PricedRow = RoiRow & { readonly meanCostUsd: number };

function pricedRows(rows: readonly RoiRow[]): PricedRow[] {
  return rows.flatMap((row) =>
    row.meanCostUsd === undefined ? [] : [{ ...row, meanCostUsd: row.meanCostUsd }],
  );
}
