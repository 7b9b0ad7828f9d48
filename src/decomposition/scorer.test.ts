import { expect, it } from 'vitest';
import { measureCases, metricsFor } from '../measure/measure.ts';
import { metricKey } from '../measure/metric.ts';
import { decompositionMetrics } from './catalog.ts';
import { examinedAt, examineOutputs } from './ingest/collect-cases.ts';
import { readGoldenSet } from './ingest/golden-case.ts';
import { SCORER_VERSION, scorerWith } from './scorer.ts';
import { OVERALL_WEIGHTS } from './weights.ts';

it('is the scorer that gives these numbers for the bundled example; with other numbers it needs another version', async () => {
  const golden = readGoldenSet('examples/decomposition/golden');
  const { cases } = await examineOutputs(golden, 'examples/decomposition/outputs');
  const { suite } = measureCases(
    metricsFor(decompositionMetrics(), cases),
    cases.map((one) => examinedAt(one, 'alias')),
  );
  const values = Object.entries(suite).map(([id, one]) => [
    metricKey(id),
    one.measured ? one.value.toFixed(6) : '–',
  ]);
  expect([SCORER_VERSION, Object.fromEntries(values)]).toEqual([
    'decomposition-5',
    {
      concept_recall: '0.977778',
      concept_precision: '0.977778',
      concept_f1: '0.977778',
      relationship_accuracy: '0.910000',
      provenance_coverage: '1.000000',
      hallucination_rate: '0.000000',
      overall: '0.822000',
      overall_attainable: '0.972000',
      verified_provenance: '1.000000',
      quote_names_concept: '1.000000',
      relationship_recall: '0.800000',
      relationship_f1: '0.848889',
      typed_relationship_accuracy: '0.910000',
      required_recall: '1.000000',
      required_relationship_recall: '0.800000',
      unmentioned_rate: '0.000000',
      duplicate_rate: '0.000000',
      forbidden_relationship_rate: '0.000000',
    },
  ]);
});

it('names the weights, the match level and the predicates when they are not the documented ones', () => {
  const weights = OVERALL_WEIGHTS;
  expect(scorerWith({ weights })).toBe(SCORER_VERSION);
  expect(scorerWith({ weights: { ...weights }, matchLevel: 'alias', predicateMap: {} })).toBe(SCORER_VERSION);
  expect(scorerWith({ weights, matchLevel: 'semantic' })).toBe('decomposition-5+match.semantic');
  const other = scorerWith({ weights: { ...weights, recall: 0.3, precision: 0.15 } });
  expect(other).toMatch(/^decomposition-5\+weights\.[0-9a-f]{8}$/);
  expect(scorerWith({ weights: { ...weights, recall: 0.15, precision: 0.3 } })).not.toBe(other);
  const mapped = scorerWith({ weights, predicateMap: { 'leads to': 'CAUSES', kind: 'IS_A' } });
  expect(mapped).toMatch(/^decomposition-5\+predicates\.[0-9a-f]{8}$/);
  expect(scorerWith({ weights, predicateMap: { kind: 'IS_A', 'leads to': 'CAUSES' } })).toBe(mapped);
});
