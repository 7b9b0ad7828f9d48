import { describe, expect, it } from 'vitest';
import { percentileInterval } from './percentile-interval.ts';

describe('percentileInterval', () => {
  it('is the worked value', () => {
    const replicates = Float64Array.from({ length: 101 }, (_, i) => i);
    expect(percentileInterval(replicates, 0.95)).toEqual({
      low: expect.closeTo(2.5, 12),
      high: expect.closeTo(97.5, 12),
    });
  });

  it('is that of scipy 1.17.1: bootstrap(method="percentile") given these replicates', () => {
    const replicates = Float64Array.of(
      8.571,
      6.0,
      10.0,
      7.571,
      11.571,
      5.857,
      6.571,
      15.143,
      8.571,
      9.714,
      8.286,
      7.143,
      8.143,
      10.571,
      6.857,
      7.571,
      7.571,
      9.429,
      8.429,
      6.714,
      7.429,
      7.571,
      6.857,
      8.0,
      8.714,
    );
    const interval = percentileInterval(replicates, 0.95);
    expect(interval?.low).toBeCloseTo(5.9428, 12);
    expect(interval?.high).toBeCloseTo(12.999799999999995, 12);
  });

  it('has no value without replicates', () => {
    expect(percentileInterval(new Float64Array(0), 0.95)).toBeUndefined();
  });
});
