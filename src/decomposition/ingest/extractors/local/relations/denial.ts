import type { Word } from '../analyse.ts';
import type { Occurrence } from '../candidates.ts';
import { words } from '../words.ts';
import type { Step } from './between.ts';

const NOT = words("not n't");
const FLIPPING = words('never hardly barely scarcely nothing none impossible unable incapable unrelated');
/** What ends the reach of a "not": what follows is another statement. */
const CLOSING = words('but although though whereas while since so ; :');
/** After a "not" these undo it: "cannot grow without", "not complete until". */
const UNDOING = words('until unless except');
const NOT_MERELY = words('only just merely simply');
const EFFECTS = words('effect influence impact role bearing part to');
const EXCLUDING = words('exclude dismiss discount reject rule');

type At = { readonly steps: readonly Step[]; readonly i: number };

const wordAt = ({ steps, i }: At, ahead: number): string => steps[i + ahead]?.word ?? '';

/**
 * Whether the words between two mentions leave the statement denied. Two denials undo each other: "cannot … without" is a
 * need. `denied`: whether it already is, by what stands before the first.
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
  return CLOSING.has(word);
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

/** "A, not C, causes B": the denial is of another concept. */
function isOfOther({ steps, i }: At): boolean {
  let next = i + 1;
  while (['DET', 'ADJ', 'ADP'].includes(steps[next]?.pos ?? '')) next++;
  return steps[next]?.word === '@' && steps.slice(next).some(isVerb);
}

/** No verb begins another statement before the second mention. "Without needing B" is still one. */
function reachesSecond({ steps, i }: At): boolean {
  const rest = steps.slice(i + 1).filter(({ word }) => word !== 'than' && word !== 'of' && word !== 'from');
  return !rest.some((step, k) => isVerb(step) && !(k === 0 && step.lower.endsWith('ing')));
}

function isVerb({ pos }: Step): boolean {
  return pos === 'VERB' || pos === 'AUX';
}

const LOOK_BACK = 8;
const PASSED = new Set(['DET', 'ADJ', 'NUM', 'ADV']);
const PASSED_WORDS = words('of to by for from');
const FRONTED = words("never nor no neither nowhere hardly not n't");

/** "No A", "nor A", "not A", "rather than A", "ruled out A as", "in no case did A". */
export function isDeniedBefore(list: readonly Word[], first: number, mention: Occurrence): boolean {
  let at = mention.at - 1;
  const from = Math.max(first, at - LOOK_BACK);
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
