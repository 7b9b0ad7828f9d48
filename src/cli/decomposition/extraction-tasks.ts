/** What `assay decomposition extract` was asked to extract, as tasks that are read one by one. */
import { createReadStream } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import type { ExtractionTask } from '../../decomposition/ingest/extractor.ts';
import { readBatch } from '../../decomposition/ingest/extractors/read-batch.ts';
import { readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import { AssayError } from '../../errors.ts';
import { fileError, readText } from '../../files.ts';
import type { Arguments, Terminal } from '../command.ts';

/** A task that may be none: `bad` says why there is nothing to extract in its place. */
export type Job = ExtractionTask & {
  /** As the input wrote it. */
  readonly givenId?: string | number;
  /** Of the batch. */
  readonly line?: number;
  readonly bad?: AssayError;
};

export type Jobs = {
  readonly from: 'files' | 'golden' | 'batch';
  readonly jobs: AsyncIterable<Job> | Iterable<Job>;
  /** Unknown for a batch. */
  readonly total?: number;
};

/** More than any text that people decompose; the same bound as for a file. */
const MAX_STDIN_BYTES = 64 * 1024 * 1024;

export function jobsFrom(args: Arguments, terminal: Terminal, repeat: number): Jobs {
  const { batch, golden } = args.values;
  const asked = [args.positionals.length > 0, batch !== undefined, golden !== undefined];
  if (asked.filter(Boolean).length !== 1) {
    throw new AssayError('USAGE', 'name text files, or --batch, or --golden: one of them', {
      remedy: 'E.g. assay decomposition extract notes.txt; - is standard input.',
    });
  }
  if (typeof batch === 'string') return { from: 'batch', jobs: batchJobs(batch, terminal, repeat) };
  if (typeof golden === 'string') {
    const { cases } = readGoldenSet(resolve(terminal.cwd, golden));
    const jobs = cases.flatMap(({ id, sourceText }) => trials({ id, text: sourceText }, repeat));
    if (jobs.length === 0) throw new AssayError('FILE_NOT_FOUND', `${golden} holds no *.gold.json`);
    return { from: 'golden', jobs, total: jobs.length };
  }
  const files = args.positionals.map((path) => ({ path, id: idOf(path) }));
  const ids = files.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new AssayError('USAGE', `two files would both be called ${twice}`);
  return { from: 'files', jobs: fileJobs(files, terminal, repeat), total: files.length * repeat };
}

function idOf(path: string): string {
  return path === '-' ? 'stdin' : basename(path, extname(path));
}

function trials(job: Omit<Job, 'trial'>, repeat: number): Job[] {
  return Array.from({ length: repeat }, (_, index) => ({ ...job, trial: index + 1 }));
}

async function* fileJobs(
  files: readonly { path: string; id: string }[],
  terminal: Terminal,
  repeat: number,
): AsyncGenerator<Job> {
  for (const { path, id } of files) {
    try {
      const text = path === '-' ? await readStdin() : readText(resolve(terminal.cwd, path));
      if (text.trim() === '') throw new AssayError('INPUT_INVALID', `${path} is empty`);
      yield* trials({ id, text }, repeat);
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      yield* trials({ id, text: '', bad: error }, repeat);
    }
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_STDIN_BYTES) {
      throw new AssayError('FILE_TOO_LARGE', `standard input has more than ${MAX_STDIN_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

async function* batchJobs(path: string, terminal: Terminal, repeat: number): AsyncGenerator<Job> {
  const chunks = path === '-' ? process.stdin : createReadStream(resolve(terminal.cwd, path));
  try {
    for await (const line of readBatch(chunks)) {
      const given = line.id === undefined ? {} : { givenId: line.id };
      const job = { id: String(line.id ?? `line ${line.line}`), ...given, line: line.line };
      if ('error' in line) yield { ...job, text: '', trial: 1, bad: line.error };
      else yield* trials({ ...job, text: line.text }, repeat);
    }
  } catch (cause) {
    throw fileError(path === '-' ? 'standard input' : path, cause);
  }
}
