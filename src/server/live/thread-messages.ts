/** What the server and the thread that follows sessions say to each other: plain data, as threads copy it. */
import { AssayError, ERRORS, type ErrorCode } from '../../errors.ts';
import type { StoreAnswer, StoreQuestion } from '../../operations/session/distant-store.ts';
import type { WatchRequest } from '../../operations/session/watch-sessions.ts';
import type { Grown } from '../../session/live/replica.ts';
import type { SessionLiveEvent } from '../../session/results.ts';

export type SentError = { readonly code: ErrorCode; readonly message: string; readonly remedy: string };

export type ThreadHears =
  | { readonly kind: 'begin'; readonly request: WatchRequest }
  | { readonly kind: 'touch'; readonly paths: readonly string[]; readonly received?: readonly Grown[] }
  | { readonly kind: 'end'; readonly path: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: StoreAnswer }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: SentError };

/** What only the server can do: it has the store, and everybody who listens. */
export type ThreadQuestion = StoreQuestion | { readonly what: 'tell'; readonly event: SessionLiveEvent };

export type ThreadSays =
  | { readonly kind: 'begun' }
  | { readonly kind: 'not begun'; readonly error: SentError }
  | { readonly kind: 'not kept'; readonly error: SentError }
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
