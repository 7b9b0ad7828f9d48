/** What is to be extracted, as tasks that are read one by one. */
import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Vocabulary } from '../../decomposition/golden-rules.ts';
import type { ExtractionTask } from '../../decomposition/ingest/extractor.ts';
import { readBatch } from '../../decomposition/ingest/extractors/read-batch.ts';
import { readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import { AssayError } from '../../errors.ts';
import { fileError, readText } from '../../files.ts';

/** Where the texts are. `-` as a path is what `stdin` brings. */
export type Texts =
  | { readonly from: 'files'; readonly paths: readonly string[] }
  /** The texts of the golden cases of a folder. */
  | { readonly from: 'golden'; readonly folder: string; readonly vocabulary?: Vocabulary }
  /** Lines {"id": …, "text": …}. */
  | { readonly from: 'batch'; readonly path: string };

/** A task that may be none: `bad` says why there is nothing to extract in its place. */
export type TextTask = ExtractionTask & {
  /** As the input wrote it. */
  readonly givenId?: string | number;
  /** Of the batch. */
  readonly line?: number;
  readonly bad?: AssayError;
};

export type TextTasks = {
  readonly tasks: AsyncIterable<TextTask> | Iterable<TextTask>;
  /** Unknown for a batch. */
  readonly total?: number;
};

type Stdin = AsyncIterable<Buffer>;

/** More than any text that people decompose; the same bound as for a file. */
const MAX_STDIN_BYTES = 64 * 1024 * 1024;

export function tasksOf(texts: Texts, repeat: number, stdin: Stdin): TextTasks {
  if (texts.from === 'batch') return { tasks: batchTasks(texts.path, repeat, stdin) };
  if (texts.from === 'golden') {
    const { cases } = readGoldenSet(texts.folder, texts.vocabulary);
    const tasks = cases.flatMap(({ id, sourceText }) => trials({ id, text: sourceText }, repeat));
    if (tasks.length === 0) throw new AssayError('FILE_NOT_FOUND', `${texts.folder} holds no *.gold.json`);
    return { tasks, total: tasks.length };
  }
  const files = texts.paths.map((path) => ({ path, id: idOf(path) }));
  const ids = files.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new AssayError('USAGE', `two files would both be called ${twice}`);
  return { tasks: fileTasks(files, repeat, stdin), total: files.length * repeat };
}

function idOf(path: string): string {
  return path === '-' ? 'stdin' : basename(path, extname(path));
}

function trials(task: Omit<TextTask, 'trial'>, repeat: number): TextTask[] {
  return Array.from({ length: repeat }, (_, index) => ({ ...task, trial: index + 1 }));
}

async function* fileTasks(
  files: readonly { readonly path: string; readonly id: string }[],
  repeat: number,
  stdin: Stdin,
): AsyncGenerator<TextTask> {
  for (const { path, id } of files) {
    try {
      const text = path === '-' ? await readAll(stdin) : readText(path);
      if (text.trim() === '') throw new AssayError('INPUT_INVALID', `${path} is empty`);
      yield* trials({ id, text }, repeat);
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      yield* trials({ id, text: '', bad: error }, repeat);
    }
  }
}

async function readAll(stdin: Stdin): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
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

async function* batchTasks(path: string, repeat: number, stdin: Stdin): AsyncGenerator<TextTask> {
  try {
    for await (const line of readBatch(path === '-' ? stdin : createReadStream(path))) {
      const given = line.id === undefined ? {} : { givenId: line.id };
      const task = { id: String(line.id ?? `line ${line.line}`), ...given, line: line.line };
      if ('error' in line) yield { ...task, text: '', trial: 1, bad: line.error };
      else yield* trials({ ...task, text: line.text }, repeat);
    }
  } catch (cause) {
    throw fileError(path === '-' ? 'standard input' : path, cause);
  }
}
