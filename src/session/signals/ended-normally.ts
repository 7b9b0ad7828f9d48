import type { EndReason } from '../event.ts';
import type { AgentRunFacts } from '../evidence.ts';
import { isSilentAnswer } from '../profiles/special-cases.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** The value of each end; an unrecorded end has none. */
const VALUE: Readonly<Record<EndReason, number | undefined>> = {
  normal: 1,
  handoff: 1,
  error: 0,
  aborted: 0,
  timeout: 0,
  limit: 0,
  'cut-off': 0,
  open: undefined,
  unknown: undefined,
};

const SAY: Readonly<Record<EndReason, string>> = {
  normal: 'it ended normally',
  handoff: 'it handed off to a human, which is a normal end',
  error: 'it ended in an error',
  aborted: 'it was aborted',
  timeout: 'it ran out of time',
  limit: 'it hit a limit (steps, tokens or cost)',
  'cut-off': 'it breaks off',
  open: 'it may still be in progress',
  unknown: 'the transcript does not show how it ended',
};

export const endedNormally: Signal = {
  id: 'ended-normally',
  title: 'Ended normally',
  category: 'completion',
  weight: SIGNAL_WEIGHTS.completion['ended-normally'],
  how: '1 for a normal end or a hand-off to a human. 0 for an error, abort, timeout, limit, a break (after a failure, or after a request or call without an answer and then a day of silence), a last message that admits failure, only a promise to begin, or no reply to a direct request. Unmeasured for a day while it may continue (it ends on a successful result, a call without a result or an unanswered message), and when the end is unknown.',
  read: (run) => {
    if (isSilentAnswer(run)) {
      const because = 'it was asked and stayed silent';
      return { measured: true, value: 0, because, lines: [run.finalReplyLine ?? run.endLine] };
    }
    if (run.end === 'normal' && run.gaveUp === true) {
      const because = 'its last message says that it did not succeed';
      return { measured: true, value: 0, because, lines: [run.finalReplyLine ?? run.endLine] };
    }
    if (run.end === 'normal' && isOnlyPromise(run)) {
      const because = 'it said what it would do, and did nothing';
      return { measured: true, value: 0, because, lines: [run.finalReplyLine ?? run.endLine] };
    }
    const value = VALUE[run.end];
    if (value === undefined) return { measured: false, reason: SAY[run.end] };
    return { measured: true, value, because: SAY[run.end], lines: [run.endLine] };
  },
};

/** "Sure, let me look into that", and nothing else. */
export function isOnlyPromise({ promised, outputChars, fillerChars, tools }: AgentRunFacts): boolean {
  return promised === true && outputChars <= fillerChars && tools.succeeded === 0;
}
