/**
 * What following sessions needs of a store that somebody else has open: as messages. A store has one writer in a process, so
 * that nobody waits for a lock of our own.
 */
import { setImmediate } from 'node:timers/promises';
import type { SessionRow } from '../../store/schema/session.ts';
import type { Rating, RatingQuery, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

export type StoreQuestion =
  | { readonly what: 'keep'; readonly rows: readonly SessionRow[] }
  | { readonly what: 'ratings'; readonly query: RatingQuery | undefined };

/** Ratings, where these were asked for. */
export type StoreAnswer = readonly Rating[];

/** Storing so many takes a few milliseconds; then others have their turn. */
const STORED_TOGETHER = 20;

export function distantStore(ask: (question: StoreQuestion) => Promise<StoreAnswer>): Store {
  const store: Pick<Store, 'appendSessions' | 'readRatings'> = {
    appendSessions: async (rows) => {
      await ask({ what: 'keep', rows });
      return { added: rows.length, known: 0 };
    },
    readRatings: (query) => ask({ what: 'ratings', query }),
  };
  return store as Store;
}

export async function answerFromStore(question: StoreQuestion, ports: Ports): Promise<StoreAnswer> {
  if (question.what === 'ratings') return (await ports.store('looking')).readRatings(question.query);
  const { rows } = question;
  const store = await ports.store();
  for (let from = 0; from < rows.length; from += STORED_TOGETHER) {
    if (from > 0) await setImmediate();
    await store.appendSessions(rows.slice(from, from + STORED_TOGETHER));
  }
  return [];
}
