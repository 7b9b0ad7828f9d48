/** The options that say what extracts, and the request they make. */
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { AssayError } from '../../errors.ts';
import { CHOICES, chainWith } from '../../operations/decomposition/defaults.ts';
import type { ExtractorRequest } from '../../operations/decomposition/extraction.ts';
import type { Given } from '../../report/action.ts';
import type { Options, SomeArguments, Terminal } from '../command.ts';

const DEFAULT_CACHE = '.assay/cache/extractions';

export const EXTRACTOR_OPTIONS = {
  extractor: { type: 'choice', choices: CHOICES.extractors, default: 'local', doc: 'What extracts' },
  concurrency: {
    type: 'number',
    min: 1,
    max: 256,
    whole: true,
    value: 'N',
    default: 4,
    doc: 'Number of texts in parallel',
  },
  // Timers hold no more than 24 days; a day is long enough for one text.
  timeout: {
    type: 'number',
    min: 0.1,
    max: 86_400,
    value: 'SECONDS',
    default: 120,
    doc: 'Timeout of one call or program',
  },
  command: {
    type: 'text',
    value: 'LINE',
    doc: 'command: the program and its arguments; quotes group, there is no shell',
  },
  model: {
    type: 'text',
    value: 'NAME',
    doc: 'llm: openai/…, anthropic/…, google/…, ollama/…, compatible/…',
  },
  prompt: {
    type: 'text',
    value: 'NAME',
    doc: 'The prompt for a model or a program (default llm: the newest decompose-concepts)',
  },
  prompts: {
    type: 'path',
    value: 'DIR',
    doc: 'Folder of prompts (default prompts/, else those of the package)',
  },
  'base-url': { type: 'text', value: 'URL', doc: 'llm: base URL of the provider' },
  temperature: {
    type: 'number',
    min: 0,
    max: 2,
    value: '0..2',
    doc: 'llm: temperature (default: that of the model)',
  },
  'max-output-tokens': {
    type: 'number',
    min: 1,
    max: 1e6,
    whole: true,
    value: 'N',
    default: 16_000,
    doc: 'llm: maximum tokens of the answer',
  },
  stream: { type: 'flag', doc: 'llm: stream the answer, for calls of more than five minutes' },
  retries: {
    type: 'number',
    min: 0,
    max: 100,
    whole: true,
    value: 'N',
    default: 4,
    doc: 'llm: retries after a rate limit, an error or a bad answer',
  },
  'max-cost': {
    type: 'number',
    min: 0,
    max: 1e6,
    value: 'USD',
    doc: 'llm: maximum cost; calls that could exceed it are skipped',
  },
  cache: { type: 'path', value: 'DIR', doc: `llm: folder of the response cache (default ${DEFAULT_CACHE})` },
  'no-cache': { type: 'flag', doc: 'llm: bypass the cache' },
} as const satisfies Options;

export type ExtractorArguments = SomeArguments<typeof EXTRACTOR_OPTIONS>;

/** How often each text is extracted. */
export const REPEAT_OPTION = {
  repeat: {
    type: 'number',
    min: 1,
    max: 1000,
    whole: true,
    value: 'N',
    default: 1,
    doc: 'Extract each text N times, independently',
  },
} as const satisfies Options;

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
  'Add --model, e.g. openai/gpt-5-mini (or decomposition.model in the configuration); or recorded outputs, e.g. --outputs outputs/, or --extractor command --command "…".';

/** For extraction without golden cases: the extractor and its inputs have to be named. */
export function namedExtractor(args: ExtractorArguments, terminal: Terminal): ExtractorRequest {
  const kind = args.values.extractor ?? 'local';
  refuseStray(args.given, kind, []);
  const [option, what] = kind === 'local' ? [] : EXAMPLES[kind];
  if (option !== undefined && args.values[option] === undefined) {
    throw new AssayError('USAGE', `--extractor ${kind} needs ${what}`);
  }
  return { ...settingsOf(args, terminal), extractor: kind };
}

type Configured = Pick<Config['decomposition'], 'extractor' | 'prompt' | 'command' | 'model'>;

/**
 * For a measurement: what was typed, else what is configured. A prompt asks for a model unless a program is to use it;
 * one that was typed takes the place of its own version in a configured chain.
 */
export function measuredExtractor(
  args: ExtractorArguments,
  terminal: Terminal,
  configured: Configured,
): ExtractorRequest {
  const named = measuredPrompt(args, configured);
  const kind = args.values.extractor ?? configuredKind(configured) ?? (named === undefined ? 'local' : 'llm');
  refuseStray(args.given, kind, kind === 'local' ? ['prompt'] : ['prompt', 'prompts']);
  const settings = settingsOf(args, terminal);
  const model = settings.model ?? (configured.model === 'none' ? undefined : configured.model);
  const command = settings.command ?? configured.command;
  // The built-in extractor has no prompt, and uses none that is only configured.
  const prompt = kind === 'local' && args.values.prompt === undefined ? undefined : named;
  if (kind === 'llm' && model === undefined) {
    const what = prompt === undefined ? 'a prompt' : [prompt].flat().join(' and ');
    throw new AssayError('USAGE', `measuring ${what} needs a model, and none is configured`, {
      remedy: MODEL_REMEDY,
    });
  }
  return {
    ...settings,
    extractor: kind,
    ...(prompt !== undefined && { prompt }),
    ...(model !== undefined && { model }),
    ...(command !== undefined && { command }),
  };
}

function configuredKind({ extractor }: Configured): Kind | undefined {
  return extractor === 'recorded' ? undefined : extractor;
}

function measuredPrompt(
  { values: { prompt: typed } }: ExtractorArguments,
  { prompt }: Configured,
): ExtractorRequest['prompt'] {
  const chain = prompt === undefined ? [] : [prompt].flat();
  if (typed === undefined) return prompt;
  return chainWith(chain, typed);
}

function refuseStray(given: Given, kind: Kind, fitting: readonly string[]): void {
  for (const [owner, names] of Object.entries(ONLY_FOR)) {
    const stray = owner === kind ? undefined : names.find((name) => name in given && !fitting.includes(name));
    if (stray !== undefined)
      throw new AssayError('USAGE', `--${stray} is for --extractor ${owner}, and this is ${kind}`);
  }
}

/** What the options say about an extractor, whichever it is. */
function settingsOf({ values }: ExtractorArguments, { cwd, env }: Terminal): ExtractorRequest {
  const { prompt, prompts, model, command, timeout, temperature, retries, concurrency, stream } = values;
  const settings = {
    prompt,
    prompts: prompts && resolve(cwd, prompts),
    model,
    command,
    baseUrl: values['base-url'],
    timeoutMs: timeout && timeout * 1000,
    temperature,
    maxOutputTokens: values['max-output-tokens'],
    retries,
    maxCostUsd: values['max-cost'],
    cacheFolder: values['no-cache'] ? undefined : resolve(cwd, values.cache ?? DEFAULT_CACHE),
    concurrency,
  };
  const filled = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(filled), stream: stream === true, env, cwd };
}
