import { describe, expect, it } from 'vitest';
import { correlationP } from './correlation-p.ts';

describe('correlationP', () => {
  it('is that of R 4.2.2: cor.test(1:5, c(2, 1, 4, 3, 5))$p.value', () => {
    expect(correlationP(0.8, 5)).toBeCloseTo(0.10408803866182798, 13);
  });

  it('is 1 for no correlation and 0 for a perfect one', () => {
    expect(correlationP(0, 10)).toBe(1);
    expect(correlationP(1, 10)).toBe(0);
    expect(correlationP(-1, 10)).toBe(0);
  });
});
