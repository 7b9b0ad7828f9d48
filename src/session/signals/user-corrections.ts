import { isTextRecorded, NO_TEXT } from '../text-recorded.ts';
import type { Signal } from './signal.ts';

export const userCorrections: Signal = {
  id: 'user-corrections',
  title: 'User corrections',
  category: 'completion',
  weight: 1 / 3,
  how: '1 without a correction by the person, 0.5 after one, 0.2 after several ("no, I meant…", asking the same again, interrupting); unmeasured when the source records no text of anybody.',
  read: (run) => {
    const { corrections, correctionLines } = run;
    if (corrections === 0 && run.turns === 0 && !isTextRecorded(run)) {
      return { measured: false, reason: NO_TEXT };
    }
    return {
      measured: true,
      value: corrections === 0 ? 1 : corrections === 1 ? 0.5 : 0.2,
      because:
        corrections === 0
          ? 'nobody corrected it'
          : corrections === 1
            ? 'the person corrected it once'
            : `the person corrected it ${corrections} times`,
      lines: correctionLines,
    };
  },
};
