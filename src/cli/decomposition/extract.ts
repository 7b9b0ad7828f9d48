import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Extractor } from '../../decomposition/ingest/extractor.ts';
import type { OpenedExtractor } from '../../decomposition/ingest/extractors/open.ts';
import { type ExtractionResult, extractAll } from '../../decomposition/ingest/extractors/run-tasks.ts';
import { AssayError } from '../../errors.ts';
import { formatAmount, formatCount, formatUsd } from '../../report/number.ts';
import { plain } from '../../report/unsafe-text.ts';
import type { Arguments, Command, Terminal } from '../command.ts';
import { type Stopping, stopOnSignal } from '../stop-on-signal.ts';
import { writeResult } from '../write-result.ts';
import { type Job, type Jobs, jobsFrom } from './extraction-tasks.ts';
import { EXTRACTOR_OPTIONS, extractorFrom, numberOption } from './extractor-options.ts';

export const command: Command = {
  name: 'decomposition extract',
  summary: 'Extract concepts and relationships from texts, with a model, a program or offline',
  positionals: { usage: '[FILE…]', max: Number.POSITIVE_INFINITY },
  options: {
    batch: {
      type: 'string',
      value: 'FILE',
      doc: 'Lines {"id": …, "text": …} instead of files; - is standard input',
    },
    golden: { type: 'string', value: 'DIR', doc: 'The texts of the golden cases of a folder' },
    out: { type: 'string', value: 'DIR', doc: 'Write <name>.json there, with --repeat <name>.<n>.json' },
    repeat: { type: 'string', value: 'N', default: '1', doc: 'Extract each text N times, each anew' },
    ...EXTRACTOR_OPTIONS,
  },
  examples: [
    'assay decomposition extract README.md',
    `echo '{"id": 1, "text": "Rain causes floods."}' | assay decomposition extract --batch -`,
    'assay decomposition extract --golden golden --out outputs',
    'assay decomposition extract --golden golden --out o --extractor llm --model openai/gpt-5-mini',
    'assay decomposition extract a.txt b.txt --out o --extractor command --command "python my.py"',
  ],
  notes: [
    'One text is printed as JSON; several as one line of JSON each, in the order of the input, a failed',
    'one as {"id": …, "error": {"code", "message", "line"}} in its place.',
    'Exit codes: 0 every text was extracted, 2 some failed or have no concept, 3 none was or the command',
    'could not run.',
  ],
  run: async (args, terminal) => {
    const repeat = numberOption(args, 'repeat', { min: 1, max: 1000, whole: true }) ?? 1;
    const jobs = jobsFrom(args, terminal, repeat);
    const place = placeFrom(args, terminal, jobs, repeat);
    const { extractor, concurrency } = await extractorFrom(args, terminal);
    const stopping = stopWithReader();
    const counts = { extracted: 0, failed: 0, empty: 0 };
    const results = extractAll(refusingBad(extractor), jobs.jobs, {
      concurrency,
      signal: stopping.signal,
      onProgress: ({ done }) => terminal.progress(sayProgress(done, jobs.total, extractor)),
    });
    try {
      for await (const given of results) {
        const result = withNote(given, extractor);
        if ('output' in result) counts.extracted += 1;
        else counts.failed += 1;
        if ('note' in result) counts.empty += 1;
        await place(result);
      }
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      terminal.progress('');
      terminal.note(sayStopped(counts.extracted, extractor));
      return counts.extracted === 0 ? 3 : 2;
    } finally {
      stopping.end();
      terminal.progress('');
    }
    terminal.note(sayEnd(counts, jobs, args, extractor));
    return counts.extracted === 0 ? 3 : counts.failed + counts.empty > 0 ? 2 : 0;
  },
};

/** `note`: why there is nothing in the output. */
type Result = ExtractionResult<Job> & { readonly note?: string };

/** A text without any concept is a result, but one that says nothing about the text. */
function withNote(result: ExtractionResult<Job>, { explainNothing }: OpenedExtractor): Result {
  if (!('output' in result) || result.output.concepts.length > 0) return result;
  const why = explainNothing?.(result.task);
  return { ...result, note: `no concept was found${why === undefined ? '' : `: ${why}`}` };
}

function placeFrom(
  args: Arguments,
  terminal: Terminal,
  { from, total }: Jobs,
  repeat: number,
): (result: Result) => Promise<void> {
  const { out } = args.values;
  if (typeof out !== 'string') return total === 1 ? printOne(terminal) : printLine(terminal, repeat);
  if (from === 'batch')
    throw new AssayError('USAGE', '--batch prints lines; --out is for files and --golden');
  return writeFiles(resolve(terminal.cwd, out), terminal, repeat);
}

/** The only text: its failure is that of the command. */
function printOne(terminal: Terminal): (result: Result) => Promise<void> {
  return async (result) => {
    if ('error' in result) throw result.error;
    terminal.print(`${JSON.stringify({ ...result.output, ...noteOf(result) }, null, 2)}\n`);
    if (result.note !== undefined) terminal.note(`${plain(result.task.id)}: ${result.note}.\n`);
  };
}

function printLine(terminal: Terminal, repeat: number): (result: Result) => Promise<void> {
  return async (result) => {
    const { task } = result;
    const id = task.line === undefined ? task.id : task.givenId;
    const head = { ...(id !== undefined && { id }), ...(repeat > 1 && { trial: task.trial }) };
    const rest =
      'output' in result
        ? { ...result.output, ...noteOf(result) }
        : { error: errorOf(result.error, task.line) };
    terminal.print(`${JSON.stringify({ ...head, ...rest })}\n`);
    await drained();
  };
}

function writeFiles(folder: string, terminal: Terminal, repeat: number): (result: Result) => Promise<void> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${folder} cannot be made: ${why}`, { cause });
  }
  return async (result) => {
    const { id, trial } = result.task;
    const name = repeat > 1 ? `${id}.${trial}.json` : `${id}.json`;
    if ('error' in result) {
      const { code, message } = errorOf(result.error);
      terminal.progress('');
      terminal.note(`${plain(name)} was not written: ${plain(message)} [${code}]\n`);
      return;
    }
    if (result.note !== undefined) {
      terminal.progress('');
      terminal.note(`${plain(name)}: ${result.note}.\n`);
    }
    const draft = join(folder, `.${randomUUID()}.tmp`);
    writeResult(draft, `${JSON.stringify({ ...result.output, ...noteOf(result) }, null, 2)}\n`);
    renameSync(draft, join(folder, name));
  };
}

function noteOf({ note }: Result): { note?: string } {
  return note === undefined ? {} : { note };
}

function errorOf(error: unknown, line?: number): { code: string; message: string; line?: number } {
  const code = error instanceof AssayError ? error.code : 'INTERNAL';
  const message = error instanceof Error ? error.message : String(error);
  return { code, message, ...(line !== undefined && { line }) };
}

/** What could not be read is not extracted, but keeps its place among the results. */
function refusingBad(extractor: Extractor): Extractor {
  return {
    name: extractor.name,
    extract: async (task, signal) => {
      if ('bad' in task) throw task.bad;
      return extractor.extract(task, signal);
    },
  };
}

/** A slow reader holds the work back, so that results do not pile up. */
async function drained(): Promise<void> {
  if (!process.stdout.writableNeedDrain) return;
  await once(process.stdout, 'drain').catch(() => {});
}

/** A reader of the results that has gone ends the work as Ctrl-C does. */
function stopWithReader(): Stopping {
  const stopping = stopOnSignal();
  process.stdout.once('error', stopping.stop);
  return {
    ...stopping,
    end: () => {
      stopping.end();
      process.stdout.off('error', stopping.stop);
      // Input that nobody reads any more must not keep the process.
      process.stdin.unref?.();
      if (stopping.signal.aborted) process.stdin.destroy();
    },
  };
}

function sayProgress(done: number, total: number | undefined, { counts }: OpenedExtractor): string {
  const of = total === undefined ? '' : ` of ${formatCount(total)}`;
  return `Extracted ${formatCount(done)}${of}${sayCounts(counts?.())}`;
}

type Counts = ReturnType<NonNullable<OpenedExtractor['counts']>>;

function sayCounts(counts: Counts | undefined): string {
  if (counts === undefined) return '';
  const { calls, fromCache, failedCalls, spentUsd } = counts;
  return [
    '',
    formatAmount(calls, 'call'),
    ...(failedCalls > 0 ? [`${formatCount(failedCalls)} without a usable answer`] : []),
    ...(fromCache > 0 ? [`${formatCount(fromCache)} from the cache`] : []),
    spentUsd === undefined ? 'cost unknown' : formatUsd(spentUsd),
  ].join(' · ');
}

function sayStopped(extracted: number, { counts }: OpenedExtractor): string {
  const again = counts === undefined ? '' : '; run it again, and what was answered comes from the cache';
  return `Stopped after ${formatAmount(extracted, 'text')}${again}.\n`;
}

/** One text that went well needs no words beside its JSON, unless it cost something. */
function sayEnd(
  { extracted, failed, empty }: { extracted: number; failed: number; empty: number },
  { from, total }: Jobs,
  args: Arguments,
  extractor: OpenedExtractor,
): string {
  const counts = extractor.counts?.();
  const warnings = (counts?.warnings ?? []).map((warning) => `Note: ${plain(warning)}\n`).join('');
  if (total === 1 && counts === undefined) return '';
  if (extracted + failed === 0) return 'There was no text to extract.\n';
  const { out } = args.values;
  const failures = failed === 0 ? '' : `, ${formatCount(failed)} failed`;
  const nothing = empty === 0 ? '' : `, ${formatCount(empty)} without any concept`;
  const next = from === 'golden' && typeof out === 'string' && extracted > 0;
  return [
    warnings,
    `${formatAmount(extracted, 'text')} extracted by ${plain(extractor.name)}${failures}${nothing}${sayCounts(counts)}.\n`,
    next ? `Next: assay decomposition run --golden ${args.values.golden} --outputs ${out}\n` : '',
  ].join('');
}
