import { AssayError } from '../../errors.ts';
import { isModelAuthor, type ModelOpinion } from '../../session/model-judge/model-opinion.ts';
import type { ScoredSession } from '../../session/score-session.ts';
import type { Ports } from '../ports.ts';
import { sharedAmong } from './joinable.ts';
import type { ReadSession } from './read-sessions.ts';

/** `session_id` or `session_key` → the last rating by a model. */
export type ModelOpinions = ReadonlyMap<string, ModelOpinion>;

export const NO_OPINIONS: ModelOpinions = new Map();

/** What the store has. A store that cannot be read says so where something is put into it or asked of it. */
export async function modelOpinions(ports: Ports): Promise<ModelOpinions> {
  try {
    const store = await ports.store('looking');
    const ratings = await store.readRatings({ kind: 'session', latest: 'per author' });
    return new Map(
      ratings
        .filter(({ author }) => isModelAuthor(author))
        .sort((a, b) => (a.at < b.at ? -1 : 1))
        .map(({ subjectId, rating, author }) => [subjectId, { rating, author }]),
    );
  } catch (error) {
    if (error instanceof AssayError) return NO_OPINIONS;
    throw error;
  }
}

/** Without those of names that several of the sessions have. */
export function opinionsOf(sessions: readonly ReadSession[], said: ModelOpinions): ModelOpinions {
  if (said.size === 0) return NO_OPINIONS;
  const opinions = new Map(said);
  for (const { sessionId } of sharedAmong(sessions, new Set(said.keys()))) opinions.delete(sessionId);
  return opinions;
}

export function withOpinion(session: ScoredSession, key: string, opinions: ModelOpinions): ScoredSession {
  const opinion = opinions.size === 0 ? undefined : (opinions.get(key) ?? opinions.get(session.sessionId));
  return opinion === undefined ? session : { ...session, opinion };
}
