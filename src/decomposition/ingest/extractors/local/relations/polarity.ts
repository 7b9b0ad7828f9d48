import type { Between } from './between.ts';
import { isDeniedBefore, isDeniedBetween, isExcluded } from './denial.ts';
import { isDoubted } from './doubt.ts';
import { isFalling, isLessened, isLessening, isLossOf } from './lessening.ts';
import type { Pair } from './pair-features.ts';

export type Polarity = 'stated' | 'denied' | 'lessened';

/** Whether the sentence says of two mentions that it is so, that it is not so or may not be, or that one lessens the other. */
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
