import { checkCount } from './check-input.ts';
import { studentTTwoSidedP } from './distributions.ts';

/**
 * How often the rule "two arms differ when their means are more than 2 pooled SD apart" cries wolf when they do
 * not differ, with n runs in each arm. With pooled SD = √((s₁² + s₂²) / 2) the rule is exactly |t| > √(2n) with
 * 2n − 2 degrees of freedom, so it means something else at each n.
 *
 * When: to print beside a verdict of that rule.
 * Reference: the two-sample t test with equal n; R `2 * pt(-sqrt(2 * n), 2 * n - 2)`.
 * Worked value: 2 runs → 18.4%, 3 → 7.05%, 4 → 3.0%, 5 → 1.3%, 10 → 0.03%. Fewer than two runs: `undefined`.
 */
export function ruleFalseAlarm(runsPerArm: number): number | undefined {
  checkCount(runsPerArm, 'runs per arm');
  if (runsPerArm < 2) return undefined;
  return studentTTwoSidedP(Math.sqrt(2 * runsPerArm), 2 * runsPerArm - 2);
}
