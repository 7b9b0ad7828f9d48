/** Sessions followed in a thread of their own: reading and scoring them takes no turn of those who ask the server. */
import { Worker } from 'node:worker_threads';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../../operations/ports.ts';
import { answerFromStore } from '../../operations/session/distant-store.ts';
import type { WatchRequest } from '../../operations/session/watch-sessions.ts';
import type { Grown } from '../../session/live/replica.ts';
import type { SessionLiveEvent } from '../../session/results.ts';
import {
  errorSent,
  sentError,
  type ThreadHears,
  type ThreadQuestion,
  type ThreadSays,
} from './thread-messages.ts';

export type WatchThread = {
  /** These files may have changed. */
  readonly touch: (paths: readonly string[], received?: readonly Grown[]) => void;
  /** Whoever knows says that the sessions of a file have ended. */
  readonly end: (path: string) => void;
  /** What was touched before is scored first. */
  readonly stop: () => Promise<void>;
  /** Resolves when the thread is no more. */
  readonly ended: Promise<void>;
};

/** Resolves when what is there is scored. */
export async function watchInThread(
  request: WatchRequest,
  ports: Ports,
  tell: (event: SessionLiveEvent) => Promise<void>,
): Promise<WatchThread> {
  // A clone runs its sources, an installed package what was built from them.
  const script = import.meta.url.endsWith('.ts') ? './watch-worker.ts' : './watch-worker.js';
  const worker = new Worker(new URL(script, import.meta.url));
  const say = (message: ThreadHears) => worker.postMessage(message);
  const { ended, why } = endOf(worker);
  const heard = hearFrom(worker, ports);
  worker.on('message', (message: ThreadSays) => {
    if (message.kind === 'ask') void answer(message.id, message.question, ports, tell).then(say);
  });
  say({ kind: 'begin', request });
  const begun = await Promise.race([heard.begun, ended.then(why)]);
  if (begun instanceof Error) {
    await worker.terminate();
    throw begun;
  }
  return {
    touch: (paths, received = []) => say({ kind: 'touch', paths, received }),
    end: (path) => say({ kind: 'end', path }),
    stop: async () => {
      say({ kind: 'stop' });
      await Promise.race([heard.stopped, ended]);
      await worker.terminate();
    },
    ended,
  };
}

function hearFrom(
  worker: Worker,
  ports: Ports,
): { readonly begun: Promise<AssayError | undefined>; readonly stopped: Promise<void> } {
  const begun = Promise.withResolvers<AssayError | undefined>();
  const stopped = Promise.withResolvers<void>();
  worker.on('message', (message: ThreadSays) => {
    if (message.kind === 'begun') begun.resolve(undefined);
    else if (message.kind === 'not begun') begun.resolve(errorSent(message.error));
    else if (message.kind === 'not kept') ports.notKept(errorSent(message.error));
    else if (message.kind === 'stopped') stopped.resolve();
  });
  return { begun: begun.promise, stopped: stopped.promise };
}

function endOf(worker: Worker): { readonly ended: Promise<void>; readonly why: () => AssayError } {
  let cause: unknown;
  worker.on('error', (error) => {
    cause = error;
  });
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => resolve());
  });
  const why = () => new AssayError('INTERNAL', `following sessions has ended: ${cause}`, { cause });
  return { ended, why };
}

async function answer(
  id: number,
  question: ThreadQuestion,
  ports: Ports,
  tell: (event: SessionLiveEvent) => Promise<void>,
): Promise<ThreadHears> {
  try {
    if (question.what !== 'tell')
      return { kind: 'answer', id, answer: await answerFromStore(question, ports) };
    await tell(question.event);
    return { kind: 'answer', id, answer: [] };
  } catch (error) {
    return { kind: 'refusal', id, error: sentError(error) };
  }
}
