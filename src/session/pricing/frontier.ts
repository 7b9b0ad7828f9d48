/** The cost–quality frontier: nothing on it is both dearer and worse than something else. */
import type { Interval } from '../../stats/interval.ts';

export type FrontierPoint = {
  readonly key: string;
  readonly n: number;
  readonly meanQ: number;
  readonly meanCostUsd: number;
  /** Of the mean Q; without it nothing can be said against a point. */
  readonly interval?: Interval | undefined;
};

export type Placed<Point extends FrontierPoint> = Point & {
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
