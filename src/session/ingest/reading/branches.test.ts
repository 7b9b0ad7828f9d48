import { describe, expect, it } from 'vitest';
import { abandonedKeys, type Jump } from './branches.ts';

const abandoned = (keys: number[], jumps: Jump[]) => [...abandonedKeys(Float64Array.from(keys), jumps)];

describe('abandoned entries', () => {
  it('are none without a jump', () => {
    expect(abandoned([1, 2, 3], [])).toEqual([]);
  });

  it('are those between the parent of a jump and the jump', () => {
    expect(abandoned([1, 2, 3, 4], [[3, 1]])).toEqual([2, 3]);
  });

  it('are what the last entry does not descend from, also when a branch is taken up again', () => {
    // 1 → 2 → 3, back to 1 → 4, back to 3 → 5
    expect(
      abandoned(
        [1, 2, 3, 4, 5],
        [
          [3, 1],
          [4, 3],
        ],
      ),
    ).toEqual([4]);
  });

  it('are all before a new root', () => {
    expect(abandoned([1, 2, 3], [[2, null]])).toEqual([1, 2]);
  });

  it('are none when the parent is unknown', () => {
    expect(abandoned([1, 2, 3], [[2, 99]])).toEqual([]);
  });

  it('do not include an entry that was written twice and is active once', () => {
    expect(abandoned([1, 2, 1, 3], [[3, 1]])).toEqual([]);
  });
});
