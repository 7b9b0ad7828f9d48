import { describe, expect, it } from 'vitest';
import { pushBounded, remember } from './bounded-map.ts';

describe('a bounded map', () => {
  it('keeps the latest keys and stays small, however many come', () => {
    const map = new Map<string, number>();
    for (let i = 0; i < 10_000; i++) remember(map, `key ${i}`, i);
    expect(map.get('key 9999')).toBe(9999);
    expect(map.get('key 8976')).toBe(8976);
    expect(map.get('key 0')).toBeUndefined();
    expect(map.size).toBeLessThanOrEqual(2048);
  });

  it('changes a known key without giving up another', () => {
    const map = new Map<string, number>();
    for (const key of ['a', 'b', 'c', 'd']) remember(map, key, 1, 2);
    remember(map, 'd', 2, 2);
    expect([...map]).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 2],
    ]);
  });
});

describe('a bounded list', () => {
  it('gives up the oldest', () => {
    const list = [1, 2];
    pushBounded(list, 3, 2);
    expect(list).toEqual([2, 3]);
  });
});
