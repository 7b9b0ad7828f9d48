import type { Zone } from '../../../judge/zone.ts';
import type { Measurement } from '../../../measure/metric.ts';
import type { GoldenCase } from '../../ingest/golden-case.ts';
import { canaryKey } from '../../match/label-keys.ts';
import { normalise } from '../../match/normalise.ts';

export type CaseInRun = {
  readonly runId: string;
  readonly caseId: string;
  readonly zone?: Zone;
  readonly metrics: Readonly<Record<string, Measurement>>;
  /** What users said of this output: −1 bad, 1 good. */
  readonly opinions: readonly number[];
};

export type ConceptOpinion = { readonly label: string; readonly isGood: boolean; readonly requestId: string };

export type CaseReview = {
  readonly caseId: string;
  readonly finding: 'too easy' | 'never fails' | 'contradicted by ratings';
  readonly runs: number;
  /** Of a contradiction: the concept, or the run whose output people saw otherwise. */
  readonly about?: string;
  readonly says?:
    | 'expected, but people reject it'
    | 'forbidden, but people accept it'
    | 'passes, but people dislike it'
    | 'fails, but people like it';
  readonly examples: readonly string[];
};

/** Fewer runs cannot tell. */
export const RUNS_TO_REVIEW = 3;

export function reviewCases(
  golden: readonly GoldenCase[],
  inRuns: readonly CaseInRun[],
  opinions: readonly ConceptOpinion[],
): CaseReview[] {
  const byCase = Map.groupBy(inRuns, ({ caseId }) => caseId);
  return golden.flatMap((one) => {
    const seen = byCase.get(one.id) ?? [];
    return [...byConcept(one, opinions, seen.length), ...byOpinion(one.id, seen), ...easiness(one.id, seen)];
  });
}

/** Full marks in all runs teach nothing; never below the target teaches little. */
function easiness(caseId: string, seen: readonly CaseInRun[]): CaseReview[] {
  const measured = seen.filter(({ zone }) => zone !== undefined);
  if (measured.length < RUNS_TO_REVIEW) return [];
  const review = { caseId, runs: measured.length, examples: measured.slice(0, 2).map(({ runId }) => runId) };
  if (measured.every(hasFullMarks)) return [{ ...review, finding: 'too easy' }];
  if (measured.every(({ zone }) => zone === 'pass' || zone === 'excellent'))
    return [{ ...review, finding: 'never fails' }];
  return [];
}

const FULL = [
  'decomposition/concept-recall',
  'decomposition/concept-precision',
  'decomposition/relationship-accuracy',
];

function hasFullMarks({ metrics }: CaseInRun): boolean {
  const values = FULL.flatMap((id) => {
    const one = metrics[id];
    return one?.measured ? [one.value] : [];
  });
  return values.length > 0 && values.every((value) => value >= 0.999);
}

function byConcept(golden: GoldenCase, opinions: readonly ConceptOpinion[], runs: number): CaseReview[] {
  const expected = new Set(
    golden.expectedConcepts.flatMap(({ label, aliases }) => [label, ...aliases].map(normalise)),
  );
  const forbidden = new Set(golden.forbiddenConcepts.map(normalise));
  const groups = Map.groupBy(opinions, ({ label }) => normalise(label));
  return [...groups].flatMap(([key, said]): CaseReview[] => {
    const good = said.filter(({ isGood }) => isGood).length;
    const says =
      expected.has(key) && good * 2 < said.length
        ? 'expected, but people reject it'
        : forbidden.has(key) && good * 2 > said.length
          ? 'forbidden, but people accept it'
          : undefined;
    if (says === undefined) return [];
    const examples = [...new Set(said.map(({ requestId }) => requestId))].slice(0, 2);
    return [
      {
        caseId: golden.id,
        finding: 'contradicted by ratings',
        runs,
        about: said[0]?.label ?? key,
        says,
        examples,
      },
    ];
  });
}

/** One voice is an accident. */
const VOICES = 2;

function byOpinion(caseId: string, seen: readonly CaseInRun[]): CaseReview[] {
  return seen.flatMap(({ runId, zone, opinions }): CaseReview[] => {
    if (opinions.length < VOICES || zone === undefined) return [];
    const balance = opinions.reduce((sum, one) => sum + one, 0);
    const passes = zone === 'pass' || zone === 'excellent';
    const says =
      passes && balance < 0
        ? 'passes, but people dislike it'
        : zone === 'fail' && balance > 0
          ? 'fails, but people like it'
          : undefined;
    if (says === undefined) return [];
    return [
      {
        caseId,
        finding: 'contradicted by ratings',
        runs: seen.length,
        about: runId,
        says,
        examples: [runId],
      },
    ];
  });
}

export type Fabrication = {
  readonly label: string;
  readonly requestId: string;
  /** A person said so, or its text, which was kept, never mentions it. */
  readonly source: 'rated' | 'unmentioned';
};

export type CanarySuggestion = {
  readonly label: string;
  readonly count: number;
  readonly rated: number;
  readonly examples: readonly string[];
  readonly alreadyIn: readonly string[];
};

/** What people called made up first, then what no text mentions, the most frequent first. What is expected somewhere is none. */
export function suggestCanaries(
  fabrications: readonly Fabrication[],
  golden: readonly GoldenCase[],
  most: number,
): CanarySuggestion[] {
  const expected = new Set(
    golden.flatMap(({ expectedConcepts }) =>
      expectedConcepts.flatMap(({ label, aliases }) => [label, ...aliases].map(canaryKey)),
    ),
  );
  return [...Map.groupBy(fabrications, ({ label }) => canaryKey(label))]
    .filter(([key, own]) => !expected.has(key) && (own.length > 1 || own[0]?.source === 'rated'))
    .map(([key, own]) => ({
      label: own[0]?.label ?? key,
      count: new Set(own.map(({ requestId }) => requestId)).size,
      rated: own.filter(({ source }) => source === 'rated').length,
      examples: [...new Set(own.map(({ requestId }) => requestId))].slice(0, 3),
      alreadyIn: golden
        .filter(({ forbiddenConcepts }) => forbiddenConcepts.some((label) => canaryKey(label) === key))
        .map(({ id }) => id),
    }))
    .sort((a, b) => b.rated - a.rated || b.count - a.count || (a.label < b.label ? -1 : 1))
    .slice(0, most);
}
