import { expect, it } from 'vitest';
import { type CaseEvidence, evidenceAt } from './evidence.ts';

const quote = { state: 'none' } as const;
const evidence: CaseEvidence = {
  caseId: 'one',
  trials: [
    {
      concepts: [
        { label: 'ML', quote, match: { expected: 'Machine Learning', level: 'acronym', duplicate: true } },
        { label: 'Machine Learning', quote, match: { expected: 'Machine Learning', level: 'exact' } },
        { label: 'gleaning', quote, match: { expected: 'labels', level: 'semantic', similarity: 0.9 } },
        { label: 'canary', quote, canary: 'canary' },
      ],
      expected: [
        { label: 'Machine Learning', required: true, found: 'exact' },
        { label: 'labels', required: false, found: 'semantic' },
        { label: 'data', required: false },
      ],
      relationships: [{ source: 'ML', target: 'gleaning', predicate: 'CAUSES', quote, correct: 'semantic' }],
      expectedRelationships: [
        {
          source: 'Machine Learning',
          target: 'labels',
          predicate: 'CAUSES',
          required: true,
          found: 'semantic',
        },
      ],
    },
  ],
};

it('is the same at the loosest level', () => {
  expect(evidenceAt(evidence, 'semantic')).toEqual(evidence);
});

it('loses every match that is looser than the level, and nothing else', () => {
  const [trial] = evidenceAt(evidence, 'alias').trials;
  expect(trial?.concepts.map(({ match, canary }) => match?.level ?? canary)).toEqual([
    undefined,
    'exact',
    undefined,
    'canary',
  ]);
  expect(trial?.expected.map(({ found }) => found)).toEqual(['exact', undefined, undefined]);
  expect(trial?.relationships[0]).not.toHaveProperty('correct');
  expect(trial?.expectedRelationships[0]).not.toHaveProperty('found');
});

it('credits a duplicate when the one it repeated is gone', () => {
  const [trial] = evidence.trials;
  if (trial === undefined) throw new Error('unreachable');
  const repeated: CaseEvidence = {
    caseId: 'one',
    trials: [
      {
        ...trial,
        concepts: [
          { label: 'a', quote, match: { expected: 'A', level: 'normalised', duplicate: true } },
          { label: 'A (long)', quote, match: { expected: 'A', level: 'alias' } },
        ],
      },
    ],
  };
  expect(evidenceAt(repeated, 'normalised').trials[0]?.concepts).toEqual([
    { label: 'a', quote, match: { expected: 'A', level: 'normalised' } },
    { label: 'A (long)', quote },
  ]);
});
