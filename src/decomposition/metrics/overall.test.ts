import { describe, expect, it } from 'vitest';
import { evidenceWith } from '../example-evidence.ts';
import { OVERALL_WEIGHTS } from '../weights.ts';
import { duplicateRate } from './duplicate-rate.ts';
import { OVERALL_EXAMPLE, overall, overallWith } from './overall.ts';
import { overallAttainableWith } from './overall-attainable.ts';
import { provenanceCoverage } from './provenance-coverage.ts';
import { relationshipAccuracy } from './relationship-accuracy.ts';

const overallAttainable = overallAttainableWith(OVERALL_WEIGHTS);

const value = (measurement: ReturnType<typeof overall.compute>) =>
  measurement.measured ? measurement.value : undefined;
const run = (share: number, canaries = 0) =>
  evidenceWith({
    extracted: 100,
    correct: share,
    quoted: share,
    canaries,
    expected: 100,
    found: share,
    relationships: 100,
    correctRelationships: share,
  });

describe('what is said again', () => {
  const again = evidenceWith({
    extracted: 10,
    correct: 8,
    duplicates: 2,
    relationships: 4,
    correctRelationships: 4,
  });
  const trials = again.trials.map((trial) => {
    const [first, ...others] = trial.relationships;
    return { ...trial, relationships: [...others, { ...first, duplicate: true as const }] };
  });
  const cases = [{ ...again, trials }] as (typeof again)[];

  it('counts once, and is counted among concepts and relationships', () => {
    expect(value(relationshipAccuracy.compute(cases))).toBe(1);
    // 2 concepts and 1 relationship of 10 + 4.
    expect(value(duplicateRate.compute(cases))).toBeCloseTo(3 / 14, 12);
    const wrong = trials.map((trial) => ({
      ...trial,
      relationships: trial.relationships.map((one) => (one.duplicate ? one : { ...one, correct: undefined })),
    }));
    expect(value(relationshipAccuracy.compute([{ ...again, trials: wrong }] as (typeof again)[]))).toBe(0);
  });

  it('has no provenance where outputs have no place for quotes, instead of none of it', () => {
    const without = again.trials.map((trial) => ({ ...trial, withoutQuotes: true as const }));
    expect(provenanceCoverage.compute([{ ...again, trials: without }])).toMatchObject({
      measured: false,
      reason: 'the outputs have no place for quotes',
    });
  });
});

describe('overall', () => {
  it('gives a perfect run 0.85, because the penalty only subtracts', () => {
    expect(value(overall.compute([run(100)]))).toBeCloseTo(0.85, 12);
    expect(value(overallAttainable.compute([run(100)]))).toBeCloseTo(1, 12);
  });

  it('gives a run exactly at every target 0.602, and 0.752 on the attainable scale', () => {
    // recall 0.70, precision 0.65, relationships 0.60, provenance 0.90, hallucination 0.02
    const atTarget = evidenceWith({
      extracted: 100,
      correct: 65,
      quoted: 90,
      canaries: 2,
      expected: 100,
      found: 70,
      relationships: 100,
      correctRelationships: 60,
    });
    expect(value(overall.compute([atTarget]))).toBeCloseTo(0.602, 12);
    expect(value(overallAttainable.compute([atTarget]))).toBeCloseTo(0.752, 12);
  });

  it('uses the weights of the configuration', () => {
    const onlyRecall = overallWith({
      recall: 1,
      precision: 0,
      relationshipAccuracy: 0,
      provenance: 0,
      hallucinationPenalty: 0,
    });
    expect(value(onlyRecall.compute([OVERALL_EXAMPLE]))).toBeCloseTo(0.72, 12);
    expect(value(overallWith(OVERALL_WEIGHTS).compute([OVERALL_EXAMPLE]))).toBeCloseTo(0.6525, 12);
  });

  it('is 0 when nothing was extracted although something was expected', () => {
    const silent = evidenceWith({ expected: 20, expectedRelationships: 10 });
    // recall, precision and relationships are measured zeros; provenance has nothing to divide by
    expect(overall.compute([silent])).toMatchObject({ value: 0, coverage: expect.closeTo(0.65, 12) });
  });

  it('says how much of its weight was measured, over all cases', () => {
    // without relationships 0.8 of the weight, in full 1
    const without = evidenceWith({ extracted: 10, correct: 10, quoted: 10, expected: 10, found: 10 });
    expect(overall.compute([without])).toMatchObject({ value: expect.closeTo(0.85, 12), coverage: 0.8 });
    expect(overall.compute([without, run(100)])).toMatchObject({ coverage: 0.9 });
    expect(overallAttainable.compute([without, run(100)])).toMatchObject({
      value: expect.closeTo(1, 12),
      coverage: 0.9,
    });
  });

  it('gives nothing on the attainable scale for hallucinations that could not be measured', () => {
    const silent = evidenceWith({ expected: 20 });
    expect(value(overallAttainable.compute([silent]))).toBe(0);
    expect(value(overallAttainable.compute([silent, run(100)]))).toBeCloseTo(0.5, 12);
  });
});
