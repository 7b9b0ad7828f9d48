import type { ExtractionTask, Extractor } from '../extractor.ts';
import type { ExtractionOutput } from '../output.ts';

export type ExtractionResult<T extends ExtractionTask = ExtractionTask> =
  | { readonly task: T; readonly output: ExtractionOutput }
  | { readonly task: T; readonly error: unknown };

type ExtractionOptions = {
  /** How many texts are worked on at the same time (default 4). */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Told after each text, in the order in which they end. */
  readonly onProgress?: (progress: { readonly done: number; readonly failed: number }) => void;
};

const DEFAULT_CONCURRENCY = 4;

/** So far ahead of the one that is waited for may others run: a slow text does not idle the rest. */
const WINDOW = 8;

/**
 * Runs tasks through any extractor, several at a time, and yields a result for each in the order of the tasks, as soon
 * as it is its turn. Tasks are taken one by one as there is room, so neither they nor the results are ever held all at
 * once. A task that fails is a result; only an abort ends the series.
 */
export async function* extractAll<T extends ExtractionTask>(
  extractor: Extractor,
  tasks: Iterable<T> | AsyncIterable<T>,
  options: ExtractionOptions = {},
): AsyncGenerator<ExtractionResult<T>> {
  const { concurrency = DEFAULT_CONCURRENCY } = options;
  // A reader that stops early stops the work too.
  const own = new AbortController();
  const stop = () => own.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', stop, { once: true });
  if (options.signal?.aborted) stop();
  const run = runner<T>(extractor, concurrency, own.signal, options.onProgress);
  const pending: Promise<ExtractionResult<T>>[] = [];
  const source = iteratorOf(tasks);
  let upcoming: Promise<IteratorResult<T>> | undefined;
  let ended = false;
  try {
    while (!ended || pending.length > 0) {
      const hasRoom = !ended && pending.length < concurrency * WINDOW;
      if (hasRoom) upcoming ??= Promise.resolve(source.next());
      const step = await firstOf(hasRoom ? upcoming : undefined, pending[0], own.signal);
      if ('result' in step) {
        pending.shift();
        yield step.result;
      } else {
        upcoming = undefined;
        if (step.taken.done) ended = true;
        else pending.push(run(step.taken.value));
      }
    }
  } finally {
    own.abort();
    options.signal?.removeEventListener('abort', stop);
    // A source that waits for more input would not answer; it is told, not waited for.
    void Promise.resolve(source.return?.()).catch(() => {});
    await Promise.all(pending);
  }
}

function iteratorOf<T>(tasks: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  return Symbol.asyncIterator in tasks ? tasks[Symbol.asyncIterator]() : tasks[Symbol.iterator]();
}

type Step<T, R> = { readonly taken: IteratorResult<T> } | { readonly result: R };

/** Whichever is first: the next task, the result whose turn it is, or an abort. */
function firstOf<T, R>(
  task: Promise<IteratorResult<T>> | undefined,
  result: Promise<R> | undefined,
  signal: AbortSignal,
): Promise<Step<T, R>> {
  return new Promise((done, fail) => {
    const abort = () => fail(signal.reason);
    const end = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    result?.then((value) => done({ result: value }), fail).finally(end);
    task?.then((taken) => done({ taken }), fail).finally(end);
  });
}

function runner<T extends ExtractionTask>(
  extractor: Extractor,
  concurrency: number,
  signal: AbortSignal,
  onProgress: ExtractionOptions['onProgress'],
): (task: T) => Promise<ExtractionResult<T>> {
  const slots = openSlots(concurrency);
  const counted = { done: 0, failed: 0 };
  return async (task) => {
    await slots.take();
    try {
      signal.throwIfAborted();
      return { task, output: await extractor.extract(task, signal) };
    } catch (error) {
      counted.failed += 1;
      return { task, error };
    } finally {
      counted.done += 1;
      slots.give();
      onProgress?.({ ...counted });
    }
  };
}

function openSlots(count: number): { take: () => Promise<void>; give: () => void } {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    take: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((ready) => waiting.push(ready));
    },
    give: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
