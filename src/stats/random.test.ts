import { describe, expect, it } from 'vitest';
import { random, xoshiro128 } from './random.ts';

describe('random', () => {
  // Blackman and Vigna's xoshiro128starstar.c 1.1 compiled with gcc; the Rust crate rand_xoshiro tests the same.
  it('is xoshiro128** from the state 1, 2, 3, 4', () => {
    const { bits } = xoshiro128(1, 2, 3, 4);
    expect(Array.from({ length: 10 }, bits)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  // The same C program with its state filled by splitmix32 (Weyl step 0x9e3779b9, MurmurHash3 fmix32).
  it.each([
    [0, [3809008728, 1133695204, 53579671, 2891528803, 139681546, 2203266335]],
    [1, [2442144158, 3238099751, 3819917871, 2104621829, 2021136066, 4223536128]],
    [42, [2837322924, 544945897, 479756282, 3500138142, 339756180, 113173290]],
    [4294967295, [835879718, 1921286648, 2356205009, 1885780724, 980451116, 1053911718]],
  ])('gives the stream of the C reference for seed %i', (seed, expected) => {
    expect(Array.from({ length: 6 }, random(seed).bits)).toEqual(expected);
  });

  it('draws every number below the limit about equally often and never the limit', () => {
    const { below } = random(7);
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 60_000; i++) {
      const draw = below(6);
      counts[draw] = (counts[draw] ?? 0) + 1;
    }
    expect(counts).toHaveLength(6);
    // 10,000 each; the standard deviation of a count is 91.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it.each([0.5, -1, 2 ** 32, NaN])('refuses the seed %f', (seed) => {
    expect(() => random(seed)).toThrow(RangeError);
  });
});
