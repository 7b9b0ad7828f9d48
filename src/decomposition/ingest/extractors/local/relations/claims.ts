import type { PREDICATES } from '../../../../golden-rules.ts';
import type { Word } from '../analyse.ts';
import type { Occurrence } from '../concepts.ts';
import { words } from '../words.ts';
import { isDeniedBefore, isDeniedBetween, isDoubted, isExcluded } from './denial.ts';
import type { Pair } from './pair-features.ts';
import type { Between, Step } from './relate.ts';

/** Something that causes less of a thing does not cause it. */
const LESSENING: ReadonlySet<string> = words(`
  reduce lower prevent decrease diminish lessen curb limit dampen damp mitigate alleviate inhibit suppress slow delay weaken
  erode damage destroy impair hinder hamper impede obstruct block stop halt avert avoid counter counteract offset oppose
  restrict constrain discourage deter eliminate eradicate remove minimise minimize cut shrink undermine protect shield
  guard relieve ease cure neutralise neutralize forestall disrupt threaten harm hurt combat fight
  moderate buffer abate quell stifle thwart undercut erase kill`);

function phrases(list: string): readonly string[] {
  return list.split(',').map((phrase) => phrase.trim());
}

/** A possible relation of two concepts in text order: with `>` the first is the source, with `<` the second. */
export type RelationClaim = {
  readonly name: string;
  readonly predicate: CuedPredicate;
  readonly forward: boolean;
};

type CuedPredicate = (typeof PREDICATES)[number];

/**
 * Words between two concepts that state a relation, as dictionary forms. `forward`: the first concept is the source;
 * `backward`: the second one is.
 */
export type Cues = {
  readonly predicate: CuedPredicate;
  readonly forward: readonly string[];
  readonly backward: readonly string[];
  /** Weaker cues, which state other things just as often. */
  readonly hints: { readonly forward: readonly string[]; readonly backward: readonly string[] };
};

/** "Drought causes crop failure"; "crop failure results from drought". */
const CAUSES: Cues = {
  predicate: 'CAUSES',
  forward: phrases(`
    cause, lead to, result in, produce, create, trigger, drive, induce, generate, bring about, bring on,
    give rise to, provoke, spark, contribute to, yield, cause of, source of, set off, raise, increase,
    promote, force, prompt, release, leave, amplify, worsen, encourage, strengthen, inflict, emit, radiate,
    responsible for, culminate in, end in, translate into, turn into, boost`),
  backward: phrases(`
    cause by, result from, due to, because of, arise from, stem from, trigger by, drive by, produce by,
    create by, induce by, generate by, bring about by, come from, derive from, effect of, consequence of,
    result of, product of, owe to, attribute to, attributable to, provoke by, spark by, emerge from,
    originate from, thank to, outcome of, raise by, increase by, follow from, grow out of, spring from,
    make by, emit by, inflict by, leave by, symptom of, radiate from, release by, explain by`),
  hints: { forward: ['make', 'help', 'so that', 'explain'], backward: ['from', 'after', 'since', 'because'] },
};

/** "A fern is a kind of plant"; "plants such as ferns". */
const IS_A: Cues = {
  predicate: 'IS_A',
  forward: phrases(`
    be a, be an, be a form of, be a kind of, be a type of, be the form of, be one, be one of, be another,
    be a class of, be an example of, be a case of, be an instance of, be a variety of, be the, a form of,
    a kind of, a type of, the form of, the kind of, the type of, and other, or other, act as, serve as,
    count as, be know as, be classify as, a variant of, belong to, be among, form of, kind of, type of,
    be a special, be itself a, function as, and similar, be define as, one of, example of, variant of`),
  backward: phrases(`
    such as, include, including, like, for example, for instance, e.g., namely, especially, particularly,
    come in, take the form of, range from, be divide into, divide into, consist of, be either, comprise, i.e.,
    know as`),
  hints: { forward: ['be', 'be as', 'be the most'], backward: ['as', ':', 'be of', 'whether', 'call'] },
};

/** "Sowing precedes harvest"; "harvest follows sowing". */
const PRECEDES: Cues = {
  predicate: 'PRECEDES',
  forward: phrases(`
    precede, come before, before, follow by, then, and then, be follow by, prior to, lead up to, until,
    give way to, proceed to, pave the way, go before, give way, develop into, become, ahead of, happen before,
    occur before, subsequently, make way for, succeed by, ahead, earlier than`),
  backward: phrases(`
    follow, after, come after, precede by, be precede by, once, succeed, subsequent to, later than,
    begin after, happen after, occur after, return after, only after, as soon as`),
  hints: { forward: ['later'], backward: ['when', 'since', 'upon'] },
};

/** "Germination requires moisture"; "moisture is essential for germination". */
const REQUIRES: Cues = {
  predicate: 'REQUIRES',
  forward: phrases(`
    require, need, depend on, depend upon, rely on, rely upon, rest on, presuppose, call for, demand, without,
    hinge on, possible only, only if, only when, only where, only with, must have, build on, dependent on,
    unless, be impossible without, base on, can not, necessitate, subject to`),
  backward: phrases(`
    require by, require for, need by, need for, need to, require to, necessary for, essential for,
    essential to, prerequisite for, prerequisite of, precondition for, condition for, make possible, enable,
    allow, permit, indispensable to, indispensable for, basis of, basis for, support, underpin, sustain,
    demand by, be vital, be crucial`),
  hints: { forward: ['must', 'assume', 'consume', 'be possible'], backward: ['depend'] },
};

/** Other verbs that connect two things without a direction. */
const RELATES_TO: Cues = {
  predicate: 'RELATES_TO',
  forward: [
    ...phrases(`
    affect, influence, relate to, associate with, link to, link with, interact with, connect, contain,
    control, measure, regulate, shape, describe, use, store, carry, hold, complement, compete with, accompany,
    dominate, inform, guide, govern, in, on, with, of, against, between, through, apply to, part of, give,
    set, share, exchange, provide, vary with, differ from, combine with, concern, feed`),
    ...LESSENING,
  ],
  backward: [],
  hints: { forward: ['by'], backward: [] },
};

export const ALL_CUES: readonly Cues[] = [IS_A, CAUSES, PRECEDES, REQUIRES, RELATES_TO];

export const CLAIMS: readonly RelationClaim[] = ALL_CUES.flatMap(({ predicate }): RelationClaim[] =>
  predicate === 'RELATES_TO'
    ? [{ name: predicate, predicate, forward: true }]
    : [
        { name: `${predicate}>`, predicate, forward: true },
        { name: `${predicate}<`, predicate, forward: false },
      ],
);

const LOSSES = words(
  'loss decline reduction decrease drop fall shortage lack absence end removal erosion depletion prevention cut',
);
const FEWER = words('fewer less lower reduced smaller weaker falling declining shrinking');
const FALLING = words('fall decline drop shrink decrease diminish collapse slump weaken vanish disappear');
const OF = words('of in to');
const BRINGING = new Set(
  [...CAUSES.forward, ...CAUSES.backward].flatMap((cue) => cue.split(' ')[0] as string),
);

/** "A reduces B", "B is prevented by A", "A leads to a loss of B", "A causes fewer B". */
function isLessening(steps: readonly Step[]): boolean {
  let less = false;
  for (const [i, { word, lower, pos }] of steps.entries()) {
    const loss = LOSSES.has(word === '@' ? lower : word) && OF.has(steps[i + 1]?.word ?? '');
    if (loss || FEWER.has(lower)) less = true;
    else if (pos === 'VERB' && LESSENING.has(word)) less = true;
    else if ((pos === 'VERB' || pos === 'NOUN') && BRINGING.has(word)) less = false;
  }
  return less;
}

/** "A fall in B" does not cause B and is not caused by it. */
function isLossOf(list: readonly Word[], { at, length }: Occurrence, steps: readonly Step[]): boolean {
  return LOSSES.has(list[at + length - 1]?.lemma ?? '') && steps.length < 3 && OF.has(steps[0]?.word ?? '');
}

/** "When A rises, B falls." */
function isFalling(list: readonly Word[], end: number, { at, length }: Occurrence): boolean {
  const next = at + length < end ? list[at + length] : undefined;
  return next !== undefined && next.pos === 'VERB' && FALLING.has(next.lemma);
}

/** "Fewer A", "the loss of A". */
function isLessened(list: readonly Word[], first: number, { at }: Occurrence): boolean {
  const word = (index: number): Word | undefined => (index >= first ? list[index] : undefined);
  if (FEWER.has(word(at - 1)?.lower ?? '')) return true;
  const of = word(at - 1)?.pos === 'DET' ? at - 2 : at - 1;
  return OF.has(word(of)?.lower ?? '') && LOSSES.has(word(of - 1)?.lemma ?? '');
}

export type Polarity = 'stated' | 'denied' | 'lessened';

/** Whether the sentence affirms, denies or doubts a relation of two mentions, or says that one lessens the other. */
export function polarityOf({ words, sentence, first, second }: Pair, { steps }: Between): Polarity {
  const before = isDeniedBefore(words, sentence.first, first);
  if (isDeniedBetween(steps, before) || isExcluded(words, sentence.first, first)) return 'denied';
  if (isDoubted(words, sentence, first, second)) return 'denied';
  const less =
    isLessening(steps) ||
    isLessened(words, sentence.first, first) ||
    isLossOf(words, first, steps) ||
    isFalling(words, sentence.end, second);
  return less ? 'lessened' : 'stated';
}
