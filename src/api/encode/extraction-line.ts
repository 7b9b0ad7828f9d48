import type { ExtractionTask } from '../../decomposition/ingest/extractor.ts';
import type { ExtractionResult } from '../../decomposition/ingest/extractors/run-tasks.ts';

type Task = ExtractionTask & { readonly givenId?: string | number; readonly line?: number };

/** The output as every extractor writes it, under the id of its text. */
export function encodeExtractionLine(result: ExtractionResult<Task>, repeat: number): object {
  const { task } = result;
  const id = task.line === undefined ? task.id : task.givenId;
  return {
    ...(id !== undefined && { id }),
    ...(repeat > 1 && { trial: task.trial }),
    ...('output' in result ? result.output : { error: encodeError(result.error, task.line) }),
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
    ...(line !== undefined && { line }),
  };
}
