import type { RunEvidence } from './evidence.ts';
import { evidenceWith } from './example-evidence.ts';

/** One workflow, one task, three runs: detection 75, 62.5, 50; precision 3 of 3, 3 of 4, 2 of 4; depth 5, 4, 3. */
export const THREE_RUNS: readonly RunEvidence[] = [
  evidenceWith({
    run: '1',
    errors: [
      ['CRITICAL', 1],
      ['IMPORTANT', 1],
      ['IMPORTANT', 0],
      ['MINOR', 1],
    ],
    depths: ['ROOT_CAUSE', 'ROOT_CAUSE', 'ROOT_CAUSE'],
  }),
  evidenceWith({
    run: '2',
    errors: [
      ['CRITICAL', 1],
      ['IMPORTANT', 1],
      ['IMPORTANT', 0],
      ['MINOR', 0.5],
    ],
    others: { FALSE: 1 },
    depths: ['ASSUMPTION', 'ASSUMPTION', 'ASSUMPTION'],
  }),
  evidenceWith({
    run: '3',
    errors: [
      ['CRITICAL', 1],
      ['IMPORTANT', 1],
      ['IMPORTANT', 0],
      ['MINOR', 0],
    ],
    others: { FALSE: 2 },
    depths: ['STRUCTURE', 'STRUCTURE'],
  }),
];

/** Of four errors one is found in both runs, one in the first alone, one in the second alone, one never. */
export const TWO_RUNS: readonly RunEvidence[] = [
  [1, 0.5, 0, 0],
  [1, 0, 1, 0],
].map((credits, i) =>
  evidenceWith({ run: String(i + 1), errors: credits.map((credit) => ['MINOR', credit as 0 | 0.5 | 1]) }),
);
