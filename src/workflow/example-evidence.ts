/** Builds a run from only the relevant parts, for the worked examples of metrics. */
import type { ErrorOutcome, FindingClass, FindingOutcome, RunEvidence } from './evidence.ts';
import type { Depth } from './review.ts';
import { CATEGORIES, type Severity } from './truth.ts';

export type Outline = Partial<Omit<RunEvidence, 'errors' | 'findings'>> & {
  /** Severity, credit and category of each expected error; each found error gets a finding. */
  readonly errors?: readonly (readonly [Severity, 0 | 0.5 | 1, category?: string])[];
  /** Class → number of further findings. */
  readonly others?: Partial<Record<FindingClass, number>>;
  /** Concern and depth of the first findings, in order. */
  readonly concernOf?: readonly string[];
  readonly depths?: readonly Depth[];
};

export function evidenceWith({
  errors = [],
  others = {},
  concernOf = [],
  depths = [],
  ...rest
}: Outline): RunEvidence {
  const known = errors.map(([severity, credit, category = 'SCOPE'], i): ErrorOutcome => {
    const id = `E${i + 1}`;
    return { id, severity, category, credit, ...(credit > 0 && { finding: `F-${id}` }) };
  });
  const matching = known
    .filter(({ credit }) => credit > 0)
    .map(({ id, credit }) => finding(`F-${id}`, credit === 1 ? 'MATCHED' : 'PARTIAL', id));
  const unmatched = Object.entries(others).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, i) => finding(`${name}-${i + 1}`, name as FindingClass)),
  );
  return {
    workflow: 'v6',
    task: 'T1',
    run: '1',
    truthHash: 'example',
    matcherVersion: 'example',
    evaluators: [],
    categories: CATEGORIES,
    concerns: [],
    errors: known,
    findings: [...matching, ...unmatched].map((one, i) => ({
      ...one,
      ...(concernOf[i] !== undefined && { concern: concernOf[i] }),
      ...(depths[i] !== undefined && { depth: depths[i] }),
    })),
    edges: [],
    ...rest,
  };
}

function finding(id: string, of: FindingClass, error?: string): FindingOutcome {
  const identity = error === undefined ? `text ${id}` : `error ${error}`;
  return { id, title: id, class: of, labels: [], identity, error };
}

/** The documented example: 7.5 of 13 points. */
export const SIX_ERRORS = [
  ['CRITICAL', 1, 'SECURE'],
  ['CRITICAL', 0, 'EDGE'],
  ['IMPORTANT', 1, 'SECURE'],
  ['IMPORTANT', 1, 'SCOPE'],
  ['IMPORTANT', 0, 'ASSUME'],
  ['MINOR', 0.5, 'SKIP'],
] as const satisfies NonNullable<Outline['errors']>;

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

/** Of four errors, one is found in both runs, one only in the first, one only in the second, and one never. */
export const TWO_RUNS: readonly RunEvidence[] = [
  [1, 0.5, 0, 0],
  [1, 0, 1, 0],
].map((credits, i) =>
  evidenceWith({ run: String(i + 1), errors: credits.map((credit) => ['MINOR', credit as 0 | 0.5 | 1]) }),
);
