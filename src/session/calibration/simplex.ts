/**
 * The nearest point that is a set of weights: every place at least `least`, all of them summing to `total`.
 *
 * Reference: J. Duchi and others, "Efficient projections onto the l1-ball", ICML 2008.
 * Worked value: 0.5, 0.9, −0.2 to a sum of 1 → 0.3, 0.7, 0. Cost: O(n log n).
 */
export function toSimplex(point: Float64Array, total = 1, least = 0): Float64Array {
  const room = total - least * point.length;
  if (room < 0) throw new RangeError(`${point.length} places of at least ${least} do not fit into ${total}`);
  const lifted = point.map((value) => value - least);
  const descending = lifted.toSorted().reverse();
  let sum = 0;
  let shift = 0;
  for (const [i, value] of descending.entries()) {
    sum += value;
    const candidate = (sum - room) / (i + 1);
    if (value - candidate <= 0) break;
    shift = candidate;
  }
  return lifted.map((value) => Math.max(0, value - shift) + least);
}
