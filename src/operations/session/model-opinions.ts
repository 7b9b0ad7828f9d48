import { AssayError } from '../../errors.ts';
import { isModelAuthor, type ModelOpinion } from '../../session/model-judge/model-opinion.ts';
import type { Rating, SessionSummary, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

/** The latest opinions of models about sessions, stored as ratings. They are never part of Q. */
export class Opinions {
  readonly #bySubject: ReadonlyMap<string, ModelOpinion>;

  private constructor(bySubject: ReadonlyMap<string, ModelOpinion>) {
    this.#bySubject = bySubject;
  }

  /** Names that several sessions share are excluded. */
  static async read(ports: Pick<Ports, 'store'> | undefined, sessions: Store): Promise<Opinions> {
    const said = ports === undefined ? [] : await ratingsOfSessions(ports);
    const found = new Map(
      said
        .filter(({ author }) => isModelAuthor(author))
        .sort((a, b) => (a.at < b.at ? -1 : 1))
        .map(({ subjectId, rating, author }) => [subjectId, { rating, author }]),
    );
    for (const name of found.keys()) {
      const keyed = (await sessions.readSession(name)) === undefined ? 0 : 1;
      if ((await sessions.countSessions({ sessionId: name })) + keyed > 1) found.delete(name);
    }
    return new Opinions(found);
  }

  of({ sessionKey, sessionId }: Pick<SessionSummary, 'sessionKey' | 'sessionId'>): ModelOpinion | undefined {
    return this.#bySubject.get(sessionKey) ?? this.#bySubject.get(sessionId);
  }
}

/** No ratings when the store is unreadable: writes and queries report that error. */
export async function ratingsOfSessions(ports: Pick<Ports, 'store'>): Promise<readonly Rating[]> {
  try {
    return await (await ports.store('looking')).readRatings({ kind: 'session', latest: true });
  } catch (error) {
    if (error instanceof AssayError) return [];
    throw error;
  }
}
