import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean } from './mean.ts';
import { studentTInterval } from './student-t-interval.ts';

describe('studentTInterval', () => {
  it('is that of R 4.2.2: t.test(c(0.70, 0.74, 0.72))', () => {
    const interval = studentTInterval([0.7, 0.74, 0.72]);
    expect(interval?.low).toBeCloseTo(0.6703172457649933, 13);
    expect(interval?.high).toBeCloseTo(0.7696827542350066, 13);
  });

  it('takes another confidence (R 4.2.2: t.test(c(5.1, 4.9, 6.2, 5.7, 5.5, 4.4), conf.level = 0.99))', () => {
    const interval = studentTInterval([5.1, 4.9, 6.2, 5.7, 5.5, 4.4], 0.99);
    expect(interval?.low).toBeCloseTo(4.2537126331569, 12);
    expect(interval?.high).toBeCloseTo(6.346287366843099, 12);
  });

  it('has no value for one run, or for runs that differ by rounding alone', () => {
    expect(studentTInterval([0.7])).toBeUndefined();
    expect(studentTInterval([0.7, 0.7, 0.7])).toBeUndefined();
    expect(studentTInterval([0.1 + 0.2, 0.3, 0.3])).toBeUndefined();
    expect(studentTInterval([0, 0])).toBeUndefined();
  });

  it('contains the mean', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2 });
    fc.assert(
      fc.property(values, (sample) => {
        const interval = studentTInterval(sample);
        if (!interval) return;
        expect(interval.low).toBeLessThan(mean(sample) as number);
        expect(interval.high).toBeGreaterThan(mean(sample) as number);
      }),
    );
  });
});
