import { existsSync } from 'node:fs';
import { readRatings } from '../../session/calibration/labels.ts';
import { DEFAULT_SAMPLE, sampleForRating } from '../../session/calibration/sample-for-rating.ts';
import { type Excerpt, excerptOf } from '../../session/ingest/replay/read-quotes.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type { FullSession } from '../../session/stored-session.ts';
import { isoTime } from '../../session/time-zone.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type ReadReport } from './ask-sessions.ts';
import { byUniqueName, isNamedIn } from './match-labels.ts';
import type { SessionRequest } from './session-request.ts';

export const DEFAULT_COUNT = DEFAULT_SAMPLE;

export type SampleRequest = SessionRequest & {
  readonly count?: number;
  /** Sessions that this author has rated in this file are skipped; set both or neither. */
  readonly ratings?: string;
  readonly author?: string;
};

/** What a rater may see of a session: nothing of its score. */
export type SessionToRate = {
  /** The id for a rating: its session id, or its key when the id is not unique. */
  readonly sessionId: string;
  readonly sessionKey: string;
  /** The project of the session, and so of its rating. */
  readonly project?: string;
  readonly source: string;
  readonly taskType: TaskType;
  /** ISO 8601. */
  readonly startedAt?: string;
  readonly path: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly turns: number;
  readonly toolCalls: number;
  readonly toolErrors: number;
  readonly isRated: boolean;
  /** The first request and the last reply, read from the transcript; not stored. */
  readonly excerpt: () => Promise<Excerpt>;
};

export type SessionsToRate = ReadReport & { readonly sessions: readonly SessionToRate[] };

/** A seeded sample over task types and the range of Q, without showing either. */
export function sampleSessions(request: SampleRequest, ports: Ports): Promise<SessionsToRate> {
  const { count = DEFAULT_COUNT, ratings, author } = request;
  return askSessions(request, ports, async (asked) => {
    const rated = ratedBy(ratings, author);
    const byName = byUniqueName(await asked.summaries());
    const { sessions: sample } = sampleForRating(
      [...byName].map(([sessionId, row]) => ({ sessionId, taskType: row.taskType, q: row.q })),
      { n: count },
    );
    const sessions: SessionToRate[] = [];
    for (const { sessionId } of sample) {
      const row = byName.get(sessionId);
      if (row !== undefined)
        sessions.push(
          toRate(sessionId, row.sessionKey, await asked.details(row), isNamedIn(rated, sessionId, row)),
        );
    }
    return { sessions };
  });
}

function ratedBy(file: string | undefined, author: string | undefined): Set<string> {
  if (file === undefined || !existsSync(file)) return new Set();
  return new Set(readRatings(file).flatMap((one) => (one.author === author ? [one.sessionId] : [])));
}

function toRate(
  name: string,
  sessionKey: string,
  { session, facts, file }: FullSession,
  isRated: boolean,
): SessionToRate {
  const { sessionId, source, taskType, turns, toolCalls, toolErrors } = session;
  const startedAt = isoTime(session.startedAt);
  return {
    sessionId: name,
    sessionKey,
    project: facts.project,
    source,
    taskType,
    startedAt,
    path: file.path,
    firstLine: facts.runs[0]?.firstLine ?? 1,
    lastLine: facts.runs.at(-1)?.lastLine ?? 1,
    turns,
    toolCalls,
    toolErrors,
    isRated,
    excerpt: () => excerptOf(file.path, sessionId),
  };
}
