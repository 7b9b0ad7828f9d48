import type { FileReading } from '../../session/evidence.ts';
import { type Moment, scoreByMessage } from '../../session/ingest/replay/score-by-message.ts';
import type { Explanation } from '../../session/results.ts';
import { type SessionOptions, scoreSession } from '../../session/score-session.ts';
import type { Ports } from '../ports.ts';
import { collectSessions } from './collect-sessions.ts';
import { findSession } from './find-session.ts';
import type { SessionRequest } from './session-request.ts';

export type ExplainRequest = SessionRequest & {
  /** The id of a session or its beginning, or its key. */
  readonly id: string;
  /** Also how the score came about: the transcript is read again. */
  readonly perMessage?: boolean;
};

export function explainSession(request: ExplainRequest, ports: Ports): Promise<Explanation> {
  return collectSessions(request, ports, async ({ sessions, detailsOf, options }) => {
    const found = findSession(sessions, request.id);
    const { session, file } = detailsOf(found);
    if (request.perMessage !== true) return { session, file };
    return { session, file, moments: await momentsOf(session.sessionId, file, options, found.key) };
  });
}

function momentsOf(
  sessionId: string,
  file: FileReading,
  options: SessionOptions,
  key: string,
): Promise<Moment[]> {
  return scoreByMessage(file.path, sessionId, (facts) => scoreSession(facts, options, key).q);
}
