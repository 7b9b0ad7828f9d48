import type { Analysis } from '../analyse.ts';
import type { Features } from '../features.ts';
import { logOdds, probability } from '../linear.ts';
import type { Mention } from '../mentions.ts';
import type { Model } from '../model.ts';
import { CLAIMS, type RelationClaim } from './claims.ts';
import { pairFeatures } from './pair-features.ts';

/** Two concepts named in one sentence, in the order of the text. */
export type Together = {
  readonly first: Mention;
  readonly second: Mention;
  readonly sentence: number;
  readonly features: Features;
};

export type Relation = {
  readonly source: number;
  readonly target: number;
  readonly claim: RelationClaim;
  readonly sentence: number;
  readonly at: number;
  readonly probability: number;
};

/** Farther apart, a sentence hardly ever relates two concepts. */
const FARTHEST = 40;
/** Two concepts are looked at in so many places, the first ones. */
const MOST_PLACES = 20;

/** Every two mentions of different concepts in one sentence. */
export function* pairsOf({ words, sentences }: Analysis, mentions: readonly Mention[]): Generator<Together> {
  const seen = new Map<string, number>();
  for (const [i, first] of mentions.entries()) {
    const index = words[first.at]?.sentence ?? -1;
    const sentence = sentences[index];
    if (sentence === undefined) continue;
    const inside = ({ at }: Mention) => at >= sentence.first && at < sentence.end;
    const around = near(mentions, i, 2 * FARTHEST).filter(inside);
    for (const second of near(mentions, i, FARTHEST)) {
      if (second.at <= first.at || second.concept === first.concept || !inside(second)) continue;
      const pair = pairKey(first, second);
      const places = seen.get(pair) ?? 0;
      if (places >= MOST_PLACES) continue;
      seen.set(pair, places + 1);
      const others = around.filter((one) => one !== first && one !== second);
      const features = pairFeatures({ words, sentence, first, second, others });
      yield { first, second, sentence: index, features };
    }
  }
}

function pairKey(a: Mention, b: Mention): string {
  return a.concept < b.concept ? `${a.concept} ${b.concept}` : `${b.concept} ${a.concept}`;
}

/** The mentions up to so many words from one; they are in the order of the text. */
function near(mentions: readonly Mention[], index: number, distance: number): readonly Mention[] {
  const { at } = mentions[index] as Mention;
  let from = index;
  let to = index + 1;
  while (from > 0 && at - (mentions[from - 1] as Mention).at <= distance) from--;
  while (to < mentions.length && (mentions[to] as Mention).at - at <= distance) to++;
  return mentions.slice(from, to);
}

/** Whether the sentence says the opposite of a claim: then no weight of its words can make it likely. */
export function rulesOut(features: Features, { predicate }: RelationClaim): boolean {
  return features.has('denied') || (predicate === 'CAUSES' && features.has('lessened'));
}

/** "Harvest follows sowing": the words say order, so what only looks like a cause is none. */
function isOutspoken(features: Features, { name, predicate }: RelationClaim): boolean {
  if (predicate === 'RELATES_TO' || features.has(`${name} cue`)) return false;
  return CLAIMS.some(
    (other) => other.predicate !== 'RELATES_TO' && features.has(`${other.name} clear and tight`),
  );
}

/** How likely each claim is for two mentions. */
export function claimsFor(
  features: Features,
  model: Pick<Model, 'relations'>,
): readonly (readonly [RelationClaim, number])[] {
  return CLAIMS.map((claim) => {
    const silent = rulesOut(features, claim) || isOutspoken(features, claim);
    const weights = silent ? undefined : model.relations.get(claim.name);
    return [claim, weights === undefined ? 0 : probability(logOdds(weights, features))] as const;
  });
}

/**
 * One relation for two concepts at most: the likeliest claim of all sentences that name both, RELATES_TO only where no
 * other is likely. `trust` is how likely each concept is one; a relation is no surer than its ends.
 */
export function relate(
  analysis: Analysis,
  mentions: readonly Mention[],
  trust: readonly number[],
  model: Model,
  threshold: number,
): readonly Relation[] {
  const best = new Map<string, Relation>();
  for (const { first, second, sentence, features } of pairsOf(analysis, mentions)) {
    const ends = (trust[first.concept] ?? 0) * (trust[second.concept] ?? 0);
    const pair = pairKey(first, second);
    for (const [claim, likely] of claimsFor(features, model)) {
      const [source, target] = claim.forward ? [first, second] : [second, first];
      const found = {
        source: source.concept,
        target: target.concept,
        claim,
        sentence,
        at: first.at,
        probability: likely * ends,
      };
      if (found.probability >= threshold && isBetter(found, best.get(pair))) best.set(pair, found);
    }
  }
  return [...best.values()].sort((a, b) => b.probability - a.probability || a.at - b.at);
}

function isBetter(found: Relation, known: Relation | undefined): boolean {
  if (known === undefined) return true;
  const says = ({ claim }: Relation) => claim.predicate !== 'RELATES_TO';
  return says(found) === says(known) ? found.probability > known.probability : says(found);
}
