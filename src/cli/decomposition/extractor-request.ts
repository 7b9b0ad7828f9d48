import { resolve } from 'node:path';
import { AssayError } from '../../errors.ts';
import type { ExtractorRequest } from '../../operations/decomposition/open-extraction.ts';
import type { Arguments, Terminal } from '../command.ts';
import { DEFAULT_CACHE } from './extractor-options.ts';
import { filledText, numberOf, strayOf } from './option-values.ts';

type Kind = NonNullable<ExtractorRequest['extractor']>;

/** Options that mean nothing to the other extractors. */
const ONLY_FOR: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  llm: ['model', 'prompt', 'prompts', 'base-url', 'temperature', 'stream', 'max-cost', 'cache', 'no-cache'],
  command: ['command'],
};

const EXAMPLES = {
  llm: ['model', 'a model, e.g. --model openai/gpt-5-mini'],
  command: ['command', 'the program to run, e.g. --command "python extract.py"'],
} as const;

const MODEL_REMEDY =
  'Add --model, e.g. openai/gpt-5-mini (or decomposition.model in the configuration); or --outputs DIR with what was recorded, or --extractor command --command "…".';

/** For texts that are only extracted: the extractor is named, and so is what it needs. */
export function namedExtractor(args: Arguments, terminal: Terminal): ExtractorRequest {
  const kind = args.values.extractor as Kind;
  refuseStray(args, kind, []);
  const [option, what] = kind === 'local' ? [] : EXAMPLES[kind];
  if (option !== undefined && filledText(args, option) === undefined) {
    throw new AssayError('USAGE', `--extractor ${kind} needs ${what}`);
  }
  return { ...settingsOf(args, terminal), extractor: kind };
}

/** For a measurement: a prompt asks for a model, of which one may be configured, or names what a program does. */
export function measuredExtractor(args: Arguments, terminal: Terminal, configured: string): ExtractorRequest {
  const prompt = filledText(args, 'prompt');
  const kind =
    (filledText(args, 'extractor') as Kind | undefined) ?? (prompt === undefined ? 'local' : 'llm');
  refuseStray(args, kind, kind === 'local' ? ['prompt'] : ['prompt', 'prompts']);
  const settings = settingsOf(args, terminal);
  const model = settings.model ?? (configured === 'none' ? undefined : configured);
  if (kind === 'llm' && model === undefined) {
    throw new AssayError('USAGE', `measuring ${prompt ?? 'a prompt'} needs a model, and none is configured`, {
      remedy: MODEL_REMEDY,
    });
  }
  return { ...settings, extractor: kind, ...(model !== undefined && { model }) };
}

function refuseStray(args: Arguments, kind: Kind, fitting: readonly string[]): void {
  for (const [owner, names] of Object.entries(ONLY_FOR)) {
    const stray =
      owner === kind
        ? undefined
        : strayOf(
            args,
            names.filter((name) => !fitting.includes(name)),
          );
    if (stray !== undefined) {
      throw new AssayError('USAGE', `--${stray} is for --extractor ${owner}, and this is ${kind}`);
    }
  }
}

function settingsOf(args: Arguments, { cwd, env }: Terminal): ExtractorRequest {
  const seconds = numberOf(args, 'timeout', { min: 0.1, max: 86_400 });
  const [prompts, cache] = [filledText(args, 'prompts'), filledText(args, 'cache') ?? DEFAULT_CACHE];
  const given = {
    prompt: filledText(args, 'prompt'),
    prompts: prompts && resolve(cwd, prompts),
    model: filledText(args, 'model'),
    command: filledText(args, 'command'),
    baseUrl: filledText(args, 'base-url'),
    // Timers hold no more than 24 days; a day is long enough for one text.
    timeoutMs: seconds && seconds * 1000,
    temperature: numberOf(args, 'temperature', { min: 0, max: 2 }),
    maxOutputTokens: numberOf(args, 'max-output-tokens', { min: 1, max: 1e6, whole: true }),
    retries: numberOf(args, 'retries', { min: 0, max: 100, whole: true }),
    maxCostUsd: numberOf(args, 'max-cost', { min: 0, max: 1e6 }),
    cacheFolder: args.values['no-cache'] === true ? undefined : resolve(cwd, cache),
    concurrency: numberOf(args, 'concurrency', { min: 1, max: 256, whole: true }),
  };
  const filled = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(filled), stream: args.values.stream === true, env, cwd };
}
