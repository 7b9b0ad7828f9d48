import type { ExtractionTask } from '../../decomposition/ingest/extractor.ts';
import { extractAll } from '../../decomposition/ingest/extractors/run-tasks.ts';
import type { GoldenCase } from '../../decomposition/ingest/golden-case.ts';
import type { ExtractionOutput } from '../../decomposition/ingest/output.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';
import type { Extraction } from './open-extraction.ts';

export type ExtractedCase = { readonly golden: GoldenCase } & (
  | { readonly outputs: readonly ExtractionOutput[] }
  | { readonly error: string }
);

/**
 * Extracts the text of each golden case so often, case by case. A case of which one repeat failed is not measured by
 * the others: they would be a chosen few.
 */
export async function* extractCases(
  cases: readonly GoldenCase[],
  { extractor, concurrency }: Extraction,
  repeat: number,
  { progress, signal }: Pick<Ports, 'progress' | 'signal'>,
): AsyncGenerator<ExtractedCase> {
  const total = cases.length * repeat;
  let outputs: ExtractionOutput[] = [];
  let error: string | undefined;
  try {
    for await (const result of extractAll(extractor, tasksOf(cases, repeat), {
      ...(concurrency !== undefined && { concurrency }),
      signal,
      onProgress: ({ done }) => progress({ what: extractor.name, done, total, unit: 'texts' }),
    })) {
      const { golden, trial } = result.task;
      if ('output' in result) outputs.push(result.output);
      else error ??= result.error instanceof Error ? result.error.message : String(result.error);
      if (trial < repeat) continue;
      yield error === undefined ? { golden, outputs } : { golden, error };
      [outputs, error] = [[], undefined];
    }
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new AssayError('STOPPED', `stopped before all ${total} texts were extracted`, { cause });
  }
}

function* tasksOf(
  cases: readonly GoldenCase[],
  repeat: number,
): Generator<ExtractionTask & { readonly golden: GoldenCase }> {
  for (const golden of cases) {
    for (let trial = 1; trial <= repeat; trial++) {
      yield { id: golden.id, text: golden.sourceText, trial, golden };
    }
  }
}
