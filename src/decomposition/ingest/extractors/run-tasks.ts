import { Readable } from 'node:stream';
import { z } from 'zod';
import { AssayError } from '../../../errors.ts';
import type { ExtractionTask, Extractor } from '../extractor.ts';
import type { ExtractionOutput } from '../output.ts';
import { parseWith } from '../parse.ts';

export type ExtractionResult<T extends ExtractionTask = ExtractionTask> =
  | { readonly task: T; readonly output: ExtractionOutput }
  | { readonly task: T; readonly error: unknown };

type ExtractionOptions = {
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly failed: number }) => void;
};

const DEFAULT_CONCURRENCY = 4;

/** Per worker, this many texts may be finished or waiting, so that a slow text does not idle the others. */
const WINDOW = 8;

/**
 * Runs tasks through any extractor concurrently and yields results in task order, as soon as possible. Tasks are read
 * lazily. A failed task is a result; only an abort ends the series.
 */
export async function* extractAll<T extends ExtractionTask>(
  extractor: Extractor,
  tasks: Iterable<T> | AsyncIterable<T>,
  options: ExtractionOptions = {},
): AsyncGenerator<ExtractionResult<T>> {
  const { concurrency = DEFAULT_CONCURRENCY, onProgress } = options;
  const own = new AbortController();
  const signal = options.signal === undefined ? own.signal : AbortSignal.any([options.signal, own.signal]);
  const counted = { done: 0, failed: 0 };
  const running = new Set<Promise<unknown>>();
  const run = async (task: T): Promise<ExtractionResult<T>> => {
    try {
      signal.throwIfAborted();
      const extraction = extractor.extract(task, signal);
      running.add(extraction);
      return { task, output: await extraction.finally(() => running.delete(extraction)) };
    } catch (error) {
      counted.failed += 1;
      return { task, error };
    } finally {
      counted.done += 1;
      onProgress?.({ ...counted });
    }
  };
  try {
    const bounds = { concurrency, signal, highWaterMark: concurrency * WINDOW };
    yield* Readable.from(tasks).map(run, bounds);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    // If the reader stops early, the work stops too.
    own.abort();
    await Promise.allSettled(running);
  }
}

/** A line of a batch: a text with its id, or an error. Lines count from 1. */
export type BatchLine =
  | { readonly line: number; readonly id: string | number; readonly text: string }
  | { readonly line: number; readonly id?: string | number; readonly error: AssayError };

/** A longer line is not a real text and would use too much memory. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const idSchema = z.union([z.string().min(1).max(1000), z.number()], {
  error: 'expected a short text or a number',
});
const lineSchema = z.object({
  id: idSchema,
  text: z.string().refine((text) => text.trim() !== '', 'the text is empty'),
});

/**
 * Reads lines `{"id": …, "text": …}`. Skips blank lines; an invalid line is reported in order and does not end the
 * batch.
 */
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

/** `text` is undefined for a line over the limit, which is discarded. */
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
