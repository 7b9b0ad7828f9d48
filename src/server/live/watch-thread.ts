/** Sessions followed in a thread of their own: reading and scoring them takes no turn of those who ask the server. */
import { Worker } from 'node:worker_threads';
import { AssayError, ERRORS, type ErrorCode } from '../../errors.ts';
import type { Ports } from '../../operations/ports.ts';
import type { SessionLiveEvent } from '../../operations/session/session-event.ts';
import {
  answerFromStore,
  type StoreAnswer,
  type StoreQuestion,
} from '../../operations/session/store-proxy.ts';
import type { SessionListener, WatchRequest } from '../../operations/session/watch-sessions.ts';
import type { StreamState } from '../../session/live/sent-streams.ts';
import type { ListedSession } from '../../session/session-groups.ts';

export type SentError = { readonly code: ErrorCode; readonly message: string; readonly remedy: string };

/** What the server says to the thread: plain data, as threads copy it. */
export type ToThread =
  | { readonly kind: 'begin'; readonly request: WatchRequest }
  | { readonly kind: 'streams'; readonly streams: readonly StreamState[] }
  | { readonly kind: 'end'; readonly path: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: StoreAnswer }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: SentError };

/** What only the server can do: it has the store, and everybody who listens. */
export type ThreadQuestion =
  | StoreQuestion
  | { readonly what: 'tell'; readonly event: SessionLiveEvent; readonly row: ListedSession };

export type FromThread =
  | { readonly kind: 'begun' }
  | { readonly kind: 'not begun'; readonly error: SentError }
  | { readonly kind: 'not stored'; readonly error: SentError }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'ask'; readonly id: number; readonly question: ThreadQuestion };

export function sentError(error: unknown): SentError {
  if (error instanceof AssayError) return { code: error.code, message: error.message, remedy: error.remedy };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'INTERNAL', message, remedy: ERRORS.INTERNAL.remedy };
}

export function errorSent({ code, message, remedy }: SentError): AssayError {
  return new AssayError(code, message, { remedy });
}

export type WatchThread = {
  /** More was sent. */
  readonly addStreams: (streams: readonly StreamState[]) => void;
  /** Marks the sessions of a file as ended. */
  readonly end: (path: string) => void;
  /** What changed before is scored first. */
  readonly stop: () => Promise<void>;
  /** Resolves when the thread is no more. */
  readonly ended: Promise<void>;
};

/** Resolves when everything present is scored. */
export async function watchInThread(
  request: WatchRequest,
  ports: Ports,
  tell: SessionListener,
): Promise<WatchThread> {
  // A clone runs its sources, an installed package its build.
  const script = import.meta.url.endsWith('.ts') ? './watch-worker.ts' : './watch-worker.js';
  const worker = new Worker(new URL(script, import.meta.url));
  const say = (message: ToThread) => worker.postMessage(message);
  const begun = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  let cause: unknown;
  worker.on('error', (error) => {
    cause = error;
  });
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      begun.reject(
        new AssayError('INTERNAL', `the thread that scores live sessions ended: ${cause}`, { cause }),
      );
      resolve();
    });
  });
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'ask') void answer(message.id, message.question, ports, tell).then(say);
    else if (message.kind === 'begun') begun.resolve();
    else if (message.kind === 'not begun') begun.reject(errorSent(message.error));
    else if (message.kind === 'not stored') ports.reportStorageFailure(errorSent(message.error));
    else stopped.resolve();
  });
  say({ kind: 'begin', request });
  try {
    await begun.promise;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return {
    addStreams: (streams) => say({ kind: 'streams', streams }),
    end: (path) => say({ kind: 'end', path }),
    stop: async () => {
      say({ kind: 'stop' });
      await Promise.race([stopped.promise, ended]);
      await worker.terminate();
    },
    ended,
  };
}

async function answer(
  id: number,
  question: ThreadQuestion,
  ports: Ports,
  tell: SessionListener,
): Promise<ToThread> {
  try {
    if (question.what !== 'tell')
      return { kind: 'answer', id, answer: await answerFromStore(question, ports) };
    await tell(question.event, question.row);
    return { kind: 'answer', id, answer: [] };
  } catch (error) {
    return { kind: 'refusal', id, error: sentError(error) };
  }
}
