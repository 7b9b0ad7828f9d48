/** Near-synonyms: pairs of an unmatched extracted concept and a missed expected one of the same case. */
import { hash } from 'node:crypto';
import { estimate, type Measurement, unmeasured } from '../measure/metric.ts';
import { cohenKappa } from '../stats/rater-agreement.ts';
import type { CaseEvidence } from './evidence.ts';

export const RATED_SYNONYM = 'decomposition-synonym';

export type SynonymPair = { readonly caseId: string; readonly expected: string; readonly extracted: string };

/**
 * The ratings of one model and of people for a pair: 1 means the same. For people it is the mean of their latest
 * ratings.
 */
export type JudgedPair = SynonymPair & { readonly model?: number; readonly people?: number };

/** A model does not count with fewer pairs rated by both, or if its agreement may be lower than required. */
export const PAIRS_TO_COUNT = 30;
export const KAPPA_TO_COUNT = 0.6;

export type SynonymStanding = {
  readonly pairs: readonly JudgedPair[];
  /** Cohen's kappa of the model and people. */
  readonly agreement: Measurement;
  /** The model's rating counts where no person rated the pair. */
  readonly counts: boolean;
  /** Recall of the run, without and with the accepted synonyms. */
  readonly recall: Measurement;
  readonly withSynonyms: Measurement;
};

/** The missed and the extra concepts of a case. */
export type OpenConcepts = {
  readonly caseId: string;
  readonly missed: readonly string[];
  readonly extra: readonly string[];
};

/** From the first trial of each case; a canary is never a synonym. */
export function openConcepts(cases: readonly CaseEvidence[]): OpenConcepts[] {
  return cases.flatMap(({ caseId, trials: [trial] }) => {
    if (trial === undefined) return [];
    const missed = trial.expected.filter(({ found }) => found === undefined).map(({ label }) => label);
    const extra = trial.concepts
      .filter(({ match, canary, flaw }) => match === undefined && canary === undefined && flaw === undefined)
      .map(({ label }) => label);
    return missed.length === 0 || extra.length === 0 ? [] : [{ caseId, missed, extra: [...new Set(extra)] }];
  });
}

export function pairSubject({ caseId, expected, extracted }: SynonymPair): string {
  return JSON.stringify([caseId, expected, extracted]);
}

export function pairOf(subjectId: string): SynonymPair {
  const [caseId = '', expected = '', extracted = ''] = JSON.parse(subjectId) as string[];
  return { caseId, expected, extracted };
}

/**
 * Pairs that a model calls the same, and as many random other pairs of the same cases. With pairs of one kind only,
 * raters would tend to agree with everything.
 */
export function pairsToJudge(
  { caseId, missed, extra }: OpenConcepts,
  same: readonly (readonly [expected: string, extracted: string])[],
): (SynonymPair & { readonly model: number })[] {
  const called = same
    .filter(([expected, extracted]) => missed.includes(expected) && extra.includes(extracted))
    .map(([expected, extracted]) => ({ caseId, expected, extracted, model: 1 }));
  const known = new Set(called.map(pairSubject));
  const others = missed
    .flatMap((expected) => extra.map((extracted) => ({ caseId, expected, extracted, model: 0 })))
    .filter((pair) => !known.has(pairSubject(pair)))
    .sort(byChance);
  return [...called, ...others.slice(0, Math.max(1, called.length))];
}

/** A stable pseudo-random order that reveals nothing about the pairs. */
export function byChance(a: SynonymPair, b: SynonymPair): number {
  return hash('sha256', pairSubject(a)) < hash('sha256', pairSubject(b)) ? -1 : 1;
}

export function synonymStanding(
  cases: readonly CaseEvidence[],
  pairs: readonly JudgedPair[],
): SynonymStanding {
  const agreement = agreementOf(pairs);
  const counts =
    agreement.measured &&
    agreement.n >= PAIRS_TO_COUNT &&
    (agreement.low ?? agreement.value) >= KAPPA_TO_COUNT;
  const same = pairs.filter(({ people, model }) => (people ?? (counts ? model : undefined) ?? 0) > 0.5);
  return {
    pairs,
    agreement,
    counts,
    recall: recallOf(cases, []),
    withSynonyms: recallOf(cases, same),
  };
}

function agreementOf(pairs: readonly JudgedPair[]): Measurement {
  const both = pairs.flatMap(({ model, people }) =>
    // A tie between raters decides nothing.
    model === undefined || people === undefined || people === 0.5
      ? []
      : [[model, people > 0.5 ? 1 : 0] as const],
  );
  if (both.length === 0) return unmeasured('no pair was judged by a model and by people');
  const kappa = cohenKappa(
    both.map(([model]) => model),
    both.map(([, people]) => people),
  );
  if (kappa === undefined) return unmeasured('every judged pair has the same answer');
  return estimate(kappa.kappa, kappa.n, kappa.interval ?? {});
}

/** The mean over cases; an expected concept is found once, however many synonyms match it. */
function recallOf(cases: readonly CaseEvidence[], same: readonly SynonymPair[]): Measurement {
  const values = cases.flatMap(({ caseId, trials: [trial] }) => {
    if (trial === undefined || trial.expected.length === 0) return [];
    const named = new Set(same.filter((one) => one.caseId === caseId).map(({ expected }) => expected));
    const found = trial.expected.filter(({ found, label }) => found !== undefined || named.has(label));
    return [found.length / trial.expected.length];
  });
  if (values.length === 0) return unmeasured('the run has no cases');
  return estimate(values.reduce((sum, one) => sum + one, 0) / values.length, values.length);
}
