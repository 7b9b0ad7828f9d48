import { createReadStream } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import type { Vocabulary } from '../../decomposition/golden-rules.ts';
import { askedFields, type ExtractionTask, type Extractor } from '../../decomposition/ingest/extractor.ts';
import {
  type EXTRACTORS,
  type ExtractorSpec,
  type OpenedExtractor,
  openExtractor,
} from '../../decomposition/ingest/extractors/open.ts';
import { readBatch } from '../../decomposition/ingest/extractors/run-tasks.ts';
import { readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import {
  chainHash,
  chainName,
  newestPrompt,
  type Prompt,
  promptFolder,
  promptPath,
  readChain,
} from '../../decomposition/prompts/prompt-folder.ts';
import { AssayError } from '../../errors.ts';
import { fileError, readText } from '../../files.ts';

/** The source of the texts; the path `-` reads `stdin`. */
export type Texts =
  | { readonly from: 'files'; readonly paths: readonly string[] }
  | { readonly from: 'golden'; readonly folder: string; readonly vocabulary?: Vocabulary }
  | { readonly from: 'batch'; readonly path: string };

/** A task that may be invalid; `bad` is the reason. */
export type TextTask = ExtractionTask & {
  readonly givenId?: string | number;
  readonly line?: number;
  readonly bad?: AssayError;
};

export type TextTasks = {
  readonly tasks: AsyncIterable<TextTask> | Iterable<TextTask>;
  /** Unknown for a batch. */
  readonly total?: number;
};

type Stdin = AsyncIterable<Buffer>;

/** More than any real text; the same limit as for a file. */
const MAX_STDIN_BYTES = 64 * 1024 * 1024;

export function tasksOf(texts: Texts, repeat: number, stdin: Stdin): TextTasks {
  if (texts.from === 'batch') return { tasks: batchTasks(texts.path, repeat, stdin) };
  if (texts.from === 'golden') {
    const { cases } = readGoldenSet(texts.folder, texts.vocabulary);
    const tasks = cases.flatMap((golden) =>
      trials({ id: golden.id, text: golden.sourceText, ...askedFields(golden) }, repeat),
    );
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

export type ExtractorRequest = {
  /** Default: a model if a prompt is named, otherwise the local extractor. */
  readonly extractor?: (typeof EXTRACTORS)[number];
  /** The name of a prompt, or of several that the model is asked in sequence. */
  readonly prompt?: string | readonly string[];
  /** The folder of the prompts; default: that of the project, else that of the package. */
  readonly prompts?: string;
  readonly model?: string;
  /** The predicates that a model may use. Default: the documented ones. */
  readonly predicates?: readonly string[];
  readonly command?: string;
  readonly timeoutMs?: number;
  readonly baseUrl?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly stream?: boolean;
  readonly retries?: number;
  readonly maxCostUsd?: number;
  readonly cacheFolder?: string;
  readonly concurrency?: number;
  /** Environment variables for programs and providers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
};

export type Extraction = {
  readonly extractor: OpenedExtractor;
  readonly kind: string;
  readonly concurrency?: number;
  readonly prompt?: string;
  readonly promptHash?: string;
  readonly model?: string;
};

const DEFAULT_STEM = 'decompose-concepts';

/** Opens an extractor without a call and without cost. A prompt needs a model, unless a program replaces both. */
export async function openExtraction(request: ExtractorRequest): Promise<Extraction> {
  const { concurrency } = request;
  const kind = request.extractor ?? (request.prompt === undefined ? 'local' : 'llm');
  const shared = concurrency === undefined ? {} : { concurrency };
  if (kind === 'llm') return { ...(await openModel(request)), ...shared };
  if (kind === 'command') {
    const prompts = promptsOf(request);
    const extractor = await openExtractor(commandSpec(request, prompts));
    return { extractor, kind, ...shared, ...namesOf(prompts) };
  }
  if (request.prompt !== undefined) {
    throw new AssayError('USAGE', 'the local extractor has no prompt; name another extractor, or no prompt');
  }
  return { extractor: await openExtractor({ kind }), kind, ...shared };
}

function promptsOf({ prompt, prompts, cwd }: ExtractorRequest): readonly Prompt[] {
  if (prompt === undefined) return [];
  return readChain(promptFolder(prompts, cwd), [prompt].flat());
}

function namesOf(prompts: readonly Prompt[]): Pick<Extraction, 'prompt' | 'promptHash'> {
  return prompts.length === 0 ? {} : { prompt: chainName(prompts), promptHash: chainHash(prompts) };
}

function commandSpec(
  { command, env, cwd, timeoutMs, prompts: folder }: ExtractorRequest,
  prompts: readonly Prompt[],
): ExtractorSpec {
  if (command === undefined) {
    throw new AssayError('USAGE', 'the extractor command needs the program to run', {
      remedy: 'Name it as it is called, e.g. python extract.py.',
    });
  }
  const files = prompts.map(({ name }) => resolve(cwd, promptPath(promptFolder(folder, cwd), name)));
  return {
    kind: 'command',
    command,
    env,
    cwd,
    timeoutMs,
    ...(prompts.length > 0 && {
      prompt: { name: chainName(prompts), hash: chainHash(prompts), files },
    }),
  };
}

async function openModel(request: ExtractorRequest): Promise<Omit<Extraction, 'concurrency'>> {
  const { extractor: _, prompts, command: __, concurrency: ___, cwd, model, ...settings } = request;
  const folder = promptFolder(prompts, cwd);
  const steps =
    request.prompt === undefined
      ? readChain(folder, [newestPrompt(folder, DEFAULT_STEM)])
      : promptsOf(request);
  if (model === undefined) {
    throw new AssayError('USAGE', `measuring ${chainName(steps)} needs a model, and none is configured`, {
      remedy:
        'Name one, e.g. openai/gpt-5-mini, or set decomposition.model in the configuration; or measure recorded outputs, or a program.',
    });
  }
  const extractor = await openExtractor({ ...settings, kind: 'llm', model, prompts: steps });
  return { extractor, kind: 'llm', model, ...namesOf(steps) };
}

/** A description of what is measured: the extractor, and the prompt unless its name contains it. */
export function subjectOf({ extractor, prompt }: Extraction): string {
  return prompt === undefined || extractor.name.includes(prompt)
    ? extractor.name
    : `${extractor.name} ${prompt}`;
}

/** Wraps an extractor for tasks that may be invalid; their results stay in order. */
export function refusingBad(extractor: Extractor): Extractor {
  return {
    name: extractor.name,
    extract: async (task, signal) => {
      if ('bad' in task) throw task.bad;
      return extractor.extract(task, signal);
    },
  };
}
