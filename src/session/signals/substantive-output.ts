import type { AgentRunFacts } from '../evidence.ts';
import { isTextRecorded, NO_TEXT } from '../text-recorded.ts';
import type { Signal } from './signal.ts';

/** This much text, or this many calls that worked, is a full answer; both count towards the same whole. */
const FULL_CHARS = 400;
const FULL_CALLS = 4;

export const substantiveOutput: Signal = {
  id: 'substantive-output',
  title: 'Substantive output',
  category: 'completion',
  weight: 1 / 3,
  how: `0.5 for closing with words of its own, plus 0.5 × min(1, characters / ${FULL_CHARS} + successful tool calls / ${FULL_CALLS}); a bare HEARTBEAT_OK or NO_REPLY says nothing; unmeasured when the source records no text.`,
  read: (run) => {
    if (!isTextRecorded(run)) return { measured: false, reason: NO_TEXT };
    const said = hasClosingWords(run);
    if (run.end === 'open' && !said) return { measured: false, reason: 'it may still be going on' };
    const chars = isAcknowledgement(run) ? 0 : run.outputChars;
    const amount = Math.min(1, chars / FULL_CHARS + run.tools.succeeded / FULL_CALLS);
    return {
      measured: true,
      value: (said ? 0.5 : 0) + 0.5 * amount,
      because: `${said ? 'it closed with words' : 'it closed without words'}; ${chars} characters and ${run.tools.succeeded} successful calls in all`,
      lines: run.finalReplyLine === undefined ? [] : [run.finalReplyLine],
    };
  },
};

function hasClosingWords({ finalReply }: AgentRunFacts): boolean {
  return finalReply === 'text' || finalReply === 'refusal' || finalReply === 'nothing-to-report';
}

function isAcknowledgement({ finalReply, outputChars, finalReplyChars }: AgentRunFacts): boolean {
  return (finalReply === 'heartbeat-ok' || finalReply === 'no-reply') && outputChars <= finalReplyChars;
}
