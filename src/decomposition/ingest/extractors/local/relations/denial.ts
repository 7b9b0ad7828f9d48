import type { Sentence, Word } from '../analyse.ts';
import type { Occurrence } from '../concepts.ts';
import { words } from '../words.ts';
import type { Step } from './relate.ts';

const NOT = words("not n't");
const FLIPPING = words('never hardly barely scarcely nothing none impossible unable incapable unrelated');
/** Words that end the scope of a "not", because another statement follows. */
const ENDS_DENIAL = words('but although though whereas while since so ; :');
/** Words that cancel a preceding "not": "cannot grow without", "not complete until". */
const UNDOING = words('until unless except');
const NOT_MERELY = words('only just merely simply');
const EFFECTS = words('effect influence impact role bearing part to');
const EXCLUDING = words('exclude dismiss discount reject rule');

type At = { readonly steps: readonly Step[]; readonly i: number };

const wordAt = ({ steps, i }: At, ahead: number): string => steps[i + ahead]?.word ?? '';

/**
 * Whether the statement between two mentions is denied. Two denials cancel out: "cannot … without" is a need. `denied`:
 * whether the words before the first mention already deny it.
 */
export function isDeniedBetween(steps: readonly Step[], denied: boolean): boolean {
  let odd = denied;
  for (let i = 0; i < steps.length; i++) {
    const at = { steps, i };
    const { word } = steps[i] as Step;
    if (closes(at)) odd = false;
    else if (word === 'neither' || word === 'nor') odd = true;
    else if (UNDOING.has(word)) odd = false;
    else if (flips(at)) odd = !odd;
  }
  return odd;
}

function closes(at: At): boolean {
  const word = wordAt(at, 0);
  if (word === 'and') return at.steps[at.i + 1]?.pos === 'PRON';
  if (word === 'because') return wordAt(at, 1) !== 'of';
  return ENDS_DENIAL.has(word);
}

function flips(at: At): boolean {
  const [word, next] = [wordAt(at, 0), wordAt(at, 1)];
  if (NOT.has(word)) return !NOT_MERELY.has(next) && !isOfOther(at);
  if (FLIPPING.has(word)) return true;
  if (word === 'no') return next === 'longer' || reachesSecond(at);
  if (word === 'without') return reachesSecond(at);
  if (word === 'far') return next === 'from' && reachesSecond(at);
  if (word === 'rather') return next === 'than' && reachesSecond(at);
  if (word === 'instead') return next === 'of' && reachesSecond(at);
  if (word === 'independent' || word === 'independently') return next === 'of';
  if (word === 'fail') return next === 'to' || next === 'without';
  if (word === 'yet') return next === 'to';
  if (word === 'little') return EFFECTS.has(next);
  return EXCLUDING.has(word) && at.steps.slice(at.i + 1).some((step) => step.word === 'as');
}

/** "A, not C, causes B": the denial refers to another concept. */
function isOfOther({ steps, i }: At): boolean {
  let next = i + 1;
  while (['DET', 'ADJ', 'ADP'].includes(steps[next]?.pos ?? '')) next++;
  return steps[next]?.word === '@' && steps.slice(next).some(isVerb);
}

/** No verb begins another statement before the second mention. "Without needing B" is still one statement. */
function reachesSecond({ steps, i }: At): boolean {
  const rest = steps.slice(i + 1).filter(({ word }) => word !== 'than' && word !== 'of' && word !== 'from');
  return !rest.some((step, k) => isVerb(step) && !(k === 0 && step.lower.endsWith('ing')));
}

function isVerb({ pos }: Step): boolean {
  return pos === 'VERB' || pos === 'AUX';
}

const WORDS_BEFORE = 8;
const PASSED = new Set(['DET', 'ADJ', 'NUM', 'ADV']);
const PASSED_WORDS = words('of to by for from');
const FRONTED = words("never nor no neither nowhere hardly not n't");

/** "No A", "nor A", "not A", "rather than A", "ruled out A as", "in no case did A". */
export function isDeniedBefore(list: readonly Word[], first: number, mention: Occurrence): boolean {
  let at = mention.at - 1;
  const from = Math.max(first, at - WORDS_BEFORE);
  const lower = (index: number): string => (index >= from ? (list[index]?.lower ?? '') : '');
  const passes = (index: number): boolean =>
    index >= from && (PASSED.has(list[index]?.pos ?? '') || PASSED_WORDS.has(lower(index)));
  if (list[at]?.pos === 'VERB' && lower(at).endsWith('ing')) at--;
  while (passes(at) && !isDenyingAt(lower, at)) at--;
  if (isDenyingAt(lower, at)) return true;
  return list[at]?.pos === 'AUX' && at >= from && isFronted(lower, at);
}

function isDenyingAt(lower: (index: number) => string, at: number): boolean {
  const word = lower(at);
  if (NOT.has(word)) return !NOT_MERELY.has(lower(at + 1));
  if (word === 'than') return lower(at - 1) === 'rather';
  if (word === 'from') return lower(at - 1) === 'far';
  if (word === 'of') return lower(at - 1) === 'instead';
  return word === 'no' || word === 'nor' || word === 'neither' || word === 'unlike';
}

function isFronted(lower: (index: number) => string, auxiliary: number): boolean {
  for (let at = auxiliary - 1; at >= auxiliary - 4; at--) {
    const word = lower(at);
    if (word === ',' || word === '') return false;
    if (FRONTED.has(word)) return !NOT_MERELY.has(lower(at + 1));
  }
  return false;
}

/** "Ruled out A as the cause of B". */
export function isExcluded(list: readonly Word[], first: number, mention: Occurrence): boolean {
  if (list[mention.at + mention.length]?.lower !== 'as') return false;
  for (let at = mention.at - 1; at >= Math.max(first, mention.at - 4); at--) {
    if (EXCLUDING.has(list[at]?.lemma ?? '')) return true;
  }
  return false;
}

/** Verbs and nouns that introduce a clause with "that" or "whether". */
const SAYING = words(`
  evidence proof support sign indication hint reason basis show demonstrate prove establish find confirm suggest indicate
  believe think mean imply clear certain true likely plausible case idea notion theory hypothesis view belief assumption
  suggestion opinion assertion argument argue assert say report conclude conclusion impression link know`);
/** Words that cast doubt on their clause. */
const DOUBTING = words(`
  myth misconception fallacy superstition legend doubt deny dispute question unlikely untrue false wrong mistake mistaken
  implausible reject refute disprove debunk dismiss unclear uncertain unproven doubtful contradict challenge error`);
/** Words that report a claim without endorsing it. */
const REPORTING = words('claim allege rumour rumor suppose pretend purport allegation speculate speculation');
const ASIDES = words(
  'allegedly supposedly purportedly reputedly ostensibly wrongly mistakenly falsely erroneously',
);
const DENYING = words(
  "no not n't never little nothing nobody none hardly lack fail without unable insufficient scant contrary few beyond",
);
const VERDICTS = words(`
  myth false wrong untrue refute reject disprove debunk discredit lack lacking unproven unfounded unknown unclear uncertain
  doubtful mistaken baseless unsupported exaggerated dispute disputed contest fiction error fallacy misconception weak thin
  scant abandon questionable`);
const CONFIRMING = words(
  'confirm confirmed prove proven proved true correct establish show shown demonstrate',
);
const ENDS_DOUBT = words('but although though whereas while ;');
const MISSING = words('no little scant');
const FOUND = words(
  'evidence proof study data research link connection relation relationship association sign',
);
const LOOK_BACK = 40;
const LOOK_AHEAD = 10;
const MATRIX = 10;

/** A range of a list of words, with a predicate on its positions. */
type Text = { readonly list: readonly Word[]; readonly from: number; readonly to: number };

const inside = ({ from, to }: Text, at: number): boolean => at >= from && at < to;
const lemma = (text: Text, at: number): string =>
  inside(text, at) ? (text.list[at]?.lemma.toLowerCase() ?? '') : '';
const lower = (text: Text, at: number): string => (inside(text, at) ? (text.list[at]?.lower ?? '') : '');
const isOne = (text: Text, at: number, set: ReadonlySet<string>): boolean =>
  set.has(lower(text, at)) || set.has(lemma(text, at));

/** Whether the sentence only reports a relation of two mentions without stating it. */
export function isDoubted(
  list: readonly Word[],
  sentence: Sentence,
  first: Occurrence,
  second: Occurrence,
): boolean {
  const text = { list, from: sentence.first, to: sentence.end };
  if (
    isAbout(text, first) ||
    isSetAside(text, first, second) ||
    hasNoGround(text, first.at) ||
    hasNoGround(text, second.at)
  )
    return true;
  const opener = openerOf(text, first.at);
  const end = second.at + second.length;
  if (opener === undefined) {
    return lower(text, end) === ',' && lower(text, end + 1) === 'which' && verdictAfter(text, end + 2) < 0;
  }
  if (lower(text, opener) === 'whether' || isOne(text, end - 1, VERDICTS)) return true;
  return isDoubtedClause(text, opener, verdictAfter(text, end));
}

/** "Evidence that A causes B": the evidence itself is not a cause. */
function isAbout(text: Text, { at, length }: Occurrence): boolean {
  const head = at + length - 1;
  return opensClause(text, head + 1) && [SAYING, DOUBTING, REPORTING].some((set) => isOne(text, head, set));
}

/** "No evidence links A to B", "no link between A and B". */
function hasNoGround(text: Text, mention: number): boolean {
  return [2, 3, 4, 5].some(
    (back) =>
      isOne(text, mention - back, FOUND) &&
      [1, 2].some((more) => MISSING.has(lower(text, mention - back - more))),
  );
}

/** "A allegedly causes B." */
function isSetAside(text: Text, first: Occurrence, second: Occurrence): boolean {
  const from = Math.max(text.from, first.at - LOOK_BACK);
  let aside = false;
  for (let at = from; at < second.at; at++) {
    if (isOne(text, at, ENDS_DOUBT)) aside = false;
    else if (ASIDES.has(lower(text, at))) aside = true;
  }
  return aside;
}

/** The "that" or "whether" of the clause that contains a mention. */
function openerOf(text: Text, mention: number): number | undefined {
  for (let at = mention - 1; at >= Math.max(text.from, mention - LOOK_BACK); at--) {
    if (isOne(text, at, ENDS_DOUBT)) return undefined;
    if (opensClause(text, at) && (lower(text, at) === 'whether' || saysBefore(text, at))) return at;
  }
  return undefined;
}

/** "The case that stemmed from it": a relative clause, not a reported one. */
function opensClause(text: Text, at: number): boolean {
  const word = lower(text, at);
  return word === 'whether' || (word === 'that' && !['VERB', 'AUX'].includes(text.list[at + 1]?.pos ?? ''));
}

function saysBefore(text: Text, opener: number): boolean {
  return [1, 2, 3, 4].some((back) =>
    [SAYING, DOUBTING, REPORTING].some((set) => isOne(text, opener - back, set)),
  );
}

/** A double negation is no denial. A reported claim is doubtful until the text confirms it. */
function isDoubtedClause(text: Text, opener: number, verdict: number): boolean {
  let doubts = verdict < 0 ? 1 : 0;
  let reported = false;
  for (let at = opener - 1; at >= Math.max(text.from, opener - MATRIX); at--) {
    if (isOne(text, at, ENDS_DOUBT)) break;
    if (isOne(text, at, DENYING) || isOne(text, at, DOUBTING)) doubts++;
    else if (lower(text, at) === 'one' && lower(text, at - 1) === 'no') continue;
    if (isOne(text, at, REPORTING)) reported = true;
  }
  return doubts % 2 === 1 || (reported && doubts === 0 && verdict <= 0);
}

/** −1: the following words deny it; 1: they confirm it; 0: neither. */
function verdictAfter(text: Text, from: number): -1 | 0 | 1 {
  let denied = false;
  let stated = false;
  for (let at = from; at < Math.min(text.to, from + LOOK_AHEAD); at++) {
    if (text.list[at]?.pos === 'AUX' || ['prove', 'remain', 'turn'].includes(lemma(text, at))) stated = true;
    if (!stated) continue;
    if (isOne(text, at, ENDS_DOUBT)) return 0;
    if (isOne(text, at, DENYING) && lemma(text, at) !== 'lack') denied = !denied;
    else if (isOne(text, at, VERDICTS)) return denied ? 1 : -1;
    else if (isOne(text, at, CONFIRMING) && lower(text, at + 1) !== 'of') return denied ? -1 : 1;
  }
  return 0;
}
