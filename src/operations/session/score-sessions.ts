import type { LeftOut } from '../../session/results.ts';
import { stopIfAborted, yieldToEventLoop } from '../../session/stop-if-aborted.ts';
import type { FullSession } from '../../session/stored-session.ts';
import type { Ports } from '../ports.ts';
import { type AskedSessions, type AskRequest, askSessions } from './ask-sessions.ts';

export type { FullSession };

/** What is known when all are scored. */
export type Scoring = LeftOut & { readonly sessions: number; readonly filteredOut: number };

/** Others get their turn after so many. */
const SCORED_TOGETHER = 250;

/** Each session with its facts and signals, file by file; any number of them takes little memory. */
export async function scoreSessions(
  request: AskRequest,
  ports: Ports,
  take: (one: FullSession, key: string, asked: AskedSessions) => void | Promise<void>,
): Promise<Scoring> {
  return askSessions(request, ports, async (asked) => {
    let sessions = 0;
    for await (const row of asked.rows()) {
      sessions += 1;
      if (sessions % SCORED_TOGETHER === 0) await yieldToEventLoop(ports.signal);
      else stopIfAborted(ports.signal);
      await take(asked.full(row), row.sessionKey, asked);
    }
    return { sessions, filteredOut: (await asked.store.countSessions()) - sessions };
  });
}
