import { describe, expect, it } from 'vitest';
import { shortestAugmentingPaths } from './shortest-augmenting-paths.ts';

describe('shortestAugmentingPaths', () => {
  it('is the worked value: the second row keeps the cheap column', () => {
    expect([...shortestAugmentingPaths(Float64Array.of(1, 2, 1, 4), 2, 2)]).toEqual([1, 0]);
  });

  it('takes one row, one column, and nothing', () => {
    expect([...shortestAugmentingPaths(Float64Array.of(5, 3, 4), 1, 3)]).toEqual([1]);
    expect([...shortestAugmentingPaths(Float64Array.of(7), 1, 1)]).toEqual([0]);
    expect([...shortestAugmentingPaths(new Float64Array(0), 0, 0)]).toEqual([]);
  });

  it('refuses more rows than columns', () => {
    expect(() => shortestAugmentingPaths(Float64Array.of(1, 2), 2, 1)).toThrow(RangeError);
  });
});
