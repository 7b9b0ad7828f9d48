import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedFields, type ExtractionTask, type Extractor } from '../../decomposition/ingest/extractor.ts';
import type { LlmCounts } from '../../decomposition/ingest/extractors/llm.ts';
import { type ExtractionResult, extractAll } from '../../decomposition/ingest/extractors/run-tasks.ts';
import type { GoldenCase } from '../../decomposition/ingest/golden-case.ts';
import type { Trial } from '../../decomposition/ingest/outputs/open-outputs.ts';
import { encodeExtraction } from '../../decomposition/views/extraction-words.ts';
import { AssayError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Ports } from '../ports.ts';
import {
  type Extraction,
  type ExtractorRequest,
  openExtraction,
  refusingBad,
  type Texts,
  type TextTask,
  tasksOf,
} from './extraction.ts';
import type { CaseTrials } from './read-suite.ts';

export type ExtractTextsRequest = {
  readonly texts: Texts;
  readonly repeat: number;
  readonly extractor: ExtractorRequest;
  /** Output folder for `<name>.json`, with repeats `<name>.<n>.json`. */
  readonly out?: string;
  /** Input for the path `-`. */
  readonly stdin: AsyncIterable<Buffer>;
};

export type ExtractedText = ExtractionResult<TextTask> & {
  readonly file?: string;
  /** The output is empty; `why` is the reason, if known. */
  readonly nothing?: { readonly why?: string };
};

export type TextExtraction = {
  readonly extractor: string;
  /** Unknown for a batch. */
  readonly total?: number;
  /** In the order of the texts, each as soon as possible; a failed text is also a result. */
  readonly results: AsyncGenerator<ExtractedText>;
  readonly counts: () => LlmCounts | undefined;
};

/** Extracts texts lazily: reads and spends nothing before the first result is requested. */
export async function extractTexts(request: ExtractTextsRequest, ports: Ports): Promise<TextExtraction> {
  const { texts, repeat, out, stdin } = request;
  const { tasks, total } = tasksOf(texts, repeat, stdin);
  if (out !== undefined && texts.from === 'batch')
    throw new AssayError('USAGE', 'the texts of a batch are not written to files');
  if (out !== undefined) makeOutFolder(out);
  const { extractor, concurrency } = await openExtraction(request.extractor);
  const { signal, progress } = ports;
  const results = extractAll(refusingBad(extractor), tasks, {
    concurrency,
    signal,
    onProgress: ({ done }) => progress({ what: 'Extracted', done, unit: 'texts', total }),
  });
  return {
    extractor: extractor.name,
    total,
    results:
      out === undefined ? noting(results, extractor) : writing(noting(results, extractor), out, repeat),
    counts: () => extractor.counts?.(),
  };
}

/** Adds a note to results without any concept. */
async function* noting(
  results: AsyncIterable<ExtractionResult<TextTask>>,
  { explainNothing }: Extractor,
): AsyncGenerator<ExtractedText> {
  for await (const result of results) {
    if (!('output' in result) || result.output.concepts.length > 0) yield result;
    else {
      const why = explainNothing?.(result.task);
      yield { ...result, nothing: why === undefined ? {} : { why } };
    }
  }
}

async function* writing(
  results: AsyncIterable<ExtractedText>,
  folder: string,
  repeat: number,
): AsyncGenerator<ExtractedText> {
  for await (const result of results) {
    const { id, trial } = result.task;
    const file = repeat > 1 ? `${id}.${trial}.json` : `${id}.json`;
    if ('output' in result)
      writeWhole(folder, file, `${JSON.stringify(encodeExtraction(result), null, 2)}\n`);
    yield { ...result, file };
  }
}

function makeOutFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (cause) {
    throw outputFailed(`${folder} cannot be made`, cause);
  }
}

/** Writes atomically, so that concurrent readers see a complete file or none. */
function writeWhole(folder: string, name: string, text: string): void {
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    writeFileSync(draft, text);
    renameSync(draft, join(folder, name));
  } catch (cause) {
    throw outputFailed(`${draft} cannot be written`, cause);
  }
}

function outputFailed(what: string, cause: unknown): AssayError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AssayError('OUTPUT_FAILED', `${what}: ${why}`, { cause });
}

export async function* extractCases(
  cases: readonly GoldenCase[],
  { extractor, concurrency }: Extraction,
  repeat: number,
  { progress, signal }: Pick<Ports, 'progress' | 'signal'>,
): AsyncGenerator<CaseTrials> {
  const total = cases.length * repeat;
  const forecast = extractor.forecast?.([...caseTasks(cases, repeat)]);
  const what = forecast === undefined ? extractor.name : `${extractor.name}, ${forecast}`;
  progress({ what, done: 0, total, unit: 'texts' });
  let trials: Trial[] = [];
  try {
    for await (const result of extractAll(extractor, caseTasks(cases, repeat), {
      concurrency,
      signal,
      onProgress: ({ done }) => progress({ what, done, total, unit: 'texts' }),
    })) {
      const { golden, trial } = result.task;
      trials.push(
        'output' in result
          ? result.output
          : { error: messageOf(result.error), ...(isFailedCall(result.error) && { failedCall: true }) },
      );
      if (trial < repeat) continue;
      yield { golden, trials };
      trials = [];
    }
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new AssayError('STOPPED', `stopped before all ${total} texts were extracted`, { cause });
  }
}

/** Errors without any answer; an unusable answer is the extractor's fault instead. */
const FAILED_CALLS: ReadonlySet<string> = new Set([
  'COMMAND_FAILED',
  'MODEL_CALL_FAILED',
  'MODEL_KEY_MISSING',
  'COST_CEILING',
]);

function isFailedCall(error: unknown): boolean {
  return error instanceof AssayError && FAILED_CALLS.has(error.code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function* caseTasks(
  cases: readonly GoldenCase[],
  repeat: number,
): Generator<ExtractionTask & { readonly golden: GoldenCase }> {
  for (const golden of cases) {
    for (let trial = 1; trial <= repeat; trial++) {
      yield { id: golden.id, text: golden.sourceText, trial, golden, ...askedFields(golden) };
    }
  }
}
