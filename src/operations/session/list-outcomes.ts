import type { WorkOutcome } from '../../session/outcomes/work-outcome.ts';
import { storedIn } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type LeftOut } from './ask-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type Outcomes = LeftOut & {
  readonly outcomes: readonly SessionOutcome[];
  /** How many others were looked at for who wrote a line last, and whether those are all there are. */
  readonly beside?: { readonly sessions: number; readonly all: boolean };
};

/** What became of the work of a session, and which session it is. */
export type SessionOutcome = WorkOutcome & { readonly key: string };

export type OutcomesRequest = SessionRequest & {
  /** The newest so many; without it all of them, file by file. */
  readonly limit?: number;
};

/** What became of the work of each session, as its repository said when it was asked last. */
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
