import { z } from 'zod';
import { AssayError } from '../../../errors.ts';
import type { ExtractionTask, Extractor } from '../extractor.ts';
import type { ExtractionOutput } from '../output.ts';
import { parseWith } from '../parse.ts';

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

/** A line of a batch: a text with its id, or what is wrong with it. Lines count from 1. */
export type BatchLine =
  | { readonly line: number; readonly id: string | number; readonly text: string }
  | { readonly line: number; readonly id?: string | number; readonly error: AssayError };

/** A longer line is no text that anybody wants decomposed, and holding it would cost memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const idSchema = z.union([z.string().min(1).max(1000), z.number()], {
  error: 'expected a short text or a number',
});
const lineSchema = z.object({
  id: idSchema,
  text: z.string().refine((text) => text.trim() !== '', 'the text is empty'),
});

/** Lines `{"id": …, "text": …}`. Blank lines are skipped; a bad one is told in its place and does not end the batch. */
export async function* readBatch(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<BatchLine> {
  for await (const { line, text } of linesOf(chunks, maxLineBytes)) {
    if (text === undefined) {
      const error = new AssayError('FILE_TOO_LARGE', `line ${line} is longer than ${maxLineBytes} bytes`);
      yield { line, error };
    } else if (text.trim() !== '') yield parseLine(line, text);
  }
}

function parseLine(line: number, text: string): BatchLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { line, error: new AssayError('INPUT_INVALID', `line ${line} is not JSON`, { cause }) };
  }
  const id =
    typeof value === 'object' && value !== null && Object.hasOwn(value, 'id') && 'id' in value
      ? idSchema.safeParse(value.id)
      : undefined;
  try {
    return { line, ...parseWith(lineSchema, value, `line ${line}`) };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return { line, ...(id?.success && { id: id.data }), error };
  }
}

/** `text` is undefined for a line over the limit, of which nothing is kept. */
async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<{ line: number; text: string | undefined }> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let line = 0;
  const take = () => {
    const text = size > maxBytes ? undefined : Buffer.concat(parts).toString('utf8');
    parts = [];
    size = 0;
    line += 1;
    return { line, text: line === 1 ? text?.replace(/^\uFEFF/, '') : text };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (size > 0) yield take();

  function add(part: Uint8Array): void {
    size += part.length;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  }
}
