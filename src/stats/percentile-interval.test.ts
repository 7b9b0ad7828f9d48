import { describe, expect, it } from 'vitest';
import { percentileInterval } from './percentile-interval.ts';
import { REPLICATES } from './testing/replicates.ts';

describe('percentileInterval', () => {
  it('is the worked value', () => {
    const replicates = Float64Array.from({ length: 101 }, (_, i) => i);
    expect(percentileInterval(replicates, 0.95)).toEqual({
      low: expect.closeTo(2.5, 12),
      high: expect.closeTo(97.5, 12),
    });
  });

  it('is that of scipy 1.17.1: bootstrap(method="percentile") given these replicates', () => {
    const interval = percentileInterval(Float64Array.from(REPLICATES), 0.95);
    expect(interval?.low).toBeCloseTo(5.9428, 12);
    expect(interval?.high).toBeCloseTo(12.999799999999995, 12);
  });

  it('has no value without replicates', () => {
    expect(percentileInterval(new Float64Array(0), 0.95)).toBeUndefined();
  });
});
