import { describe, expect, it } from 'vitest';
import { evidenceWith, SIX_ERRORS } from '../example-evidence.ts';
import { OES_COMPONENTS, ownWeightsNotes, scorerOf } from '../weights.ts';
import { categoryCoverage } from './category-coverage.ts';
import { concernEfficiencyOfAll } from './concern-efficiency.ts';
import { depthQuality } from './depth-quality.ts';
import { detectionRate } from './detection-rate.ts';
import { detectionRateCritical } from './detection-rate-critical.ts';
import { discoveryRate } from './discovery-rate.ts';
import { findingConsistency } from './finding-consistency.ts';
import { findingConsistencyConfirmed } from './finding-consistency-confirmed.ts';
import { foundAny } from './found-any.ts';
import { improvementDeltaWith } from './improvement-delta.ts';
import { overallEffectiveness, overallEffectivenessWith } from './overall-effectiveness-score.ts';
import { precision } from './precision.ts';
import { stabilityOfDetectionRate } from './run-stability-of-detection-rate.ts';
import { tokenEfficiency } from './token-efficiency.ts';
import { weightedDetectionScore } from './weighted-detection-score.ts';

const SILENCE = evidenceWith({
  errors: [
    ['CRITICAL', 0],
    ['MINOR', 0],
  ],
});

describe('silence', () => {
  it('finds nothing, and is not perfect precision', () => {
    expect(detectionRate.compute([SILENCE])).toMatchObject({ measured: true, value: 0 });
    for (const metric of [precision, discoveryRate, depthQuality, overallEffectiveness])
      expect(metric.compute([SILENCE]).measured).toBe(false);
  });
});

it('takes the depth of confirmed findings only', () => {
  const run = evidenceWith({ errors: [['MINOR', 1]], others: { FALSE: 1 }, depths: ['CAUSE', 'ROOT_CAUSE'] });
  expect(depthQuality.compute([run])).toMatchObject({ value: 2, n: 1 });
});

describe('an empty denominator', () => {
  it('is unmeasured with its reason', () => {
    const nothing = evidenceWith({});
    for (const metric of [detectionRate, weightedDetectionScore, categoryCoverage, tokenEfficiency]) {
      expect(metric.compute([nothing])).toEqual({
        measured: false,
        reason: 'the ground truth expects no errors',
      });
    }
    expect(detectionRateCritical.compute([evidenceWith({ errors: [['MINOR', 1]] })])).toMatchObject({
      reason: 'the ground truth expects no critical errors',
    });
  });

  it('names the tokens that a run does not say', () => {
    const run = evidenceWith({ errors: SIX_ERRORS, agentTokens: 100 });
    expect(tokenEfficiency.compute([run])).toMatchObject({
      reason: 'the run has no workflow_tokens',
    });
    expect(concernEfficiencyOfAll.compute([run])).toMatchObject({ reason: 'no finding names a concern' });
  });
});

describe('several runs', () => {
  const withRate = (found: number, run: string) =>
    evidenceWith({
      run,
      errors: Array.from({ length: 100 }, (_, i) => ['MINOR', i < found ? 1 : 0] as const),
    });

  it('give their mean with the Student t interval of R t.test(c(70, 74, 72))', () => {
    const three = [withRate(70, '1'), withRate(74, '2'), withRate(72, '3')];
    const measurement = detectionRate.compute(three);
    if (!measurement.measured) throw new Error(measurement.reason);
    expect(measurement).toMatchObject({ value: 72, n: 3, pooled: 72 });
    expect(measurement.low).toBeCloseTo(67.03172, 4);
    expect(measurement.high).toBeCloseTo(76.96828, 4);
  });

  it('are as stable as 1 − SD / mean with the sample SD: 1 − 2 / 72', () => {
    expect(
      stabilityOfDetectionRate.compute([withRate(70, '1'), withRate(74, '2'), withRate(72, '3')]),
    ).toMatchObject({
      value: 1 - 2 / 72,
      n: 3,
    });
  });

  it('have no stability when there are fewer than three, or when the mean is 0', () => {
    expect(stabilityOfDetectionRate.compute([withRate(70, '1')])).toMatchObject({
      reason: 'needs 3 runs, there is 1',
    });
    expect(stabilityOfDetectionRate.compute([withRate(70, '1'), withRate(70, '2')])).toMatchObject({
      measured: false,
    });
    expect(stabilityOfDetectionRate.compute(['1', '2', '3'].map((run) => withRate(0, run)))).toMatchObject({
      reason: 'the mean over the runs is 0',
    });
  });

  it('have stability 1 at SD 0, and 0 instead of a negative one', () => {
    expect(stabilityOfDetectionRate.compute(['1', '2', '3'].map((run) => withRate(50, run)))).toMatchObject({
      value: 1,
    });
    expect(
      stabilityOfDetectionRate.compute([withRate(0, '1'), withRate(0, '2'), withRate(90, '3')]),
    ).toMatchObject({ value: 0 });
  });

  it('are not mixed with runs of another workflow, task or truth', () => {
    const runs = ['1', '2', '3'].map((run) => withRate(50, run));
    const other = runs.map((run) => ({ ...run, workflow: 'v7', errors: SILENCE.errors, findings: [] }));
    expect(findingConsistency.compute([...runs, ...other])).toMatchObject({ value: 100, n: 3 });
    expect(foundAny.compute([...runs, ...other])).toMatchObject({ value: 25, n: 6 });
  });

  it('need a second run before anything can be called consistent', () => {
    expect(findingConsistency.compute([withRate(50, '1')])).toMatchObject({
      reason: 'needs at least two runs',
    });
  });
});

describe('findings across runs', () => {
  it('are the same when they match the same error, or have the same place and text', () => {
    const run = (run: string, bonus: number) =>
      evidenceWith({ run, errors: [['MINOR', 1]], others: { BONUS_VALID: bonus, FALSE: 3, UNRESOLVED: 2 } });
    // Of 8 findings the second bonus is in one run alone: 7 / 8. Of the confirmed ones 2 / 3.
    const runs = [run('1', 1), run('2', 2)];
    expect(findingConsistency.compute(runs)).toMatchObject({ value: 87.5 });
    expect(findingConsistencyConfirmed.compute(runs)).toMatchObject({ value: 200 / 3 });
  });
});

describe('overall effectiveness', () => {
  const rich = { errors: SIX_ERRORS, depths: ['ROOT_CAUSE'], agentTokens: 500, workflowTokens: 0 } as const;

  it('cuts each part at 100: 7.5 points for 500 tokens are TE 15, which counts 100', () => {
    // 0.4 × 57.69 + 0.25 × 100 + 0.2 × 100 + 0.15 × 100
    expect(overallEffectiveness.compute([evidenceWith(rich)])).toMatchObject({
      value: expect.closeTo(83.077, 3) as number,
    });
  });

  it('is unmeasured when a part is missing, unless the parts are named', () => {
    const withoutTokens = evidenceWith({ errors: SIX_ERRORS, depths: ['ROOT_CAUSE'] });
    expect(overallEffectiveness.compute([withoutTokens])).toMatchObject({ reason: 'not measured: te' });
    // (0.4 × 57.69 + 0.25 × 100) / 0.65
    expect(
      overallEffectivenessWith({ components: ['wds', 'precision'] }).compute([withoutTokens]),
    ).toMatchObject({
      value: expect.closeTo(73.964, 3) as number,
      coverage: 0.65,
    });
  });

  it('is weighed as somebody says, and a part that weighs nothing need not be measured', () => {
    const withoutTokens = evidenceWith({ errors: SIX_ERRORS, depths: ['ROOT_CAUSE'] });
    const weights = { wds: 0.5, precision: 0.5, dq: 0, te: 0 };
    const own = overallEffectivenessWith({ components: OES_COMPONENTS, weights });
    // 0.5 × 57.69 + 0.5 × 100
    expect(own.compute([withoutTokens])).toMatchObject({
      value: expect.closeTo(78.846, 3) as number,
      coverage: 1,
    });
    expect(own.formula).toMatch(/^0\.50 × WDS \+ 0\.50 × precision × 100, .*these weights are yours$/);
    expect(scorerOf('m', { components: OES_COMPONENTS, weights })).toMatch(/^m\+weights\.[0-9a-f]{8}$/);
    expect(ownWeightsNotes({ components: OES_COMPONENTS, weights })).toEqual([
      'Your weights of overall effectiveness: WDS 0.5 (documented 0.4), precision 0.5 (documented 0.25), DQ 0 (documented 0.2), TE 0 (documented 0.15).',
    ]);
    expect(ownWeightsNotes({ components: ['wds'] })).toEqual([]);
  });

  it('has no improvement without two sides', () => {
    expect(improvementDeltaWith({ components: OES_COMPONENTS }).compute([evidenceWith(rich)])).toMatchObject({
      reason: 'needs runs of two workflows',
    });
  });
});
