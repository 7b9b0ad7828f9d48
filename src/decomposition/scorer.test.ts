import { expect, it } from 'vitest';
import { measureCases } from '../measure/measure.ts';
import { decompositionMetrics } from './catalog.ts';
import { examineOutputs } from './ingest/examine.ts';
import { SCORER_VERSION, scorerWith } from './scorer.ts';
import { OVERALL_WEIGHTS } from './weights.ts';

it('is the scorer that gives these numbers for the bundled example; with other numbers it needs another version', () => {
  const { cases } = examineOutputs('examples/decomposition/golden', 'examples/decomposition/outputs');
  const { suite } = measureCases(decompositionMetrics(), cases);
  const values = Object.values(suite).map((one) => (one.measured ? one.value.toFixed(6) : '–'));
  expect([SCORER_VERSION, ...values]).toEqual([
    'decomposition-1',
    '0.977778',
    '0.977778',
    '0.977778',
    '0.910000',
    '1.000000',
    '0.000000',
    '0.822000',
    '0.972000',
  ]);
});

it('names the weights when they are not the documented ones', () => {
  expect(scorerWith(OVERALL_WEIGHTS)).toBe(SCORER_VERSION);
  expect(scorerWith({ ...OVERALL_WEIGHTS })).toBe(SCORER_VERSION);
  const other = scorerWith({ ...OVERALL_WEIGHTS, recall: 0.3, precision: 0.15 });
  expect(other).toMatch(/^decomposition-1\+weights\.[0-9a-f]{8}$/);
  expect(scorerWith({ ...OVERALL_WEIGHTS, recall: 0.15, precision: 0.3 })).not.toBe(other);
});
