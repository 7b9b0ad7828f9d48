import { describe, expect, it } from 'vitest';
import { fisherZInterval } from './fisher-z-interval.ts';

describe('fisherZInterval', () => {
  it('is that of R 4.2.2: cor.test(1:5, c(2, 1, 4, 3, 5))$conf.int', () => {
    expect(fisherZInterval(0.8, 5, 1, 0.95)?.low).toBeCloseTo(-0.27964004196935505, 13);
    expect(fisherZInterval(0.8, 5, 1, 0.95)?.high).toBeCloseTo(0.9861961933012714, 13);
  });

  it('has no value with three pairs or for a perfect correlation', () => {
    expect(fisherZInterval(0.5, 3, 1, 0.95)).toBeUndefined();
    expect(fisherZInterval(1, 9, 1, 0.95)).toBeUndefined();
    expect(fisherZInterval(-1, 9, 1, 0.95)).toBeUndefined();
  });
});
