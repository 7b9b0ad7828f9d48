/** Section 6.2: concepts that were extracted and not expected. */
import type { ExtractedConcept, MatchLevel } from '../evidence.ts';
import { normalise } from '../match/normalise.ts';
import { type Context, countByKind, type Findings, mentionOf } from './findings.ts';
import { type LabelWords, labelWords, likenessOf } from './label-words.ts';
import type { Passage } from './text-index.ts';

/** Each unexpected concept is exactly one of these; the first that fits. */
export const EXTRA_KINDS = ['canary', 'near miss', 'in the text', 'implied', 'not in the text'] as const;

type ExtraKind = (typeof EXTRA_KINDS)[number];

type NearMiss = {
  readonly expected: string;
  /** The looser match level that recognises it; absent when only its words are alike. */
  readonly level?: MatchLevel;
  readonly why: string;
};

export type Extra = {
  readonly label: string;
  readonly kind: ExtraKind;
  readonly count: number;
  readonly runs: number;
  readonly canary?: string;
  readonly near?: NearMiss;
  readonly passage?: Passage;
  readonly mention: 'stated' | 'implied' | 'absent';
};

export type Duplicate = {
  readonly expected: string;
  readonly labels: readonly string[];
  readonly count: number;
};

type Seen = {
  readonly concept: ExtractedConcept;
  loose: ExtractedConcept | undefined;
  count: number;
  readonly runs: Set<number>;
};

export function extraConcepts(context: Context): Extra[] {
  const nearest = nearestExpected(context);
  const extras = [...collect(context).values()].map(({ concept, loose, count, runs }): Extra => {
    const { label, canary } = concept;
    const said = mentionOf(context.text, label);
    const near = canary === undefined ? (looseMatch(loose) ?? nearest(label)) : undefined;
    return {
      label,
      kind: kindOf(canary, near, said.mention),
      count,
      runs: runs.size,
      canary,
      ...(near && { near }),
      ...(said.mention !== 'absent' && { passage: said.passage }),
      mention: said.mention,
    };
  });
  return extras.sort(
    (a, b) => EXTRA_KINDS.indexOf(a.kind) - EXTRA_KINDS.indexOf(b.kind) || b.count - a.count,
  );
}

/** Groups spellings and runs of one label, with the canary that an alias may have matched. */
function collect({ runs }: Context): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const [run, { trial, loose }] of runs.entries()) {
    for (const [i, concept] of trial.concepts.entries()) {
      if (concept.match !== undefined) continue;
      const key = JSON.stringify([normalise(concept.label), concept.canary]);
      const one = seen.get(key) ?? { concept, loose: undefined, count: 0, runs: new Set<number>() };
      seen.set(key, one);
      one.count++;
      one.runs.add(run);
      if (loose.concepts[i]?.match !== undefined) one.loose ??= loose.concepts[i];
    }
  }
  return seen;
}

function kindOf(
  canary: string | undefined,
  near: NearMiss | undefined,
  mention: Extra['mention'],
): ExtraKind {
  if (canary !== undefined) return 'canary';
  if (near !== undefined) return 'near miss';
  return ({ stated: 'in the text', implied: 'implied', absent: 'not in the text' } as const)[mention];
}

function looseMatch(concept: ExtractedConcept | undefined): NearMiss | undefined {
  if (concept?.match === undefined) return undefined;
  const { expected, level, similarity } = concept.match;
  const how = similarity === undefined ? '' : ` (similarity ${similarity.toFixed(2)})`;
  return { expected, level, why: `matches at the level ${level}${how}` };
}

function nearestExpected({ golden, runs }: Context): (label: string) => NearMiss | undefined {
  const missed = new Set(
    runs.flatMap(({ trial }) => trial.expected.filter(({ found }) => !found).map(({ label }) => label)),
  );
  const expected = golden.expectedConcepts.flatMap(({ label, aliases }) =>
    [label, ...aliases].map((name) => ({ label, words: labelWords(name), wasMissed: missed.has(label) })),
  );
  return (label) => bestOf(labelWords(label), expected);
}

function bestOf(
  own: LabelWords,
  expected: readonly { readonly label: string; readonly words: LabelWords; readonly wasMissed: boolean }[],
): NearMiss | undefined {
  let best: { readonly near: NearMiss; readonly rank: number } | undefined;
  for (const { label, words, wasMissed } of expected) {
    const alike = likenessOf(own, words);
    if (alike === undefined) continue;
    const rank = alike.share + (wasMissed ? 1 : 0);
    if (best === undefined || rank > best.rank) best = { near: { expected: label, why: alike.why }, rank };
  }
  return best?.near;
}

/** Further names of an expected concept that was already found; they count as correct and add nothing. */
export function duplicateConcepts({ runs }: Context): Duplicate[] {
  const labels = new Map<string, { readonly names: Set<string>; count: number }>();
  for (const { trial } of runs) {
    for (const { label, match } of trial.concepts) {
      if (!match?.duplicate) continue;
      const one = labels.get(match.expected) ?? { names: new Set<string>(), count: 0 };
      labels.set(match.expected, one);
      one.names.add(label);
      one.count++;
    }
  }
  return [...labels].map(([expected, { names, count }]) => ({ expected, labels: [...names], count }));
}

export type Traits = ReturnType<typeof traitsOf>;

export function traitsOf(findings: Findings) {
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
    // Of the invented ones and canaries: those that only one of several runs has.
    onceOnly: runs < 2 ? 0 : invented.filter((one) => one.runs === 1).length,
    unsteady: missed.filter((one) => one.runs < runs).map(({ label }) => label),
    wrong: total(wrong),
    wrongPredicate: wrong.get('wrong predicate') ?? 0,
    // Also those with another predicate: none is counted with both.
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

/** From this share of the expected concepts on, an extraction is not short. */
const ENOUGH = 0.9;

/** Whether the misses suggest a wider instruction: only when the text states them and little is extracted. */
export function sayNarrow({ stated, missed, extracted, expected }: Traits): string {
  if (2 * stated <= missed) {
    return `only ${stated} of ${missed} misses are stated in the text; a wider instruction would help with those alone`;
  }
  const states = `${stated} of ${missed} misses are stated in the text`;
  return extracted < ENOUGH * expected
    ? `${states}: the instruction may be too narrow`
    : `${states}, but ${extracted} concepts are extracted where ${expected} are expected: it may choose others rather than too few`;
}
