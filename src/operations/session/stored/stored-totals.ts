import { meanOfMoments } from '../../../measure/over-cases.ts';
import type { SessionTotals } from '../../../session/results.ts';
import type { SessionRollup } from '../../../store/rollup.ts';

/** What `totalsOf` would say of the sessions. */
export function totalsOfRollup({ sessions, q, turns, tokens, cost }: SessionRollup): SessionTotals {
  return {
    sessions,
    q: meanOfMoments(q, sessions, 'no run of the session could be scored'),
    turns,
    usage: tokens,
    ...(cost.n > 0 && { costUsd: cost.sumUsd }),
    costUnknown: sessions - cost.n,
    costIsLowerBound: cost.atLeast > 0,
  };
}
