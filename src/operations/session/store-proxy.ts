/**
 * A store in another thread, reached by messages. One process has one writer, so that it never waits for its own lock.
 */
import { setImmediate } from 'node:timers/promises';
import type { Intake, PartPlace, StreamName, StreamPart } from '../../store/intake.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import type { Delivery, Rating, RatingQuery, Store } from '../../store/store.ts';
import type { TranscriptIndex } from '../../store/transcripts.ts';
import type { Ports } from '../ports.ts';

export type StoreQuestion =
  | {
      readonly what: 'keep';
      readonly rows: readonly SessionRow[];
      readonly deliveries: readonly Delivery[];
    }
  | { readonly what: 'ratings'; readonly query: RatingQuery | undefined }
  | { readonly what: 'notes' }
  | { readonly what: 'parts'; readonly of: StreamName; readonly after: PartPlace | undefined }
  | { readonly what: 'contents'; readonly of: StreamName; readonly keys: readonly string[] };

/** The response to a request. */
export type StoreAnswer =
  | readonly Rating[]
  | readonly StreamPart[]
  | ReadonlyMap<string, Uint8Array>
  | ReadonlyMap<string, string>;

/** Storing this many takes a few milliseconds; then other requests have their turn. */
const STORED_TOGETHER = 20;

export function storeProxy(ask: (question: StoreQuestion) => Promise<StoreAnswer>): Store {
  const intake: Pick<Intake, 'parts' | 'contents'> = {
    parts: async (of, after) => (await ask({ what: 'parts', of, after })) as readonly StreamPart[],
    contents: async (of, keys) =>
      (await ask({ what: 'contents', of, keys })) as ReadonlyMap<string, Uint8Array>,
  };
  const transcripts: Pick<TranscriptIndex, 'notes'> = {
    notes: async () => (await ask({ what: 'notes' })) as ReadonlyMap<string, string>,
  };
  const store: Pick<Store, 'appendSessions' | 'readRatings' | 'intake' | 'transcripts'> = {
    intake: intake as Intake,
    transcripts: transcripts as TranscriptIndex,
    appendSessions: async (rows, deliveries = []) => {
      await ask({ what: 'keep', rows, deliveries });
      return { added: rows.length, known: 0 };
    },
    readRatings: async (query) => (await ask({ what: 'ratings', query })) as readonly Rating[],
  };
  return store as Store;
}

export async function answerFromStore(question: StoreQuestion, ports: Ports): Promise<StoreAnswer> {
  if (question.what === 'ratings') return (await ports.store('looking')).readRatings(question.query);
  const store = await ports.store();
  if (question.what === 'notes') return (await store.transcripts?.notes()) ?? new Map();
  if (question.what === 'parts') return store.intake.parts(question.of, question.after);
  if (question.what === 'contents') return store.intake.contents(question.of, question.keys);
  const { rows, deliveries } = question;
  await store.appendSessions(rows.slice(0, STORED_TOGETHER), deliveries);
  for (let from = STORED_TOGETHER; from < rows.length; from += STORED_TOGETHER) {
    await setImmediate();
    await store.appendSessions(rows.slice(from, from + STORED_TOGETHER));
  }
  return [];
}
