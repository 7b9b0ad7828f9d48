/** The options of every command that can extract, and the extractor that they describe. */
import { resolve } from 'node:path';
import {
  EXTRACTORS,
  type ExtractorSpec,
  type OpenedExtractor,
  openExtractor,
} from '../../decomposition/ingest/extractors/open.ts';
import {
  newestPrompt,
  type Prompt,
  promptFolder,
  readPrompt,
} from '../../decomposition/prompts/read-prompt.ts';
import { AssayError } from '../../errors.ts';
import type { Arguments, Options, Terminal } from '../command.ts';

const DEFAULT_CACHE = '.assay/cache/extractions';
const DEFAULT_STEM = 'decompose-concepts';

export const EXTRACTOR_OPTIONS: Options = {
  extractor: { type: 'string', choices: EXTRACTORS, default: 'local', doc: 'What extracts' },
  concurrency: { type: 'string', value: 'N', default: '4', doc: 'Texts worked on at the same time' },
  timeout: { type: 'string', value: 'SECONDS', default: '120', doc: 'For one call or program' },
  command: {
    type: 'string',
    value: 'LINE',
    doc: 'command: the program and its arguments; quotes group, there is no shell',
  },
  model: {
    type: 'string',
    value: 'NAME',
    doc: 'llm: openai/…, anthropic/…, google/…, compatible/… (Ollama)',
  },
  prompt: { type: 'string', value: 'NAME', doc: `llm: the prompt (default: the newest ${DEFAULT_STEM})` },
  prompts: {
    type: 'string',
    value: 'DIR',
    doc: 'llm: where prompts are (default prompts/, else those of the package)',
  },
  'base-url': { type: 'string', value: 'URL', doc: 'llm: another address of the provider' },
  temperature: { type: 'string', value: '0..2', doc: 'llm: by default that of the model' },
  'max-output-tokens': { type: 'string', value: 'N', default: '16000', doc: 'llm: the longest answer' },
  stream: { type: 'boolean', doc: 'llm: stream the answer, for calls of more than five minutes' },
  retries: {
    type: 'string',
    value: 'N',
    default: '4',
    doc: 'llm: further tries after a rate limit, fault or bad answer',
  },
  'max-cost': { type: 'string', value: 'USD', doc: 'llm: calls that could exceed it are not made' },
  cache: { type: 'string', value: 'DIR', doc: `llm: where answers are kept (default ${DEFAULT_CACHE})` },
  'no-cache': { type: 'boolean', doc: 'llm: ask again, and keep nothing' },
};

/** Options that mean nothing to the other extractors. */
const ONLY_FOR: Readonly<Record<string, readonly string[]>> = {
  llm: ['model', 'prompt', 'prompts', 'base-url', 'temperature', 'stream', 'max-cost', 'cache', 'no-cache'],
  command: ['command'],
};

export type Extraction = { readonly extractor: OpenedExtractor; readonly concurrency: number };

/** Opens the extractor of the command line; nothing is called or spent yet. */
export async function extractorFrom(args: Arguments, terminal: Terminal): Promise<Extraction> {
  const concurrency = numberOption(args, 'concurrency', { min: 1, max: 256, whole: true }) ?? 4;
  return { extractor: await openExtractor(specOf(args, terminal)), concurrency };
}

function specOf(args: Arguments, terminal: Terminal): ExtractorSpec {
  const kind = args.values.extractor as (typeof EXTRACTORS)[number];
  for (const [owner, names] of Object.entries(ONLY_FOR)) {
    const stray = names.find((name) => owner !== kind && args.values[name] !== undefined);
    if (stray !== undefined) {
      throw new AssayError('USAGE', `--${stray} is for --extractor ${owner}, and this is ${kind}`);
    }
  }
  if (kind === 'llm') return llmSpec(args, terminal);
  if (kind === 'local') return { kind };
  const command = requiredText(args, 'command', 'the program to run, e.g. --command "python extract.py"');
  return { kind, command, env: terminal.env, cwd: terminal.cwd, ...timeoutOf(args) };
}

function llmSpec(args: Arguments, terminal: Terminal): ExtractorSpec {
  const model = requiredText(args, 'model', 'a model, e.g. --model openai/gpt-5-mini');
  const baseUrl = textOption(args, 'base-url');
  const temperature = numberOption(args, 'temperature', { min: 0, max: 2 });
  const maxOutputTokens = numberOption(args, 'max-output-tokens', { min: 1, max: 1e6, whole: true });
  const retries = numberOption(args, 'retries', { min: 0, max: 100, whole: true });
  const maxCostUsd = numberOption(args, 'max-cost', { min: 0, max: 1e6 });
  const cache = textOption(args, 'cache') ?? DEFAULT_CACHE;
  return {
    kind: 'llm',
    model,
    prompt: promptFrom(args, terminal),
    env: terminal.env,
    stream: args.values.stream === true,
    ...timeoutOf(args),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(retries !== undefined && { retries }),
    ...(maxCostUsd !== undefined && { maxCostUsd }),
    ...(args.values['no-cache'] !== true && { cacheFolder: resolve(terminal.cwd, cache) }),
  };
}

function promptFrom(args: Arguments, terminal: Terminal): Prompt {
  const named = textOption(args, 'prompts');
  const folder = promptFolder(named && resolve(terminal.cwd, named), terminal.cwd);
  return readPrompt(folder, textOption(args, 'prompt') ?? newestPrompt(folder, DEFAULT_STEM));
}

/** Timers hold no more than 24 days; a day is long enough for one text. */
function timeoutOf(args: Arguments): { timeoutMs?: number } {
  const seconds = numberOption(args, 'timeout', { min: 0.1, max: 86_400 });
  return seconds === undefined ? {} : { timeoutMs: seconds * 1000 };
}

function textOption({ values }: Arguments, name: string): string | undefined {
  const value = values[name];
  if (value === '') throw new AssayError('USAGE', `--${name} needs a value`);
  return typeof value === 'string' ? value : undefined;
}

function requiredText(args: Arguments, name: string, what: string): string {
  const value = textOption(args, name);
  if (value === undefined) {
    throw new AssayError('USAGE', `--extractor ${args.values.extractor} needs ${what}`);
  }
  return value;
}

export function numberOption(
  args: Arguments,
  name: string,
  { min, max, whole = false }: { readonly min: number; readonly max: number; readonly whole?: boolean },
): number | undefined {
  const text = textOption(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'a whole number' : 'a number';
  throw new AssayError('USAGE', `--${name} is ${kind} from ${min} to ${max}, not "${text}"`);
}
