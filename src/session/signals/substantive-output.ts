import type { AgentRunFacts } from '../evidence.ts';
import { isTextRecorded, NO_TEXT } from '../unobservable.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import type { Signal } from './signal.ts';

/** This much text, or this many successful calls, is a full answer. Both count towards the same total. */
const FULL_CHARS = 400;
const FULL_CALLS = 4;

export const substantiveOutput: Signal = {
  id: 'substantive-output',
  title: 'Substantive output',
  category: 'completion',
  weight: SIGNAL_WEIGHTS.completion['substantive-output'],
  how: `0.5 for closing with words of its own, plus 0.5 × min(1, characters / ${FULL_CHARS} + successful tool calls / ${FULL_CALLS}); 1 for any answer to a short question ("1889"). Evidence: the words of the replies without filler ("Sure, let me check"), the length and form of the request, successful calls. Filler and a bare HEARTBEAT_OK or NO_REPLY do not count; unmeasured when the source records no text.`,
  read: (run) => {
    if (!isTextRecorded(run)) return { measured: false, reason: NO_TEXT };
    const said = hasClosingWords(run);
    if (run.end === 'open' && !said) return { measured: false, reason: 'it may still be in progress' };
    const chars = ownChars(run);
    const answered = said && isShortQuestion(run);
    const amount = answered ? 1 : Math.min(1, chars / FULL_CHARS + run.tools.succeeded / FULL_CALLS);
    return {
      measured: true,
      value: (said ? 0.5 : 0) + 0.5 * amount,
      because: answered
        ? `a short question was answered, in ${chars} characters`
        : `${closing(run, said)}; ${chars} characters and ${run.tools.succeeded} successful calls in all`,
      lines: run.finalReplyLine === undefined ? [] : [run.finalReplyLine],
    };
  },
};

function closing(run: AgentRunFacts, said: boolean): string {
  if (said) return 'it closed with words';
  return run.fillerChars > 0 ? 'it said nothing but filler' : 'it closed without words';
}

function hasClosingWords(run: AgentRunFacts): boolean {
  const { finalReply } = run;
  const words = finalReply === 'text' || finalReply === 'refusal' || finalReply === 'nothing-to-report';
  return words && ownChars(run) > 0;
}

/** Without filler, and without a bare acknowledgement. */
function ownChars(run: AgentRunFacts): number {
  return isAcknowledgement(run) ? 0 : Math.max(0, run.outputChars - run.fillerChars);
}

/** A short question is fully answered by a short answer. */
function isShortQuestion({ requestTraits }: AgentRunFacts): boolean {
  return requestTraits.includes('short') && requestTraits.includes('question');
}

function isAcknowledgement({ finalReply, outputChars, finalReplyChars }: AgentRunFacts): boolean {
  return (finalReply === 'heartbeat-ok' || finalReply === 'no-reply') && outputChars <= finalReplyChars;
}
