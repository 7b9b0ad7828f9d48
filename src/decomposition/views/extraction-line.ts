import type { ExtractionTask } from '../ingest/extractor.ts';
import type { ExtractionResult } from '../ingest/extractors/run-tasks.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { nothingFound } from './nothing-found.ts';

type Task = ExtractionTask & { readonly givenId?: string | number; readonly line?: number };

type Noted = { readonly nothing?: { readonly why?: string } };

/** The output as every extractor writes it, and why there is nothing in it. */
export function encodeExtraction({ output, nothing }: { readonly output: ExtractionOutput } & Noted): object {
  return { ...output, ...(nothing !== undefined && { note: nothingFound(nothing.why) }) };
}

/** The same under the id of its text; a text that failed has its error there. */
export function encodeExtractionLine(result: ExtractionResult<Task> & Noted, repeat: number): object {
  const { task } = result;
  const id = task.line === undefined ? task.id : task.givenId;
  return {
    id,
    ...(repeat > 1 && { trial: task.trial }),
    ...('output' in result ? encodeExtraction(result) : { error: encodeError(result.error, task.line) }),
  };
}

export function encodeError(
  error: unknown,
  line?: number,
): { readonly code: string; readonly message: string; readonly line?: number } {
  const known = error instanceof Error && 'code' in error && typeof error.code === 'string';
  return {
    code: known ? String(error.code) : 'INTERNAL',
    message: error instanceof Error ? error.message : String(error),
    line,
  };
}
