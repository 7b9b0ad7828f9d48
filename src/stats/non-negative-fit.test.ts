import { describe, expect, it } from 'vitest';
import { nonNegativeFit } from './non-negative-fit.ts';

describe('nonNegativeFit', () => {
  it('has the slopes of scipy 1.17.1: optimize.nnls on centred data', () => {
    const rows = Array.from({ length: 20 }, (_, i) => [0, 1, 2].map((j) => ((i * 7 + j * 13) % 17) / 16));
    const y = rows.map(([a = 0, b = 0, c = 0], i) => 0.3 * a + 0.5 * b - 0.4 * c + ((i * 5) % 11) / 50);
    const slopes = nonNegativeFit(
      [0, 1, 2].map((j) => rows.map((row) => row[j] as number)),
      y,
    );
    expect(slopes[0]).toBeCloseTo(0.490613775641261, 8);
    expect(slopes[1]).toBeCloseTo(0.5891117390187516, 8);
    expect(slopes[2]).toBe(0);
  });

  it('finds what the values were made with', () => {
    const slopes = nonNegativeFit(
      [
        [0, 1, 2, 3],
        [3, 0, 1, 2],
      ],
      [0, 1, 2, 3],
    );
    expect(slopes[0]).toBeCloseTo(1, 8);
    expect(slopes[1]).toBeCloseTo(0, 8);
  });

  it('gives nothing to a column without spread', () => {
    expect(nonNegativeFit([[1, 1, 1]], [1, 2, 3])).toEqual([0]);
  });
});
