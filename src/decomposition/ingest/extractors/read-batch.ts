import { z } from 'zod';
import { AssayError } from '../../../errors.ts';
import { parseWith } from '../parse.ts';

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
