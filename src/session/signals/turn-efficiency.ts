import type { AgentRunFacts } from '../evidence.ts';
import { SIGNAL_WEIGHTS } from '../weights.ts';
import { noBaseline, type Signal } from './signal.ts';

/** The value is 0 from this multiple of the baseline. */
const WORTHLESS_AT = 3;

export const turnEfficiency: Signal = {
  id: 'turn-efficiency',
  title: 'Turn efficiency',
  category: 'efficiency',
  weight: SIGNAL_WEIGHTS.efficiency['turn-efficiency'],
  how: `Turns per request, so that ten requests in one session do not count as one slow one (answers, corrections and "go on" are turns of the request before them, thanks and approvals are none): 1 up to the median of the task type, then falling linearly to 0 at ${WORTHLESS_AT} times it. Unmeasured without a baseline.`,
  read: (run, { baseline, taskType }) => {
    const requests = Math.max(1, run.requests);
    const turns = effortTurns(run);
    if (run.turns === 0) return { measured: false, reason: 'no turn was recorded' };
    const usual = baseline?.turns ?? 0;
    if (!(usual > 0)) return noBaseline(taskType);
    const each = turns / requests;
    const left = (WORTHLESS_AT * usual - each) / ((WORTHLESS_AT - 1) * usual);
    return {
      measured: true,
      value: Math.min(1, Math.max(0, left)),
      because: `${sayTurns(turns, requests)} against ${usual} for ${taskType}`,
      lines: [],
    };
  },
};

/** Turns of effort: a message of thanks does not count. */
export function effortTurns({ turns, thanks }: Pick<AgentRunFacts, 'turns' | 'thanks'>): number {
  return Math.max(Math.min(1, turns), turns - thanks);
}

function sayTurns(turns: number, requests: number): string {
  const said = `${turns} ${turns === 1 ? 'turn' : 'turns'}`;
  if (requests <= 1) return said;
  return `${said} for ${requests} requests, ${Number((turns / requests).toFixed(2))} each,`;
}
