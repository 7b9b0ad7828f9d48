import type { ExtractionTask } from '../../decomposition/ingest/extractor.ts';
import { extractAll } from '../../decomposition/ingest/extractors/run-tasks.ts';
import type { GoldenCase } from '../../decomposition/ingest/golden-case.ts';
import type { Trial } from '../../decomposition/ingest/outputs/open-outputs.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';
import type { Extraction } from './open-extraction.ts';

export type ExtractedCase = {
  readonly golden: GoldenCase;
  /** One for each repeat, those that failed among them: the others alone would be a chosen few. */
  readonly trials: readonly Trial[];
};

/** Extracts the text of each golden case so often, case by case. */
export async function* extractCases(
  cases: readonly GoldenCase[],
  { extractor, concurrency }: Extraction,
  repeat: number,
  { progress, signal }: Pick<Ports, 'progress' | 'signal'>,
): AsyncGenerator<ExtractedCase> {
  const total = cases.length * repeat;
  let trials: Trial[] = [];
  try {
    for await (const result of extractAll(extractor, tasksOf(cases, repeat), {
      concurrency,
      signal,
      onProgress: ({ done }) => progress({ what: extractor.name, done, total, unit: 'texts' }),
    })) {
      const { golden, trial } = result.task;
      trials.push('output' in result ? result.output : { error: messageOf(result.error) });
      if (trial < repeat) continue;
      yield { golden, trials };
      trials = [];
    }
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new AssayError('STOPPED', `stopped before all ${total} texts were extracted`, { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
