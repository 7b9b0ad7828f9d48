import { mean, sampleSd } from '../../stats/descriptive.ts';
import { ruleFalseAlarm } from '../../stats/rule-false-alarm.ts';

export type DocumentedRule =
  | {
      readonly measured: true;
      readonly difference: number;
      readonly pooledSd: number;
      /** 2 × pooled SD. */
      readonly threshold: number;
      readonly significant: boolean;
      /** The false alarm rate of the rule with these numbers of runs. */
      readonly falseAlarm: number;
      readonly runs: readonly [before: number, after: number];
    }
  | { readonly measured: false; readonly reason: string };

/** |difference| > 2 × pooled SD, with pooled SD = √((σ₁² + σ₂²) / 2). */
export function documentedRule(before: readonly number[], after: readonly number[]): DocumentedRule {
  const falseAlarm = ruleFalseAlarm(before.length, after.length);
  const [first, second] = [sampleSd(before), sampleSd(after)];
  if (first === undefined || second === undefined || falseAlarm === undefined) {
    return { measured: false, reason: 'needs two runs on each side' };
  }
  const pooledSd = Math.sqrt((first ** 2 + second ** 2) / 2);
  // With a pooled SD of 0, any difference would exceed the threshold.
  if (pooledSd === 0) return { measured: false, reason: 'both sides have SD 0' };
  const difference = (mean(after) as number) - (mean(before) as number);
  const threshold = 2 * pooledSd;
  return {
    measured: true,
    difference,
    pooledSd,
    threshold,
    significant: Math.abs(difference) > threshold + 1e-9,
    falseAlarm,
    runs: [before.length, after.length],
  };
}

/** The documented interpretation of an improvement delta. */
export function readDelta(
  delta: number,
  significant: boolean,
): { readonly meaning: string; readonly confidence: string } {
  if (delta < 0) {
    return significant
      ? { meaning: 'Regression', confidence: 'High (revert)' }
      : { meaning: 'Lower, not significant', confidence: 'Low (need more data)' };
  }
  if (delta <= 5) return { meaning: 'Minor change', confidence: 'Might be noise' };
  return significant
    ? { meaning: 'Major improvement', confidence: 'High' }
    : { meaning: 'Possible improvement', confidence: 'Low (need more data)' };
}
