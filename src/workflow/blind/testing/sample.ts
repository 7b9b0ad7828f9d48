/** A small evaluation for tests: four known errors, one run with four findings. */
import type { ReviewRun } from '../../review.ts';
import type { GroundTruth } from '../../truth.ts';
import type { Assessment, Matching, Prediction } from '../answers.ts';
import { type Examine, freeze, type Material } from '../material.ts';

export const TRUTH: GroundTruth = {
  task: 'T1',
  version: '1',
  categories: ['SECURE', 'EDGE', 'PERF'],
  errors: ['E1', 'E2', 'E3', 'E4'].map((id) => ({
    id,
    severity: 'MINOR',
    category: 'EDGE',
    description: `statement of ${id}`,
    locations: [{ file: 'plan.md', section: `place of ${id}` }],
  })),
  traps: [],
  hash: 'a'.repeat(64),
};

export const RUN: ReviewRun = {
  workflow: 'secret-version',
  task: 'T1',
  run: 'first',
  concerns: [],
  findings: ['a', 'b', 'c', 'd'].map((id) => ({
    id,
    title: `finding ${id}`,
    file: 'plan.md',
    concern: 'A1',
    labels: [{ match: 'Y', error: 'E1', by: 'somebody' }],
  })),
};

/** a fits E1 fully, b fits E2 in part, c fits E3 fully, d fits nothing. */
const EDGES = [
  ['a', 'E1', 'Y'],
  ['b', 'E2', 'P'],
  ['c', 'E3', 'Y'],
] as const;

export const examine: Examine = (_, run) => ({
  matcherVersion: 'test',
  edges: EDGES.filter(([id]) => run.findings.some((finding) => finding.id === id)).map(
    ([finding, error, strength]) => ({ finding, error, strength, criteria: ['lines'], chosen: true }),
  ),
});

export const MATERIAL: Material = freeze(TRUTH, [RUN], examine);

/** The neutral id of a finding of `RUN`. */
export function blindId(original: string, material: Material = MATERIAL): string {
  return material.findings.find(({ finding }) => finding.id === original)?.id ?? '';
}

export const ASSESSMENTS: Assessment[] = MATERIAL.findings.map(({ id, finding }) => ({
  finding: id,
  judgement: 'ERROR',
  error: `what ${finding.id} means`,
  evidence: 'line 1',
  confidence: 'MEDIUM',
}));

export const PREDICTIONS: Prediction[] = [
  { error: 'E1', prediction: 'YES', why: 'plain to see' },
  { error: 'E2', prediction: 'NO', why: 'hidden' },
  { error: 'E3', prediction: 'YES', why: 'plain to see' },
  { error: 'E4', prediction: 'CANNOT_TELL' },
];

/** Labels that follow the objective criteria exactly. */
export const MATCHES: Matching[] = [
  { finding: blindId('a'), match: 'Y', error: 'E1', reason: 'lines' },
  { finding: blindId('b'), match: 'P', error: 'E2', reason: 'section' },
  { finding: blindId('c'), match: 'Y', error: 'E3', reason: 'lines' },
  { finding: blindId('d'), match: 'BONUS_VALID', reason: 'real, but nobody listed it' },
];
