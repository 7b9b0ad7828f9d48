/** The thread that follows sessions: reads and scores them, and asks the server for what only that can do. */
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { defaultPorts } from '../../operations/default-ports.ts';
import type { Ports } from '../../operations/ports.ts';
import { type StoreAnswer, storeProxy } from '../../operations/session/store-proxy.ts';
import { type WatchedSessions, watchSessions } from '../../operations/session/watch-sessions.ts';
import { errorSent, type FromThread, sentError, type ThreadQuestion, type ToThread } from './watch-thread.ts';

type Waiting = { readonly done: (answer: StoreAnswer) => void; readonly fail: (error: Error) => void };

/** Requests go first. On other systems this would set the priority of the whole process. */
const LATER = 5;
// Who was started later still may not come forward.
if (process.platform === 'linux') setPriority(0, Math.max(LATER, getPriority(0)));

const waiting = new Map<number, Waiting>();
let asked = 0;
let watched: Promise<WatchedSessions> | undefined;

const say = (message: FromThread) => parentPort?.postMessage(message);

function ask(question: ThreadQuestion): Promise<StoreAnswer> {
  const id = ++asked;
  return new Promise((done, fail) => {
    waiting.set(id, { done, fail });
    say({ kind: 'ask', id, question });
  });
}

const ports: Ports = {
  ...defaultPorts(),
  store: async () => storeProxy(ask),
  reportStorageFailure: (error) => say({ kind: 'not stored', error: sentError(error) }),
};

async function begin(request: Extract<ToThread, { kind: 'begin' }>['request']): Promise<void> {
  watched = watchSessions(request, ports, async (event, row) => {
    await ask({ what: 'tell', event, row });
  });
  try {
    await watched;
    say({ kind: 'begun' });
  } catch (error) {
    say({ kind: 'not begun', error: sentError(error) });
  }
}

async function stop(): Promise<void> {
  await (await watched?.catch(() => undefined))?.stop();
  say({ kind: 'stopped' });
}

function settle(id: number, how: (one: Waiting) => void): void {
  const one = waiting.get(id);
  waiting.delete(id);
  if (one !== undefined) how(one);
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'begin') void begin(message.request);
  else if (message.kind === 'stop') void stop();
  else if (message.kind === 'answer') settle(message.id, ({ done }) => done(message.answer));
  else if (message.kind === 'refusal') settle(message.id, ({ fail }) => fail(errorSent(message.error)));
  else
    void watched
      ?.then(({ follower }) =>
        message.kind === 'end' ? follower.end(message.path) : follower.addStreams(message.streams),
      )
      .catch(() => {});
});
