import { type Action, commandLine } from '../../report/action.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { ExtractionTask } from '../ingest/extractor.ts';
import type { LlmCounts } from '../ingest/extractors/llm.ts';
import type { ExtractionResult } from '../ingest/extractors/run-tasks.ts';
import type { ExtractionOutput } from '../ingest/output.ts';
import { nothingFound } from './next-steps.ts';
import { callParts } from './run-view.ts';

export function sayExtracting(
  done: number,
  total: number | undefined,
  counts: LlmCounts | undefined,
): string {
  const of = total === undefined ? '' : ` of ${formatCount(total)}`;
  return `Extracted ${formatCount(done)}${of}${sayCounts(counts)}`;
}

function sayCounts(counts: LlmCounts | undefined): string {
  if (counts === undefined) return '';
  const { calls, failed, fromCache, cost } = callParts(counts);
  const cached = counts.fromCache > 0 ? [fromCache] : [];
  return ['', calls, ...failed, ...cached, cost].join(' · ');
}

export function sayNotWritten(file: string, { code, message }: { code: string; message: string }): string {
  return `${plain(file)} was not written: ${plain(message)} [${code}]\n`;
}

export function sayNothing(name: string, { why }: { readonly why?: string }): string {
  return `${plain(name)}: ${plain(nothingFound(why))}.\n`;
}

export function sayStopped(extracted: number, counts: LlmCounts | undefined): string {
  const again = counts === undefined ? '' : '; run it again to reuse the answers in the cache';
  return `Stopped after ${formatAmount(extracted, 'text')}${again}.\n`;
}

export type ExtractionEnd = {
  readonly extractor: string;
  readonly extracted: number;
  readonly failed: number;
  readonly empty: number;
  readonly total?: number;
  readonly counts: LlmCounts | undefined;
  readonly next: readonly Action[];
};

/** A successful text needs no message besides its JSON, unless it cost something. */
export function sayExtracted(end: ExtractionEnd): string {
  const { extractor, extracted, failed, empty, total, counts, next } = end;
  if (total === 1 && counts === undefined) return '';
  if (extracted + failed === 0) return 'There was no text to extract.\n';
  const failures = failed === 0 ? '' : `, ${formatCount(failed)} failed`;
  const nothing = empty === 0 ? '' : `, ${formatCount(empty)} without any concept`;
  return [
    ...(counts?.warnings ?? []).map((warning) => `Note: ${plain(warning)}\n`),
    `${formatAmount(extracted, 'text')} extracted by ${plain(extractor)}${failures}${nothing}${sayCounts(counts)}.\n`,
    ...(extracted > 0 ? next.map((action) => `Next: ${commandLine(action)}\n`) : []),
  ].join('');
}

/** Suggests measuring the outputs if they belong to golden cases. */
export function extractionNext(golden: string | undefined, out: string | undefined): Action[] {
  if (golden === undefined || out === undefined) return [];
  const options = { golden: golden === 'golden' ? undefined : golden, outputs: out };
  return [{ operation: 'decomposition run', options }];
}

type Task = ExtractionTask & { readonly givenId?: string | number; readonly line?: number };

type Noted = { readonly nothing?: { readonly why?: string } };

/** The output in the common form, with the reason if it is empty. */
export function encodeExtraction({ output, nothing }: { readonly output: ExtractionOutput } & Noted): object {
  return { ...output, ...(nothing !== undefined && { note: nothingFound(nothing.why) }) };
}

/** The same with the id of its text; a failed text has its error instead. */
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
