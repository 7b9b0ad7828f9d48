import type { FileReading } from '../../session/evidence.ts';
import { type Moment, scoreByMessage } from '../../session/ingest/replay/score-by-message.ts';
import type { Explanation } from '../../session/results.ts';
import { type SessionOptions, scoreSession } from '../../session/score-session.ts';
import type { Ports } from '../ports.ts';
import { collectSessions } from './collect-sessions.ts';
import { findSession } from './find-session.ts';
import type { SessionRequest } from './session-request.ts';

export type ExplainRequest = SessionRequest & {
  /** The id of a session, or its beginning. */
  readonly id: string;
  /** Also how the score came about: the transcript is read again. */
  readonly perMessage?: boolean;
};

export function explainSession(request: ExplainRequest, ports: Ports): Promise<Explanation> {
  return collectSessions(request, ports, async ({ sessions, detailsOf, options }) => {
    const { session, file } = detailsOf(findSession(sessions, request.id));
    if (request.perMessage !== true) return { session, file };
    return { session, file, moments: await momentsOf(session.sessionId, file, options) };
  });
}

function momentsOf(sessionId: string, file: FileReading, options: SessionOptions): Promise<Moment[]> {
  return scoreByMessage(file.path, sessionId, (facts) => scoreSession(facts, options).q);
}
