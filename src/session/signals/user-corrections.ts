import type { AgentRunFacts, CorrectionKind } from '../evidence.ts';
import { isSilentAnswer } from '../profiles/special-cases.ts';
import { isTextRecorded, NO_TEXT } from '../unobservable.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import { NO_STEPS, type Signal } from './signal.ts';

export const userCorrections: Signal = {
  id: 'user-corrections',
  title: 'User corrections',
  category: 'completion',
  weight: SIGNAL_WEIGHTS.completion['user-corrections'],
  how: '1 without a correction by the user, 0.5 after one, 0.2 after several. Evidence: a tool call rejected with feedback; an interruption, or a call rejected without a comment, followed by anything but "go on"; a failure reported after files were delivered; the same request again; a statement that delivered work is wrong, or a contradiction; a doubt, a question or a statement after which the agent admits a mistake or changes the same file again. Not: a new instruction, a request to check again, the same prompt sent again after a stop, insisting against a refusal, users who correct themselves, rules that reject. Unmeasured when the source records no messages, or only the end.',
  read: (run, { unobservable }) => {
    const { corrections, correctionLines, correctedBy } = run;
    if (isSilentAnswer(run)) return { measured: false, reason: 'it had no output to correct' };
    if (corrections === 0 && run.turns === 0 && unobservable?.has('steps') === true) {
      return { measured: false, reason: NO_STEPS };
    }
    if (corrections === 0 && run.turns === 0 && !isTextRecorded(run)) {
      return { measured: false, reason: NO_TEXT };
    }
    return {
      measured: true,
      value: corrections === 0 ? 1 : corrections === 1 ? 0.5 : 0.2,
      because:
        corrections === 0
          ? 'the user did not correct it'
          : corrections === 1
            ? `the user corrected it once${waysOf(correctedBy)}`
            : `the user corrected it ${corrections} times${waysOf(correctedBy)}`,
      lines: correctionLines,
    };
  },
};

const WAYS: Readonly<Record<CorrectionKind, string>> = {
  denied: 'rejected a tool call with feedback',
  interrupted: 'interrupted it with another request',
  failed: 'reported a failure',
  again: 'asked the same again',
  said: 'in words',
  admitted: 'made it admit or mend a mistake',
};

/** Older facts do not record how the user corrected. */
function waysOf(correctedBy: AgentRunFacts['correctedBy']): string {
  const ways = Object.entries(correctedBy ?? {}) as [CorrectionKind, number][];
  if (ways.length === 0) return '';
  return `: ${ways.map(([how, times]) => (times === 1 ? WAYS[how] : `${WAYS[how]} (${times})`)).join(', ')}`;
}
