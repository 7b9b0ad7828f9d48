/** What the quality of one session costs: Q per dollar. */

/** Q / cost. A known cost of 0 is free: neither infinity nor a number. */
export type Roi =
  | { readonly measured: true; readonly value: number }
  | { readonly measured: false; readonly free: boolean; readonly reason: string };

export function roiOf(q: number | undefined, costUsd: number | undefined): Roi {
  if (q === undefined) return { measured: false, free: false, reason: 'Q is unmeasured' };
  if (costUsd === undefined) return { measured: false, free: false, reason: 'the cost is unknown' };
  if (costUsd === 0) return { measured: false, free: true, reason: 'it was free' };
  return { measured: true, value: q / costUsd };
}

/** What a cell says: the number, `free` for a known cost of 0 (R56), nothing when it is unmeasured. */
export function wordOfRoi(roi: Roi): number | 'free' | undefined {
  if (roi.measured) return roi.value;
  return roi.free ? 'free' : undefined;
}
