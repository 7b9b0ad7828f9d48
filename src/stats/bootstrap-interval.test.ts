import { describe, expect, it } from 'vitest';
import { bootstrapInterval } from './bootstrap-interval.ts';

const values = Float64Array.from({ length: 101 }, (_, i) => i);
const jackknife = () => Float64Array.of(49, 50, 51);

describe('bootstrapInterval', () => {
  it('takes the method asked for', () => {
    const drawn = { estimate: 45, n: 3, drawn: 101, values, jackknife };
    const percentile = bootstrapInterval(drawn, { method: 'percentile' });
    expect(percentile?.interval.low).toBeCloseTo(2.5, 10);
    expect(percentile).toMatchObject({ estimate: 45, n: 3, resamples: 101 });
    expect(bootstrapInterval(drawn, {})?.interval.low).toBeLessThan(2.5);
  });

  it('says nothing when most resamples had no value', () => {
    expect(bootstrapInterval({ estimate: 50, n: 3, drawn: 203, values, jackknife }, {})).toBeUndefined();
    expect(bootstrapInterval({ estimate: 50, n: 3, drawn: 202, values, jackknife }, {})).toBeDefined();
  });

  it('says nothing when the replicates differ by rounding alone', () => {
    const same = Float64Array.of(0.1 + 0.2, 0.3, 0.3);
    expect(bootstrapInterval({ estimate: 0.3, n: 3, drawn: 3, values: same, jackknife }, {})).toBeUndefined();
  });

  it('says nothing by BCa when the jackknife has no value', () => {
    const drawn = { estimate: 50, n: 3, drawn: 101, values, jackknife: () => undefined };
    expect(bootstrapInterval(drawn, {})).toBeUndefined();
    expect(bootstrapInterval(drawn, { method: 'percentile' })).toBeDefined();
  });

  it('refuses a confidence of 95', () => {
    expect(() =>
      bootstrapInterval({ estimate: 50, n: 3, drawn: 101, values, jackknife }, { confidence: 95 }),
    ).toThrow(RangeError);
  });
});
