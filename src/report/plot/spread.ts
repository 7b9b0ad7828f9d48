/**
 * Moves labels apart until none is closer than `gap` to the next, each as near to its wish as that allows. Positions
 * stay within 0 and `length` as long as there is room for all.
 */
export function spread(wanted: readonly number[], gap: number, length: number): number[] {
  const order = wanted
    .map((_, index) => index)
    .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  const placed = [...wanted];
  let floor = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    placed[index] = Math.max(placed[index] ?? 0, floor);
    floor = (placed[index] ?? 0) + gap;
  }
  // Pushed over the end: push back from there.
  let ceiling = length;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, ceiling);
    ceiling = (placed[index] ?? 0) - gap;
  }
  return placed;
}
