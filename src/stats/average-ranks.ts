import { checkFinite } from './check-input.ts';
import type { Numbers } from './numbers.ts';

/**
 * The rank of each value in its sample, from 1; equal values share the mean of the ranks they cover.
 *
 * When: a building block of `spearman`, `auc` and the ordinal `krippendorffAlpha`.
 * Reference: R `rank(x, ties.method = 'average')`; scipy `rankdata`.
 * Cost: O(n log n).
 * Worked value: `averageRanks([10, 20, 20, 5])` is 2, 3.5, 3.5, 1.
 */
export function averageRanks(values: Numbers): Float64Array {
  checkFinite(values);
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => at(values, a) - at(values, b));
  const ranks = new Float64Array(values.length);
  let start = 0;
  while (start < order.length) {
    let end = start;
    while (end < order.length && at(values, at(order, end)) === at(values, at(order, start))) end++;
    const shared = (start + 1 + end) / 2;
    for (let i = start; i < end; i++) ranks[at(order, i)] = shared;
    start = end;
  }
  return ranks;
}

function at(list: ArrayLike<number>, index: number): number {
  return list[index] as number;
}
