import type { Sentence, Word } from '../analyse.ts';
import type { Occurrence } from '../candidates.ts';
import { words } from '../words.ts';

/** What a clause with "that" or "whether" can be about: what somebody shows, says or believes. */
const SAYING = words(`
  evidence proof support sign indication hint reason basis show demonstrate prove establish find confirm suggest indicate
  believe think mean imply clear certain true likely plausible case idea notion theory hypothesis view belief assumption
  suggestion opinion assertion argument argue assert say report conclude conclusion impression link know`);
/** These doubt what they are about by themselves. */
const DOUBTING = words(`
  myth misconception fallacy superstition legend doubt deny dispute question unlikely untrue false wrong mistake mistaken
  implausible reject refute disprove debunk dismiss unclear uncertain unproven doubtful contradict challenge error`);
/** These report without saying whether it is so. */
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
const CLOSING = words('but although though whereas while ;');
const MISSING = words('no little scant');
const FOUND = words(
  'evidence proof study data research link connection relation relationship association sign',
);
const LOOK_BACK = 40;
const LOOK_AHEAD = 10;
const MATRIX = 10;

/** A list of words with bounds, and what holds of the words at a place. */
type Text = { readonly list: readonly Word[]; readonly from: number; readonly to: number };

const inside = ({ from, to }: Text, at: number): boolean => at >= from && at < to;
const lemma = (text: Text, at: number): string =>
  inside(text, at) ? (text.list[at]?.lemma.toLowerCase() ?? '') : '';
const lower = (text: Text, at: number): string => (inside(text, at) ? (text.list[at]?.lower ?? '') : '');
const isOne = (text: Text, at: number, set: ReadonlySet<string>): boolean =>
  set.has(lower(text, at)) || set.has(lemma(text, at));

/** Whether the sentence reports what two mentions would state and does not itself state it. */
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

/** "Evidence that A causes B": the evidence itself causes nothing. */
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
    if (isOne(text, at, CLOSING)) aside = false;
    else if (ASIDES.has(lower(text, at))) aside = true;
  }
  return aside;
}

/** The "that" or "whether" of the clause that a mention stands in. */
function openerOf(text: Text, mention: number): number | undefined {
  for (let at = mention - 1; at >= Math.max(text.from, mention - LOOK_BACK); at--) {
    if (isOne(text, at, CLOSING)) return undefined;
    if (opensClause(text, at) && (lower(text, at) === 'whether' || saysBefore(text, at))) return at;
  }
  return undefined;
}

/** "The case that stemmed from it" says nothing about a clause. */
function opensClause(text: Text, at: number): boolean {
  const word = lower(text, at);
  return word === 'whether' || (word === 'that' && !['VERB', 'AUX'].includes(text.list[at + 1]?.pos ?? ''));
}

function saysBefore(text: Text, opener: number): boolean {
  return [1, 2, 3, 4].some((back) =>
    [SAYING, DOUBTING, REPORTING].some((set) => isOne(text, opener - back, set)),
  );
}

/** Two doubts undo each other: nobody denies it. A mere report is in doubt until somebody confirms it. */
function isDoubtedClause(text: Text, opener: number, verdict: number): boolean {
  let doubts = verdict < 0 ? 1 : 0;
  let reported = false;
  for (let at = opener - 1; at >= Math.max(text.from, opener - MATRIX); at--) {
    if (isOne(text, at, CLOSING)) break;
    if (isOne(text, at, DENYING) || isOne(text, at, DOUBTING)) doubts++;
    else if (lower(text, at) === 'one' && lower(text, at - 1) === 'no') continue;
    if (isOne(text, at, REPORTING)) reported = true;
  }
  return doubts % 2 === 1 || (reported && doubts === 0 && verdict <= 0);
}

/** −1: what follows says that it is not so; 1: that it is; 0: nothing. */
function verdictAfter(text: Text, from: number): -1 | 0 | 1 {
  let denied = false;
  let stated = false;
  for (let at = from; at < Math.min(text.to, from + LOOK_AHEAD); at++) {
    if (text.list[at]?.pos === 'AUX' || ['prove', 'remain', 'turn'].includes(lemma(text, at))) stated = true;
    if (!stated) continue;
    if (isOne(text, at, CLOSING)) return 0;
    if (isOne(text, at, DENYING) && lemma(text, at) !== 'lack') denied = !denied;
    else if (isOne(text, at, VERDICTS)) return denied ? 1 : -1;
    else if (isOne(text, at, CONFIRMING) && lower(text, at + 1) !== 'of') return denied ? -1 : 1;
  }
  return 0;
}
