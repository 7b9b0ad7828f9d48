import type { GoldenCase } from '../../ingest/golden-case.ts';
import { shortOf } from '../acronym.ts';
import type { MatchedPair, MatchTier, Named } from '../match-concepts.ts';
import { cached, normalise } from '../normalise.ts';
import { contrastOf } from './contrast.ts';
import type { SemanticModel } from './load.ts';

/** At tens of milliseconds per label, more would take too long; the rest is not matched here. */
const MOST_LABELS = 400;

/** A longer label is a sentence, and the model would compare its topic. */
const LONGEST_LABEL = 200;

/**
 * Pairs that no rule excludes and that the model finds similar. A label equally similar to a canary matches nothing
 * else.
 */
export function semanticTier(
  concepts: readonly Named[],
  golden: GoldenCase,
  model: SemanticModel,
): MatchTier {
  return async (left) => {
    const pairs: MatchedPair[] = [];
    for (const row of left.slice(0, MOST_LABELS)) {
      const names = [(concepts[row] as Named).label].filter(isShort);
      const found = await likeExpected(names, golden, model);
      const canary =
        found.length === 0 ? 0 : await mostAlike(names, golden.forbiddenConcepts, () => 0, model);
      for (const { place, similarity } of found) {
        if (canary < similarity)
          pairs.push({ row, place, level: 'semantic', cost: 1 - similarity, similarity });
      }
    }
    return pairs;
  };
}

async function likeExpected(
  names: readonly string[],
  { expectedConcepts }: GoldenCase,
  model: SemanticModel,
) {
  const found: { place: number; similarity: number }[] = [];
  for (const [place, { label, aliases }] of expectedConcepts.entries()) {
    const similarity = await mostAlike(names, [label, ...aliases], similarityNeeded, model);
    if (similarity > 0) found.push({ place, similarity });
  }
  return found;
}

/** The highest similarity that meets its threshold, else 0. Calls the model only if needed. */
async function mostAlike(
  names: readonly string[],
  others: readonly string[],
  needed: (one: string, other: string) => number | undefined,
  model: SemanticModel,
): Promise<number> {
  let most = 0;
  for (const one of names) {
    for (const other of others.filter(isShort)) {
      const least = needed(one, other);
      if (least === undefined) continue;
      const [a, b] = await model.embed([one, other]);
      const cosine = a === undefined || b === undefined ? 0 : cosineOf(a, b);
      if (cosine >= least) most = Math.max(most, cosine);
    }
  }
  return most;
}

function isShort(label: string): boolean {
  return label.length <= LONGEST_LABEL;
}

/**
 * The similarity at which two labels count as one concept. Chosen on data so that at least nine in ten accepted pairs
 * are right: `bench/semantic-threshold.ts` prints the tables.
 */
export const SIMILAR_FROM = 0.85;

/** Additional similarity for labels that share all words but one, because the model ignores the one that decides. */
export const CLOSE_MARGIN = 0.05;

/**
 * The similarity that two labels need to be one concept. Undefined if the rules exclude the pair, so that the model is
 * not called.
 */
export function similarityNeeded(
  one: string,
  other: string,
  from: number = SIMILAR_FROM,
): number | undefined {
  if (isOpaque(one) || isOpaque(other) || !shareBeginning(one, other)) return undefined;
  const contrast = contrastOf(one, other);
  if (contrast === 'contrast') return undefined;
  return contrast === 'close' ? from + CLOSE_MARGIN : from;
}

/** For acronyms and formulas, the model compares letters, not meaning. */
const isOpaque: (label: string) => boolean = cached(
  (label) => shortOf(label) !== undefined || !/\p{L}{3}/u.test(label),
);

/**
 * Above the threshold, the model is hardly ever right about labels without two words that begin alike (see the bench),
 * so it is not called for them.
 */
export function shareBeginning(one: string, other: string): boolean {
  const beginnings = beginningsOf(one);
  return beginningsOf(other).some((beginning) => beginnings.includes(beginning));
}

const beginningsOf: (label: string) => readonly string[] = cached((label) =>
  normalise(label)
    .split(' ')
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, 4)),
);

export function cosineOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}
