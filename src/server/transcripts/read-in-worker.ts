/**
 * Questions that read a whole transcript, answered in a thread of their own: a long one takes seconds, and everybody else is
 * answered meanwhile. One at a time; when the client is gone, or after a while, the thread ends.
 */
import { Worker } from 'node:worker_threads';
import { AssayError } from '../../errors.ts';
import type { Ports, ProjectScope } from '../../operations/ports.ts';
import {
  type ExplainRequest,
  type Explanation,
  explainSession,
} from '../../operations/session/explain-session.ts';
import { type LinesRequest, readLines, type SessionLines } from '../../operations/session/read-lines.ts';
import { errorSent, type SentError } from '../live/watch-thread.ts';
import type { Access } from '../security/access.ts';

export type TranscriptQuestion =
  | { readonly what: 'explanation'; readonly request: ExplainRequest }
  | { readonly what: 'lines'; readonly request: LinesRequest };

/** To the thread, as plain data. */
export type WorkerRequest = {
  readonly question: TranscriptQuestion;
  readonly store: string;
  readonly scope: ProjectScope;
};
/** From the thread. */
export type WorkerResponse = { readonly answer: Explanation | SessionLines } | { readonly error: SentError };

type Answer<Question extends TranscriptQuestion> = Question extends { what: 'lines' }
  ? SessionLines
  : Explanation;

const LONGEST_MS = 40_000;
const MOST_WAITING = 20;

let worker: Worker | undefined;
let working: Promise<unknown> = Promise.resolve();
let waiting = 0;

export async function readInWorker<Question extends TranscriptQuestion>(
  question: Question,
  ports: Ports,
  { projects }: Access,
): Promise<Answer<Question>> {
  const { address } = await ports.store('looking');
  // No other thread sees what is in memory.
  if (address === ':memory:') return (await answerTranscript(question, ports)) as Answer<Question>;
  if (waiting >= MOST_WAITING)
    throw new AssayError('FILE_BUSY', `${waiting} other requests are already waiting to read transcripts`);
  waiting += 1;
  const asked = { question, store: address, scope: projects === undefined ? {} : { sees: projects } };
  const answered = working.then(() => askThread(asked, ports.signal)).finally(() => (waiting -= 1));
  working = answered.catch(() => {});
  return (await answered) as Answer<Question>;
}

export function answerTranscript(
  { what, request }: TranscriptQuestion,
  ports: Ports,
): Promise<Explanation | SessionLines> {
  return what === 'lines' ? readLines(request, ports) : explainSession(request, ports);
}

async function askThread(asked: WorkerRequest, signal: AbortSignal): Promise<Explanation | SessionLines> {
  signal.throwIfAborted();
  worker ??= startThread();
  const thread = worker;
  const { promise, resolve, reject } = Promise.withResolvers<WorkerResponse>();
  const end = (why: unknown) => {
    worker = undefined;
    reject(why);
    void thread.terminate();
  };
  const onAbort = () => end(signal.reason);
  const onLong = () =>
    end(new AssayError('FILE_TOO_LARGE', `reading the transcript took longer than ${LONGEST_MS / 1000} s`));
  const timer = setTimeout(onLong, LONGEST_MS);
  signal.addEventListener('abort', onAbort);
  thread.once('message', resolve).once('error', end);
  thread.ref();
  thread.postMessage(asked);
  try {
    const answered = await promise;
    if ('error' in answered) throw errorSent(answered.error);
    return answered.answer;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    thread.off('message', resolve).off('error', end);
    thread.unref();
  }
}

function startThread(): Worker {
  const script = import.meta.url.endsWith('.ts') ? './read-worker.ts' : './read-worker.js';
  const thread = new Worker(new URL(script, import.meta.url));
  // Also while nobody waits for it.
  return thread.on('error', () => {
    if (worker === thread) worker = undefined;
  });
}
