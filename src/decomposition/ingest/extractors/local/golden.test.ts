/**
 * Each case is read by weights learnt without it, as in every run. All figures are printed by
 * `npm run bench:local-extractor`.
 */
import { expect, it } from 'vitest';
import { decompositionMetrics } from '../../../catalog.ts';
import type { CaseEvidence } from '../../../evidence.ts';
import { examineTrials } from '../../collect-cases.ts';
import { readGoldenSet } from '../../golden-case.ts';
import { localExtractor } from './local.ts';

it('passes the documented thresholds on the shipped suite, each case left out of learning', async () => {
  const extractor = localExtractor();
  const evidence: CaseEvidence[] = [];
  for (const golden of readGoldenSet('golden').cases) {
    const task = { id: golden.id, text: golden.sourceText, trial: 1 };
    const examined = await examineTrials(golden, [
      await extractor.extract(task, new AbortController().signal),
    ]);
    if ('error' in examined) throw new Error(examined.error);
    evidence.push(examined.evidence);
  }
  const value = (name: string) => {
    const measured = decompositionMetrics()
      .find(({ id }) => id === `decomposition/${name}`)
      ?.compute(evidence);
    return measured?.measured ? measured.value : Number.NaN;
  };
  expect(value('concept-recall')).toBeGreaterThanOrEqual(0.7);
  expect(value('concept-precision')).toBeGreaterThanOrEqual(0.65);
  expect(value('relationship-accuracy')).toBeGreaterThanOrEqual(0.6);
  expect(value('verified-provenance')).toBe(1);
  expect(value('hallucination-rate')).toBe(0);
});
