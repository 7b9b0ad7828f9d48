/**
 * Entries of some formats form a tree: going back in a conversation and trying again leaves a branch behind. The
 * active path is the one that leads to the last entry; what is not on it was abandoned.
 *
 * Only jumps are remembered (entries whose parent is not the entry before them), so a linear file costs nothing.
 */

/** Index of an entry among those with a key, and the hash of its parent; `undefined` when it is a new root. */
export type Jump = readonly [index: number, parent: number | null];

/** Hashes of the abandoned entries; empty when the jumps left nothing behind. */
export function abandonedKeys(keys: Float64Array, jumps: readonly Jump[]): Set<number> {
  const abandoned = new Set<number>();
  if (jumps.length === 0 || keys.length === 0) return abandoned;
  const active = activePath(keys, new Map(jumps));
  keys.forEach((key, index) => {
    if (active[index] === 0) abandoned.add(key);
  });
  // An entry written twice is active when either is.
  keys.forEach((key, index) => {
    if (active[index] === 1) abandoned.delete(key);
  });
  return abandoned;
}

function activePath(keys: Float64Array, jumps: ReadonlyMap<number, number | null>): Uint8Array {
  const parents = parentIndexes(keys, jumps);
  const active = new Uint8Array(keys.length);
  let index = keys.length - 1;
  while (index >= 0) {
    active[index] = 1;
    const parent = jumps.has(index) ? parents.get(index) : index - 1;
    index = parent ?? index - 1;
  }
  return active;
}

/**
 * Entry that jumps → its parent, always an earlier one, so that a circle cannot arise. A parent that is not in the
 * file (its line was damaged) is absent: the entry then follows on the one before it, and nothing is lost.
 */
function parentIndexes(keys: Float64Array, jumps: ReadonlyMap<number, number | null>): Map<number, number> {
  const wanted = new Set(jumps.values());
  const lastIndexOf = new Map<number, number>();
  const parents = new Map<number, number>();
  keys.forEach((key, index) => {
    const parent = jumps.get(index);
    if (parent === null) parents.set(index, -1);
    else if (parent !== undefined) {
      const at = lastIndexOf.get(parent);
      if (at !== undefined) parents.set(index, at);
    }
    if (wanted.has(key)) lastIndexOf.set(key, index);
  });
  return parents;
}
