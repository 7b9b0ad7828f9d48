import type { Sentence, Word } from '../analyse.ts';
import type { Occurrence } from '../concepts.ts';
import type { Features } from '../features.ts';
import { ALL_CUES, polarityOf } from './claims.ts';
import { type Between, between, MODIFIERS, type Step } from './relate.ts';

/** Two mentions in one sentence, in text order, and the mentions of other concepts in it. */
export type Pair = {
  readonly words: readonly Word[];
  readonly sentence: Sentence;
  readonly first: Occurrence;
  readonly second: Occurrence;
  readonly others: readonly Occurrence[];
};

type Open = Map<string, number>;

/** Features of two mentions in a sentence: cue words, interruptions, and the form of the two. */
export function pairFeatures(pair: Pair): Features {
  const features: Open = new Map([['bias', 1]]);
  const link = between(pair.words, pair.first, pair.second, pair.others);
  const core = coreOf(link.steps);
  wordsBetween(features, core);
  distance(features, link);
  const leads = !pair.others.some(({ at }) => at < pair.first.at);
  const closes = !pair.others.some(({ at }) => at > pair.second.at);
  features.set(leads ? 'first is first' : 'first is later', 1);
  features.set(closes ? 'second is last' : 'second is earlier', 1);
  if (leads && closes) features.set('no others outside', 1);
  cues(features, core, leads);
  closing(features, pair, link);
  outside(features, pair);
  looks(features, pair, link.listed);
  const polarity = polarityOf(pair, link);
  if (polarity !== 'stated') features.set(polarity, 1);
  return features;
}

type Core = { readonly plain: readonly string[]; readonly withArticles: readonly string[] };

const ARTICLES = new Set(['a', 'an', 'the']);
const KEPT = new Set(['a', 'an', 'the', 'one', 'other', 'such']);
const IGNORED = new Set(['can', 'may', 'will', 'would', 'could', 'might', 'must', 'should', 'also', 'often']);

/** The words that carry the relation, without modifiers and modal verbs. */
function coreOf(steps: readonly Step[]): Core {
  const withArticles = steps
    .filter(({ word, pos }) => (!MODIFIERS.has(pos) || KEPT.has(word)) && !IGNORED.has(word))
    .map(({ word }) => word);
  return { withArticles, plain: withArticles.filter((word) => !ARTICLES.has(word)) };
}

function wordsBetween(features: Open, { plain, withArticles }: Core): void {
  if (plain.length <= 4) features.set(`is "${plain.join(' ')}"`, 1);
  if (withArticles.length <= 5) features.set(`is exactly "${withArticles.join(' ')}"`, 1);
  for (const [i, word] of plain.entries()) {
    features.set(`has ${word}`, 1);
    if (i > 0) features.set(`has ${plain[i - 1]} ${word}`, 1);
  }
  features.set(`begins ${plain[0] ?? 'nothing'}`, 1);
  features.set(`ends ${plain.at(-1) ?? 'nothing'}`, 1);
}

const bin = (value: number, edges: readonly number[]): number => edges.filter((edge) => value >= edge).length;
const count = (steps: readonly Step[], test: (step: Step) => boolean): number => steps.filter(test).length;

function distance(features: Open, link: Between): void {
  const { steps, raw } = link;
  const set = (name: string) => features.set(name, 1);
  set(`tags ${steps.length <= 6 ? steps.map(({ pos }) => pos).join('+') : 'many'}`);
  set(
    `others ${Math.min(
      3,
      count(steps, ({ word }) => word === '@'),
    )}`,
  );
  set(
    `others in all ${Math.min(
      3,
      count(raw, ({ word }) => word === '@'),
    )}`,
  );
  set(`distance ${bin(steps.length, [0, 1, 2, 3, 5, 8, 12, 20])}`);
  set(`distance in all ${bin(raw.length, [1, 2, 4, 7, 12, 20])}`);
  set(
    `commas ${Math.min(
      2,
      count(steps, ({ word }) => word === ','),
    )}`,
  );
  set(
    `verbs ${Math.min(
      3,
      count(steps, ({ pos }) => pos === 'VERB'),
    )}`,
  );
  if (steps.some(({ word }) => word === ';' || word === ':')) set('stop');
  if (steps.some(({ pos }) => pos === 'AUX')) set('auxiliary');
  if (steps.some(({ word }) => word === 'which' || word === 'that' || word === 'who')) set('relative');
  if (steps.some(({ word }) => word === 'not' || word === 'no' || word === 'without')) set('negated');
  if (link.aside) set('aside');
  if (link.listed) set('listed');
  if (link.joinedLeft) set('joined left');
  if (link.joinedRight) set('joined right');
}

const contains = (words: readonly string[], cue: string): boolean =>
  ` ${words.join(' ')} `.includes(` ${cue} `);

function cues(features: Open, core: Core, leads: boolean): void {
  const longest = (list: readonly string[]): string =>
    list
      .filter((cue) => contains(core.withArticles, cue) || contains(core.plain, cue))
      .reduce((best, cue) => (cue.length > best.length ? cue : best), '');
  for (const { predicate, forward, backward, hints } of ALL_CUES) {
    const ahead = longest([...forward, ...hints.forward]);
    const back = longest([...backward, ...hints.backward]);
    // "caused by" contains "cause"; the longer cue wins.
    if (ahead !== '' && !back.includes(ahead)) {
      cue(features, core, `${predicate}>`, ahead, leads);
      if (!hints.forward.includes(ahead)) clear(features, core, `${predicate}>`);
    }
    if (back !== '' && !ahead.includes(back)) {
      cue(features, core, `${predicate}<`, back, leads);
      if (!hints.backward.includes(back)) clear(features, core, `${predicate}<`);
    }
  }
}

function clear(features: Open, { plain }: Core, claim: string): void {
  features.set(`${claim} clear`, 1);
  if (!plain.includes('@')) features.set(`${claim} clear and ${plain.length <= 3 ? 'tight' : 'near'}`, 1);
}

/** A cue, and whether other concepts between it and the two are the likelier ends. */
function cue(features: Open, core: Core, claim: string, text: string, leads: boolean): void {
  const set = (name: string) => features.set(`${claim} ${name}`, 1);
  const others = core.plain.filter((word) => word === '@').length;
  set('cue');
  if (others === 0) set('near');
  if (others === 0 && core.plain.length <= 3) set('tight');
  const words = contains(core.withArticles, text) ? core.withArticles : core.plain;
  const parts = text.split(' ');
  const at = words.findLastIndex((_, i) => parts.every((part, k) => words[i + k] === part));
  const before = words.slice(0, Math.max(0, at));
  const after = words.slice(at + parts.length);
  const otherBefore = before.includes('@');
  if (otherBefore) set('other before');
  if (after.includes('@')) set('other after');
  if (others === 0) set(`gap ${bin(before.length, [2, 4])} ${bin(after.length, [2, 4])}`);
  const subject = before.at(-1) ?? '';
  const kind = ['it', 'they'].includes(subject)
    ? 'pronoun'
    : ['which', 'that'].includes(subject)
      ? 'relative'
      : '';
  if (kind !== '') set(`by ${kind}${otherBefore ? ' far' : ''}${leads ? ' first' : ''}`);
}

const CUED: readonly { readonly claim: string; readonly cue: readonly string[] }[] = ALL_CUES.flatMap(
  ({ predicate, forward, backward }) => [
    ...forward.map((cue) => ({ claim: `${predicate}>`, cue: cue.split(' ') })),
    ...backward.map((cue) => ({ claim: `${predicate}<`, cue: cue.split(' ') })),
  ],
);
const CUES_BY_LAST = Map.groupBy(CUED, ({ cue }) => cue.at(-1) ?? '');
const RELATIVE = new Set(['which', 'that', 'who']);
const PERSONAL = new Set(['it', 'they', 'this', 'these']);
const OPENERS = new Set(
  `; : , and but because since whereas while although so that when if where as unless once after before until`.split(
    ' ',
  ),
);

/** The cue nearest to the second mention: its subject, and whether the second is its object. */
function closing(features: Open, pair: Pair, { raw }: Between): void {
  const steps = raw.filter(({ word, pos }) => (!MODIFIERS.has(pos) || KEPT.has(word)) && !IGNORED.has(word));
  const words = steps.map(({ word }) => word).filter((word) => !ARTICLES.has(word));
  const plain = steps.filter(({ word }) => !ARTICLES.has(word));
  for (let end = words.length - 1; end >= 0; end--) {
    const found = (CUES_BY_LAST.get(words[end] ?? '') ?? [])
      .filter(({ cue }) => cue.every((part, k) => words[end - cue.length + 1 + k] === part))
      .reduce<(typeof CUED)[number] | undefined>(
        (best, one) => (best === undefined || one.cue.length > best.cue.length ? one : best),
        undefined,
      );
    if (found === undefined) continue;
    const before = plain.slice(0, end - found.cue.length + 1);
    const subject = subjectOf(pair, before);
    const object = objectOf(plain.slice(end + 1));
    features.set(`closing ${found.claim} ${subject}`, 1);
    features.set(`closing ${found.claim} ${object}`, 1);
    features.set(`closing ${found.claim} ${subject} ${object}`, 1);
    features.set(`closing ${subject} ${object}`, 1);
    return;
  }
  features.set('closing nothing', 1);
}

function subjectOf(pair: Pair, before: readonly Step[]): string {
  const others = before.some(({ word }) => word === '@');
  const last = before.at(-1)?.word ?? '';
  if (!others && before.length === 0) return 'is the subject';
  if (!others && RELATIVE.has(last)) return 'is the subject of a relative';
  if (!others && before.length <= 2) return 'is near';
  if (!opensClause(pair)) return others ? 'is behind others' : 'is far';
  if (PERSONAL.has(last)) return 'opens, by pronoun';
  if (last === 'and' || last === 'or') return 'opens, goes on';
  const verbs = before.filter(({ pos }) => pos === 'VERB' || pos === 'AUX').length;
  const relative = before.some(({ word }) => RELATIVE.has(word));
  const ends = last === ',';
  return verbs === 0 || ends || (relative && verbs === 1) ? 'opens' : 'opens another';
}

function objectOf(after: readonly Step[]): string {
  if (after.length === 0) return 'directly';
  if (
    after.every(
      ({ word, pos }) =>
        word === '@' || word === ',' || word === 'and' || word === 'or' || MODIFIERS.has(pos),
    )
  )
    return after.some(({ word }) => word === '@') ? 'in a list' : 'directly';
  if (after.some(({ pos }) => pos === 'VERB')) return 'beyond a verb';
  return after.some(({ word }) => word === '@') ? 'beyond another' : 'nearly';
}

/** Only articles, adjectives and "a rise in" precede it in its clause. */
function opensClause({ words, sentence, first }: Pair): boolean {
  for (let at = first.at - 1; at >= Math.max(sentence.first, first.at - 5); at--) {
    const word = words[at] as Word;
    if (OPENERS.has(word.lower)) return true;
    if (word.finite || word.pos === 'VERB' || word.pos === 'AUX') return false;
  }
  return first.at - sentence.first <= 5;
}

/** The words right before the first and right after the second. */
function outside(features: Open, { words, sentence, first, second }: Pair): void {
  let at = first.at - 1;
  while (at >= sentence.first && MODIFIERS.has(words[at]?.pos ?? '')) at--;
  const lemma = (index: number) => words[index]?.lemma.toLowerCase() ?? '';
  const before = at >= sentence.first ? lemma(at) : 'start';
  features.set(`before ${before}`, 1);
  if (at - 1 >= sentence.first) features.set(`before ${lemma(at - 1)} ${before}`, 1);
  const end = second.at + second.length;
  features.set(`after ${end < sentence.end ? lemma(end) : 'end'}`, 1);
  if (end + 1 < sentence.end) features.set(`after ${lemma(end)} ${lemma(end + 1)}`, 1);
}

const NAME_TAGS = new Set(['NOUN', 'PROPN', 'ADJ', 'NUM', 'X', 'SYM']);

function looks(features: Open, { words, first, second }: Pair, listed: boolean): void {
  const set = (name: string) => features.set(name, 1);
  const a = words.slice(first.at, first.at + first.length);
  const b = words.slice(second.at, second.at + second.length);
  const plural = (list: readonly Word[]) =>
    list.at(-1)?.pos !== 'VERB' && /[^s]s$/.test(list.at(-1)?.lower ?? '');
  const symbol = (list: readonly Word[]) => list.some(({ text }) => /[^\p{L}\s-]|^\p{Lu}{2,}/u.test(text));
  for (const [name, list] of [
    ['first', a],
    ['second', b],
  ] as const) {
    if (plural(list)) set(`${name} is plural`);
    if (symbol(list)) set(`${name} has a symbol`);
    if (list.length > 5) set(`${name} is long`);
  }
  if (a[0]?.pos === 'PRON') set('first is meant');
  if (b[0]?.pos === 'PRON') set('second is meant');
  if (a.length !== b.length) set(a.length > b.length ? 'first is longer' : 'second is longer');
  if (a.at(-1)?.stem === b.at(-1)?.stem) set('same head');
  const [stemsA, stemsB] = [a, b].map((list) => ` ${list.map(({ stem }) => stem).join(' ')}`) as [
    string,
    string,
  ];
  if (stemsA === stemsB) set('same words');
  else if (stemsB.endsWith(stemsA)) set('second ends with first');
  else if (stemsA.endsWith(stemsB)) set('first ends with second');
  // Concepts normally begin with a noun; text wrongly taken for a concept may begin with "because" or "to".
  for (const [name, word] of [
    ['first', a[0]],
    ['second', b[0]],
  ] as const) {
    if (word !== undefined && !NAME_TAGS.has(word.pos)) set(`${name} opens ${word.lemma.toLowerCase()}`);
  }
  for (const claim of ['IS_A>', 'IS_A<']) {
    if (!features.has(`${claim} cue`)) continue;
    if (plural(a)) set(`${claim} first is plural`);
    if (plural(b)) set(`${claim} second is plural`);
    if (listed) set(`${claim} listed`);
  }
}
