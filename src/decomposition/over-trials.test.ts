import { describe, expect, it } from 'vitest';
import { metricKey } from '../measure/metric.ts';
import { decompositionMetrics } from './catalog.ts';
import type { CaseEvidence } from './evidence.ts';
import { type Counts, evidenceWith } from './example-evidence.ts';
import { conceptRecall } from './metrics/concept-recall.ts';

/** A case with one trial for each of the counts. */
const repeated = (...counts: Counts[]): CaseEvidence => ({
  caseId: 'repeated',
  trials: counts.flatMap((one) => evidenceWith(one).trials),
});
const measure = (key: string, cases: readonly CaseEvidence[]) => {
  const metric = decompositionMetrics().find(({ id }) => metricKey(id) === key);
  if (metric === undefined) throw new Error(`there is no ${key}`);
  return metric.compute(cases);
};

describe('a case with repeats', () => {
  it('has the mean over its trials, with the pooled value beside it', () => {
    // (1/2 + 3/4) / 2 = 0.625; pooled 4/6
    const one = repeated({ extracted: 2, correct: 1 }, { extracted: 4, correct: 3 });
    expect(measure('concept_precision', [one])).toEqual({
      measured: true,
      value: 0.625,
      n: 6,
      pooled: 4 / 6,
      // Sample standard deviation of 0.5 and 0.75.
      spread: expect.closeTo(0.1768, 4),
    });
  });

  it('counts once in the suite, however many repeats it has', () => {
    // (0.625 + 1) / 2; pooled (4 + 2) / (6 + 2)
    const one = repeated({ extracted: 2, correct: 1 }, { extracted: 4, correct: 3 });
    const other = repeated({ extracted: 2, correct: 2 });
    expect(measure('concept_precision', [one, other])).toMatchObject({
      value: 0.8125,
      n: 2,
      pooled: 0.75,
    });
  });

  it('leaves a trial that could not be measured out, and says so', () => {
    const one = repeated({ extracted: 4, correct: 3 }, {});
    expect(measure('concept_precision', [one])).toMatchObject({
      value: 0.75,
      skipped: { 'no concepts were extracted': 1 },
    });
    expect(measure('concept_precision', [repeated({}, {})])).toEqual({
      measured: false,
      reason: 'no concepts were extracted',
    });
  });

  it('has an F1 and an overall for each trial, and pooled ones from the pooled shares', () => {
    const one = repeated(
      { extracted: 2, correct: 1, expected: 2, found: 1 },
      { extracted: 4, correct: 4, expected: 4, found: 4 },
    );
    // F1 of 0.5 and of 1; pooled precision and recall 5/6 both
    expect(measure('concept_f1', [one])).toMatchObject({ value: 0.75, pooled: expect.closeTo(5 / 6, 12) });
    expect(measure('overall', [one])).toMatchObject({ n: expect.any(Number), coverage: expect.any(Number) });
  });
});

it('has the metrics of the specification under their documented keys', () => {
  expect(decompositionMetrics().map(({ id }) => metricKey(id))).toEqual([
    'concept_recall',
    'concept_precision',
    'concept_f1',
    'relationship_accuracy',
    'provenance_coverage',
    'hallucination_rate',
    'overall',
    'overall_attainable',
    'verified_provenance',
    'quote_names_concept',
    'relationship_recall',
    'relationship_f1',
    'typed_relationship_accuracy',
    'required_recall',
    'required_relationship_recall',
    'unmentioned_rate',
    'duplicate_rate',
    'forbidden_relationship_rate',
    'field_precision',
    'field_recall',
    'field_exactness',
    'field_provenance',
  ]);
});

it('takes what repeats differ by into the interval, and says it', () => {
  // Every case is found in full and by half, in turn: all have the same mean.
  const trials = [10, 5, 10, 5].flatMap((found) => evidenceWith({ expected: 10, found }).trials);
  const cases = Array.from({ length: 5 }, (_, i) => ({ caseId: `c${i}`, trials }));
  const suite = conceptRecall.compute(cases);
  expect(suite).toMatchObject({ value: 0.75, n: 5 });
  if (!suite.measured) throw new Error('unmeasured');
  // Sample standard deviation of 1, 0.5, 1, 0.5.
  expect(suite.spread).toBeCloseTo(0.2887, 4);
  expect(suite.low).toBeLessThan(0.7);
  expect(suite.high).toBeGreaterThan(0.8);
  const [one] = cases;
  if (one === undefined) throw new Error('unreachable');
  // One case alone is drawn from its repeats: four are too few, eight are not.
  expect(conceptRecall.compute([one])).not.toHaveProperty('low');
  const often = conceptRecall.compute([{ ...one, trials: [...trials, ...trials] }]);
  expect(often).toMatchObject({ value: 0.75, low: expect.any(Number), spread: expect.any(Number) });
});

it('has no spread where nothing was repeated', () => {
  expect(conceptRecall.compute([evidenceWith({ expected: 10, found: 5 })])).not.toHaveProperty('spread');
});
