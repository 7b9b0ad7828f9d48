import type { Word } from '../analyse.ts';
import type { Occurrence } from '../candidates.ts';
import { words } from '../words.ts';
import type { Step } from './between.ts';
import { CAUSES } from './causes.ts';
import { LESSENING } from './lessening-verbs.ts';

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
export function isLessening(steps: readonly Step[]): boolean {
  let less = false;
  for (const [i, { word, lower, pos }] of steps.entries()) {
    const loss = LOSSES.has(word === '@' ? lower : word) && OF.has(steps[i + 1]?.word ?? '');
    if (loss || FEWER.has(lower)) less = true;
    else if (pos === 'VERB' && LESSENING.has(word)) less = true;
    else if ((pos === 'VERB' || pos === 'NOUN') && BRINGING.has(word)) less = false;
  }
  return less;
}

/** "A fall in B" is no cause of either. */
export function isLossOf(list: readonly Word[], { at, length }: Occurrence, steps: readonly Step[]): boolean {
  return LOSSES.has(list[at + length - 1]?.lemma ?? '') && steps.length < 3 && OF.has(steps[0]?.word ?? '');
}

/** "When A rises, B falls." */
export function isFalling(list: readonly Word[], end: number, { at, length }: Occurrence): boolean {
  const next = at + length < end ? list[at + length] : undefined;
  return next !== undefined && next.pos === 'VERB' && FALLING.has(next.lemma);
}

/** "Fewer A", "the loss of A". */
export function isLessened(list: readonly Word[], first: number, { at }: Occurrence): boolean {
  const word = (index: number): Word | undefined => (index >= first ? list[index] : undefined);
  if (FEWER.has(word(at - 1)?.lower ?? '')) return true;
  const of = word(at - 1)?.pos === 'DET' ? at - 2 : at - 1;
  return OF.has(word(of)?.lower ?? '') && LOSSES.has(word(of - 1)?.lemma ?? '');
}
