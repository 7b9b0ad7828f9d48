import type { WorkOutcome } from '../../session/outcomes/work-outcome.ts';
import { storedIn } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type ReadReport } from './ask-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type Outcomes = ReadReport & {
  readonly outcomes: readonly SessionOutcome[];
  /** How many other sessions were compared to find the last author of a line, and whether those are all. */
  readonly beside?: { readonly sessions: number; readonly all: boolean };
};

/** The outcome of a session's work, with its key. */
export type SessionOutcome = WorkOutcome & { readonly key: string };

export type OutcomesRequest = SessionRequest & {
  /** The number of newest sessions; without it all of them, file by file. */
  readonly limit?: number;
};

/** The outcome of each session's work, from the last read of its repository. */
export async function listOutcomes(request: OutcomesRequest, ports: Ports): Promise<Outcomes> {
  const { limit } = request;
  return askSessions(request, ports, async (asked) => {
    const outcomes: SessionOutcome[] = [];
    const rows = limit === undefined ? asked.rows() : asked.newest(limit);
    for await (const row of rows) {
      const { work } = storedIn(row);
      if (work !== undefined) outcomes.push({ ...work, key: row.sessionKey });
    }
    return { outcomes };
  });
}
