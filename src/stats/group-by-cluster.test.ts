import { describe, expect, it } from 'vitest';
import { groupByCluster } from './group-by-cluster.ts';

describe('groupByCluster', () => {
  it('collects the places of each cluster in order of first appearance', () => {
    expect(groupByCluster(3, ['a', 'b', 'a'])).toEqual([[0, 2], [1]]);
  });

  it('takes each unit for itself without clusters', () => {
    expect(groupByCluster(2, undefined)).toEqual([[0], [1]]);
  });

  it('does not take 1 and "1" for the same cluster', () => {
    expect(groupByCluster(2, [1, '1'])).toHaveLength(2);
  });

  it('refuses a list of clusters that does not fit', () => {
    expect(() => groupByCluster(3, ['a'])).toThrow(RangeError);
  });
});
