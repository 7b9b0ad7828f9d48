import { SIGNAL_WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';
import { withoutResult } from './tool-success-rate.ts';

export const firstAttemptSuccess: Signal = {
  id: 'first-attempt-success',
  title: 'First-attempt success',
  category: 'execution',
  weight: SIGNAL_WEIGHTS.execution['first-attempt-success'],
  how: 'Tool calls that succeeded without being a retry of a failed one / calls that succeeded, and attempts that failed: calls sent together that fail are one.',
  read: ({ tools }) => {
    const failed = Math.min(tools.failedAttempts ?? tools.failed, tools.failed);
    const judged = tools.succeeded + failed;
    if (judged === 0) return { measured: false, reason: withoutResult(tools.calls) };
    // Facts may come from a stored row: a count above its total must not lift a ratio over 1.
    const first = Math.min(tools.firstAttemptSuccesses, judged);
    return {
      measured: true,
      value: first / judged,
      because: `${first} of ${judged} tool calls succeeded at the first attempt${
        failed < tools.failed ? '; failed calls sent together count once' : ''
      }`,
      lines: tools.failedLines,
    };
  },
};
