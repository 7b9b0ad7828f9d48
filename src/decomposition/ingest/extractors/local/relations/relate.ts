import type { Analysis, Word } from '../analyse.ts';
import type { Mention, Occurrence } from '../concepts.ts';
import type { Features } from '../features.ts';
import { logOdds, type Model, probability } from '../model.ts';
import { CLAIMS, type RelationClaim } from './claims.ts';
import { pairFeatures } from './pair-features.ts';

/** Two concepts mentioned in one sentence, in text order. */
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

/** Beyond this distance, a sentence hardly ever relates two concepts. */
const FARTHEST = 40;
/** Maximum number of places checked for two concepts, first ones first. */
const MOST_PLACES = 20;

export function* pairsOf(analysis: Analysis, named: readonly Mention[]): Generator<Together> {
  const { words, sentences } = analysis;
  const mentions = withPronouns(analysis, named);
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

const PRONOUNS = new Set(['it', 'they', 'them', 'this', 'these']);
/** A first mention within this many words of the start is still the subject of its sentence. */
const LEAD = 4;

/** "It" and "they" refer to the subject of their sentence or of the one before. */
function withPronouns({ words, sentences }: Analysis, named: readonly Mention[]): readonly Mention[] {
  const first = new Map<number, Mention>();
  for (const one of named) {
    const index = words[one.at]?.sentence ?? -1;
    if (!first.has(index)) first.set(index, one);
  }
  const subjectOf = (index: number, before: number): Mention | undefined => {
    const one = first.get(index);
    const sentence = sentences[index];
    return one !== undefined && sentence !== undefined && one.at - sentence.first <= LEAD && one.at < before
      ? one
      : undefined;
  };
  const meant = words.flatMap(({ lower, sentence }, at): Mention[] => {
    const next = words[at + 1];
    if (!PRONOUNS.has(lower) || next === undefined) return [];
    const states = next.finite || ['VERB', 'AUX', 'ADV'].includes(next.pos);
    if (!states && lower.startsWith('th') && lower !== 'they' && lower !== 'them') return [];
    const opens = at - (sentences[sentence]?.first ?? at) <= 2;
    const one = opens ? subjectOf(sentence - 1, at) : subjectOf(sentence, at);
    return one === undefined ? [] : [{ at, length: 1, concept: one.concept }];
  });
  return meant.length === 0 ? named : [...named, ...meant].sort((a, b) => a.at - b.at);
}

function pairKey(a: Mention, b: Mention): string {
  return a.concept < b.concept ? `${a.concept} ${b.concept}` : `${b.concept} ${a.concept}`;
}

/** The mentions within a distance of one; they are in text order. */
function near(mentions: readonly Mention[], index: number, distance: number): readonly Mention[] {
  const { at } = mentions[index] as Mention;
  let from = index;
  let to = index + 1;
  while (from > 0 && at - (mentions[from - 1] as Mention).at <= distance) from--;
  while (to < mentions.length && (mentions[to] as Mention).at - at <= distance) to++;
  return mentions.slice(from, to);
}

/** Whether the sentence says the opposite of a claim, which then gets no probability at all. */
export function rulesOut(features: Features, { predicate }: RelationClaim): boolean {
  return features.has('denied') || (predicate === 'CAUSES' && features.has('lessened'));
}

/** "Harvest follows sowing": the words state an order, so weaker signs of a cause do not count. */
function isOutspoken(features: Features, { name, predicate }: RelationClaim): boolean {
  if (predicate === 'RELATES_TO' || features.has(`${name} cue`)) return false;
  return CLAIMS.some(
    (other) => other.predicate !== 'RELATES_TO' && features.has(`${other.name} clear and tight`),
  );
}

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
 * At most one relation per pair of concepts: the likeliest claim of all sentences that mention both. `trust` is the
 * probability of each concept; a relation cannot be more certain than its ends.
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
  const sorted = [...best.values()].sort((a, b) => b.probability - a.probability || a.at - b.at);
  return withoutShortcuts(sorted);
}

/** A sentence about A–B and B–C seldom also relates A and C, so the least likely of the three is removed. */
function withoutShortcuts(sorted: readonly Relation[]): readonly Relation[] {
  const neighbours = new Map<string, Set<number>>();
  const of = (sentence: number, concept: number) => {
    const key = `${sentence} ${concept}`;
    const known = neighbours.get(key) ?? new Set<number>();
    neighbours.set(key, known);
    return known;
  };
  return sorted.filter(({ sentence, source, target }) => {
    const [left, right] = [of(sentence, source), of(sentence, target)];
    if ([...left].some((one) => right.has(one))) return false;
    left.add(target);
    right.add(source);
    return true;
  });
}

/** A definite claim wins over RELATES_TO unless it is much less likely. */
const LOOSE = 0.6;

function isBetter(found: Relation, known: Relation | undefined): boolean {
  if (known === undefined) return true;
  const worth = ({ claim, probability: likely }: Relation) =>
    claim.predicate === 'RELATES_TO' ? likely * LOOSE : likely;
  return worth(found) > worth(known);
}

/**
 * One word between two concepts, as a dictionary form; another concept is a single step, `@`, with its last word below.
 */
export type Step = { readonly word: string; readonly pos: string; readonly lower: string };

export type Between = {
  readonly raw: readonly Step[];
  /** Without asides, lists and the other members of "A and B" or "C, D and E". */
  readonly steps: readonly Step[];
  readonly aside: boolean;
  readonly listed: boolean;
  readonly joinedLeft: boolean;
  readonly joinedRight: boolean;
};

export const MODIFIERS: ReadonlySet<string> = new Set(['ADV', 'NUM', 'ADJ', 'DET']);

/** The words between two mentions, as written and with interruptions removed. */
export function between(
  words: readonly Word[],
  first: Occurrence,
  second: Occurrence,
  others: readonly Occurrence[],
): Between {
  const raw = stepsOf(words, first.at + first.length, second.at, others);
  let steps = dropAdverbs(dropParentheses(raw));
  const plain = dropAside(steps);
  const aside = plain !== steps;
  const enumerated = dropList(plain);
  const listed = enumerated !== plain;
  steps = dropJoinedLeft(enumerated);
  const joinedLeft = steps !== enumerated;
  const before = steps;
  steps = dropJoinedRight(before);
  return { raw, steps, aside, listed, joinedLeft, joinedRight: steps !== before };
}

function stepsOf(
  words: readonly Word[],
  from: number,
  to: number,
  others: readonly Occurrence[],
): readonly Step[] {
  const steps: Step[] = [];
  for (let i = from; i < to; i++) {
    const other = others.find(({ at, length }) => at === i && at + length <= to);
    if (other !== undefined) {
      i += other.length - 1;
      steps.push({ word: '@', pos: '@', lower: words[i]?.lemma ?? '' });
    } else {
      const word = words[i] as Word;
      steps.push({ word: word.lemma.toLowerCase(), pos: word.pos, lower: word.lower });
    }
  }
  return steps;
}

function dropParentheses(steps: readonly Step[]): readonly Step[] {
  const kept: Step[] = [];
  const open: number[] = [];
  for (const step of steps) {
    if (step.word === '(' || step.word === '[') open.push(kept.length);
    const start = step.word === ')' || step.word === ']' ? open.pop() : undefined;
    if (start === undefined) kept.push(step);
    else kept.length = start;
  }
  return kept;
}

/** ", finally," and ", however,". */
function dropAdverbs(steps: readonly Step[]): readonly Step[] {
  const kept: Step[] = [];
  for (let i = 0; i < steps.length; i++) {
    let end = i + 1;
    if (steps[i]?.word === ',') while (steps[end]?.pos === 'ADV') end++;
    if (end > i + 1 && steps[end]?.word === ',') i = end;
    else kept.push(steps[i] as Step);
  }
  return kept;
}

const isJoiner = ({ word }: Step): boolean => word === 'and' || word === 'or';
const isItem = (step: Step): boolean => step.word === '@' || MODIFIERS.has(step.pos) || isJoiner(step);

/** "A, the flow of water, leads to B": the words between the commas describe A alone. */
function dropAside(steps: readonly Step[]): readonly Step[] {
  if (steps[0]?.word !== ',') return steps;
  const end = steps.findIndex(({ word }, i) => i > 0 && word === ',');
  const next = steps[end + 1];
  if (end < 1 || next === undefined || steps.slice(1, end).every(isItem)) return steps;
  // "causes" is tagged as a noun.
  const goesOn =
    ['VERB', 'AUX', 'ADV'].includes(next.pos) || (next.pos === 'NOUN' && next.lower.endsWith('s'));
  return goesOn ? steps.slice(end + 1) : steps;
}

const OPENERS = new Set([
  'such as',
  'include',
  'including',
  'e.g.',
  'i.e.',
  'namely',
  'like',
  'for example',
  'for instance',
  ':',
  '(',
  'especially',
  'particularly',
  'as',
]);
const LISTED = new Set(['NOUN', 'ADJ', 'PROPN', 'NUM', 'CCONJ', 'DET', '@', 'X', 'SYM', 'ADV', 'PART']);
const LIST_WORDS = new Set([',', 'of', '[', '(']);
const END_OF_LIST: Step = { word: '#', pos: '#', lower: '#' };

/** "such as X, Y and B": removes the members before B. */
function dropList(steps: readonly Step[]): readonly Step[] {
  for (let i = 0; i < steps.length; i++) {
    const one = steps[i]?.word ?? '';
    const size = OPENERS.has(`${one} ${steps[i + 1]?.word}`) ? 2 : OPENERS.has(one) ? 1 : 0;
    if (size === 0) continue;
    const members = steps.slice(i + size);
    if ([',', ':'].includes(members[0]?.word ?? '')) members.shift();
    const last = members.findLast(({ pos }) => !['DET', 'ADJ', 'ADV'].includes(pos));
    const separated = last !== undefined && (last.word === ',' || isJoiner(last));
    if (separated && members.every(({ word, pos }) => LISTED.has(pos) || LIST_WORDS.has(word))) {
      return [...steps.slice(0, i + size), END_OF_LIST];
    }
  }
  return steps;
}

/** "A and X cause B". */
function dropJoinedLeft(steps: readonly Step[]): readonly Step[] {
  const end = steps.findIndex(
    (step) => step.word !== ',' && step.word !== 'both' && step.word !== 'either' && !isItem(step),
  );
  const run = end === -1 ? steps : steps.slice(0, end);
  const last = run.findLastIndex(({ word }) => word === '@');
  return last >= 0 && run.slice(0, last).some(isJoiner) ? steps.slice(last + 1) : steps;
}

/** "A causes X and B". */
function dropJoinedRight(steps: readonly Step[]): readonly Step[] {
  const before = steps.findLastIndex((step) => step.word !== ',' && !isItem(step));
  const start = steps.findIndex(({ word }, i) => i > before && word === '@');
  const joined = start > 0 && steps.slice(start).some((step) => isJoiner(step) || step.word === ',');
  return joined ? steps.slice(0, start) : steps;
}
