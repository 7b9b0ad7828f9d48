/** What is to be done before the process is gone, without changing how it ends. */
export type EndHandlers = {
  /** Nothing is left to do: there is time. */
  readonly idle: () => Promise<void>;
  /** The process ends now; only synchronous work still happens. */
  readonly now: () => void;
};

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const all = new Set<EndHandlers>();

/** Gives what takes it back. */
export function onProcessEnd(things: EndHandlers): () => void {
  if (all.size === 0) listen();
  all.add(things);
  return () => {
    all.delete(things);
    if (all.size === 0) stopListening();
  };
}

function listen(): void {
  process.on('beforeExit', whenIdle);
  process.on('exit', endNow);
  for (const signal of SIGNALS) process.on(signal, bySignal);
}

function stopListening(): void {
  process.off('beforeExit', whenIdle);
  process.off('exit', endNow);
  for (const signal of SIGNALS) process.off(signal, bySignal);
}

const done = new WeakSet<EndHandlers>();

/** Awaited work keeps the process alive, and the event fires again afterwards. */
function whenIdle(): void {
  for (const things of all) {
    if (done.has(things)) continue;
    done.add(things);
    void things.idle();
  }
}

function endNow(): void {
  for (const { now } of all) now();
}

/** A listener prevents the default exit, so the process is ended where no other listener exists. */
function bySignal(signal: NodeJS.Signals): void {
  endNow();
  process.off(signal, bySignal);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
