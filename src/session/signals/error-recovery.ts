import type { LoopFacts } from '../evidence.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import { NO_STEPS, type Signal } from './signal.ts';

/** This many identical calls in a row are worth reporting, although polling does it too. */
const WORTH_REPORTING = 5;

export const errorRecovery: Signal = {
  id: 'error-recovery',
  title: 'Error recovery',
  category: 'execution',
  weight: SIGNAL_WEIGHTS.execution['error-recovery'],
  how: '1 without an error loop (two or more failed attempts of the same tool on the same target; calls sent together are one), 0.5 when every loop ended in a success by any tool on that target, 0.2 when one did not. No tool calls means no loop: 1. Unmeasured where only the end was recorded.',
  read: ({ loops, tools }, { unobservable }) => {
    if (unobservable?.has('steps') === true) return { measured: false, reason: NO_STEPS };
    return {
      measured: true,
      value: loops.persistent > 0 ? 0.2 : loops.recovered > 0 ? 0.5 : 1,
      because: `${sayLoops(loops, tools.calls)}${sayRepeat(loops)}`,
      lines: loops.lines,
    };
  },
};

function sayLoops({ persistent, recovered }: LoopFacts, calls: number): string {
  if (persistent > 0) {
    const also = recovered > 0 ? `, ${recovered} recovered` : '';
    return `${persistent} error ${persistent === 1 ? 'loop was' : 'loops were'} not recovered${also}`;
  }
  if (recovered > 0) return `${recovered} error ${recovered === 1 ? 'loop' : 'loops'}, recovered`;
  return calls === 0 ? 'no tool was called, so nothing was retried' : 'no error loops';
}

function sayRepeat({ longestRepeat }: LoopFacts): string {
  return longestRepeat < WORTH_REPORTING ? '' : `; the same call ${longestRepeat} times in a row`;
}
