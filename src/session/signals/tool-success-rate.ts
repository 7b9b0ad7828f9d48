import { SIGNAL_WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

export const toolSuccessRate: Signal = {
  id: 'tool-success-rate',
  title: 'Tool success rate',
  category: 'execution',
  weight: SIGNAL_WEIGHTS.execution['tool-success-rate'],
  how: 'Tool calls that succeeded / calls that succeeded or failed. A call that the user rejected or stopped, that a rule rejected, or that has no result, is neither.',
  read: ({ tools }) => {
    const judged = tools.succeeded + tools.failed;
    if (judged === 0) return { measured: false, reason: withoutResult(tools.calls) };
    return {
      measured: true,
      value: tools.succeeded / judged,
      because: `${tools.succeeded} of ${judged} tool calls succeeded`,
      lines: tools.failedLines,
    };
  },
};

/** Why a ratio over tool calls has no denominator. */
export function withoutResult(calls: number): string {
  return calls === 0 ? 'no tool was called' : `no result is known for any of ${calls} tool calls`;
}
