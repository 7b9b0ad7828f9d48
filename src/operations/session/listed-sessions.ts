/** Sessions as lines of a list. */
import { concernsOf } from '../../session/concerns.ts';
import type { SessionFacts } from '../../session/evidence.ts';
import type { Environment } from '../../session/ingest/formats/format.ts';
import type { ListedSession } from '../../session/results.ts';
import type { ScoredSession } from '../../session/score-session.ts';
import { keyOfSession } from '../../session/session-key.ts';
import type { Shortener } from '../../session/session-score.ts';
import { whyLow } from '../../session/why-low.ts';
import type { Ports } from '../ports.ts';
import type { FullSession } from './score-sessions.ts';

/** Each file is read once, however many of its sessions are listed. */
export async function withTitles(
  shown: readonly ListedSession[],
  environment: Environment,
  ports: Ports,
): Promise<ListedSession[]> {
  const { readTitles } = await import('../../session/ingest/replay/read-titles.ts');
  const told: ListedSession[] = [];
  for (const [path, own] of Map.groupBy(shown, (one) => one.path)) {
    ports.signal.throwIfAborted();
    const titles = await readTitles(
      path,
      own.map(({ sessionId }) => sessionId),
      environment,
    );
    ports.progress({ what: 'Titles', done: told.length, total: shown.length, unit: 'sessions' });
    for (const one of own) {
      const title = titles.get(one.sessionId);
      told.push(title === undefined ? one : { ...one, title });
    }
  }
  return told;
}

export function listedSession({ session, facts, file }: FullSession, short: Shortener): ListedSession {
  const { categories: _, weights: _w, baselineSet: _b, ...score } = short.scoreOf(session, facts.project);
  return {
    ...score,
    key: keyOfSession(facts, file),
    path: file.path,
    turns: session.turns,
    usage: session.usage,
    why: short.text(whyOf(session, facts)),
  };
}

/** Scored again for its details it has no rating by a model, which is no part of its score. */
export function withRating(
  one: ListedSession,
  { modelRating }: Pick<ListedSession, 'modelRating'>,
): ListedSession {
  return modelRating === undefined ? one : { ...one, modelRating };
}

/** Below this what took the score away is worth a word, also where nothing worried. */
const SAID_BELOW = 0.75;

export function whyOf(session: ScoredSession, facts: SessionFacts): string {
  const { why } = concernsOf(session, facts);
  if (why !== '') return why;
  return session.q !== undefined && session.q < SAID_BELOW ? whyLow(session) : '';
}
