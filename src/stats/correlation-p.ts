import { studentTTwoSidedP } from './distributions.ts';

/**
 * The two-sided p of a correlation r over n pairs: t = r·√((n − 2) / (1 − r²)) with n − 2 degrees of freedom.
 *
 * Reference: R `cor.test`; exact for normal values, an approximation for ranks. A perfect r has p = 0, its limit.
 * Worked value: r = 0.8 over 5 pairs → t = 2.309, p = 0.104.
 */
export function correlationP(r: number, n: number): number {
  const unexplained = 1 - r * r;
  return unexplained <= 0 ? 0 : studentTTwoSidedP(r * Math.sqrt((n - 2) / unexplained), n - 2);
}
