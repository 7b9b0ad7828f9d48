/** The numbers behind every judgement of an investigation, counted once. */
import { countByKind, type Findings } from './findings.ts';
import type { Confusion } from './relationships.ts';

export type Traits = {
  readonly expected: number;
  readonly extracted: number;
  readonly missed: number;
  readonly stated: number;
  readonly implied: number;
  readonly nearMissed: number;
  readonly extra: number;
  readonly canaries: number;
  readonly invented: number;
  readonly inText: number;
  readonly plausible: number;
  readonly nearMisses: number;
  /** Of the invented ones and canaries: those that only one of several runs has. */
  readonly onceOnly: number;
  /** Expected concepts that some runs find and others miss. */
  readonly unsteady: readonly string[];
  readonly wrong: number;
  readonly wrongPredicate: number;
  /** Also those with another predicate: none is counted with both. */
  readonly reversed: number;
  readonly unmatchedEnd: number;
  readonly missedRelationships: number;
  /** The pair of predicates that is taken for each other most often. */
  readonly confused: Confusion | undefined;
  readonly noQuote: number;
  readonly badQuote: number;
};

export function traitsOf(findings: Findings): Traits {
  const { missed, extras, relationships, quotes, runs } = findings;
  const misses = countByKind(missed);
  const kinds = countByKind(extras);
  const wrong = countByKind(relationships.wrong);
  const faults = countByKind(quotes);
  const total = (counts: ReadonlyMap<string, number>) =>
    [...counts.values()].reduce((sum, one) => sum + one, 0);
  const invented = extras.filter(({ kind }) => kind === 'canary' || kind === 'not in the text');
  return {
    expected: findings.totals.expected,
    extracted: findings.totals.extracted,
    missed: total(misses),
    stated: (misses.get('stated') ?? 0) + (misses.get('stated under an alias') ?? 0),
    implied: misses.get('implied') ?? 0,
    nearMissed: missed.filter(({ nearest }) => nearest !== undefined).reduce((sum, one) => sum + one.runs, 0),
    extra: total(kinds),
    canaries: kinds.get('canary') ?? 0,
    invented: kinds.get('not in the text') ?? 0,
    inText: kinds.get('in the text') ?? 0,
    plausible: kinds.get('implied') ?? 0,
    nearMisses: kinds.get('near miss') ?? 0,
    onceOnly: runs < 2 ? 0 : invented.filter((one) => one.runs === 1).length,
    unsteady: missed.filter((one) => one.runs < runs).map(({ label }) => label),
    wrong: total(wrong),
    wrongPredicate: wrong.get('wrong predicate') ?? 0,
    reversed: (wrong.get('reversed') ?? 0) + (wrong.get('reversed and wrong predicate') ?? 0),
    unmatchedEnd: wrong.get('end not matched') ?? 0,
    missedRelationships: total(countByKind(relationships.missed)),
    confused: relationships.confusion.find(
      ({ expected, extracted }) => expected !== extracted && extracted !== 'not extracted',
    ),
    noQuote: faults.get('missing') ?? 0,
    badQuote: total(faults) - (faults.get('missing') ?? 0),
  };
}

/** From this share of what is expected on, an extraction is not short of concepts. */
const ENOUGH = 0.9;

/** Whether what is missed speaks for a wider instruction: only when the text states it and little is extracted. */
export function sayNarrow({ stated, missed, extracted, expected }: Traits): string {
  if (2 * stated <= missed) {
    return `only ${stated} of ${missed} misses are stated in the text; a wider instruction would help with those alone`;
  }
  const states = `${stated} of ${missed} misses are stated in the text`;
  return extracted < ENOUGH * expected
    ? `${states}: the instruction may be too narrow`
    : `${states}, but ${extracted} concepts are extracted where ${expected} are expected: it may choose others rather than too few`;
}
