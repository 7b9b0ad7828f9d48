import type { GoldenCase } from '../../ingest/golden-case.ts';
import type { MatchedPair, MatchTier, Named } from '../match-concepts.ts';
import type { SemanticModel } from './model.ts';
import { cosineOf, similarityNeeded } from './similarity.ts';

/** At tens of milliseconds a label, more would take longer than a person waits; the rest finds no match here. */
const MOST_LABELS = 400;

/** A longer label is a sentence, and the model would compare what it is about. */
const LONGEST_LABEL = 200;

/** Pairs that no rule contradicts and the model finds alike. What is as like a canary stands for nothing else. */
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

/** The highest similarity that is as high as it needs to be, else 0. The model is asked only where there is a need. */
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
