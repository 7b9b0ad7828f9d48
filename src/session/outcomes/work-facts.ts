import type { AgentRunFacts, SessionFacts } from '../evidence.ts';

/** What is held against a repository of a session: far less than all that is known of it. */
export type FactsOfWork = Pick<SessionFacts, 'sessionId' | 'written'> & {
  readonly runs: readonly Pick<AgentRunFacts, 'startedAt'>[];
};

/** Of its runs only when the first and the earliest began. */
export function workFactsOf({ sessionId, written, runs }: SessionFacts): FactsOfWork {
  const begun = runs.flatMap(({ startedAt }) => startedAt ?? []);
  const earliest = begun.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const times = [...new Set([...begun.slice(0, 1), ...(begun.length > 0 ? [earliest] : [])])];
  return {
    sessionId,
    written,
    runs: times.map((startedAt) => ({ startedAt })),
  };
}
