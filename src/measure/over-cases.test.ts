import { describe, expect, it } from 'vitest';
import { estimate, unmeasured } from './metric.ts';
import { meanOverCases, shareOf } from './over-cases.ts';

describe('meanOverCases', () => {
  const measure = (values: number[]) => meanOverCases(values, (value) => estimate(value, 1));

  it('has an interval around the mean from five cases on', () => {
    expect(measure([0.1, 0.2, 0.3, 0.4])).not.toHaveProperty('low');
    const measurement = measure([0.1, 0.2, 0.3, 0.4, 0.5]);
    if (!measurement.measured) throw new Error('unmeasured');
    expect(measurement.low).toBeGreaterThan(0.1);
    expect(measurement.low).toBeLessThan(0.3);
    expect(measurement.high).toBeGreaterThan(0.3);
    expect(measurement.high).toBeLessThan(0.5);
  });

  it('averages the coverage of composites over the cases that were measured', () => {
    // (1 + 0.6) / 2; the third case has no score and no coverage
    const parts = [estimate(1, 1, { coverage: 1 }), estimate(0, 1, { coverage: 0.6 }), unmeasured('nothing')];
    expect(meanOverCases(parts, (one) => one)).toEqual(
      estimate(0.5, 2, { coverage: 0.8, skipped: { nothing: 1 } }),
    );
    expect(measure([0.1, 0.2])).not.toHaveProperty('coverage');
  });

  it('has the pooled share beside the mean of the cases, and says which it left out', () => {
    // (1/2 + 3/4) / 2 = 0.625; pooled (1 + 3) / (2 + 4)
    const shares = [
      { count: 1, of: 2 },
      { count: 3, of: 4 },
      { count: 0, of: 0 },
    ];
    expect(meanOverCases(shares, (one) => shareOf(one, 'empty'), 4 / 6)).toEqual(
      estimate(0.625, 2, { pooled: 4 / 6, skipped: { empty: 1 } }),
    );
  });

  it('is unmeasured, not zero, when no case has anything to divide by', () => {
    expect(meanOverCases([{ count: 0, of: 0 }], (one) => shareOf(one, 'empty'))).toEqual(unmeasured('empty'));
    expect(meanOverCases([], () => estimate(1, 1))).toEqual(unmeasured('no cases'));
  });

  it('keeps the n of a single case', () => {
    expect(meanOverCases([1], () => estimate(0.8, 20))).toEqual(estimate(0.8, 20));
  });
});
