import type { Extractor } from '../../decomposition/ingest/extractor.ts';
import {
  type EXTRACTORS,
  type ExtractorSpec,
  type OpenedExtractor,
  openExtractor,
} from '../../decomposition/ingest/extractors/open.ts';
import { newestPrompt, promptFolder, readPrompt } from '../../decomposition/prompts/read-prompt.ts';
import { AssayError } from '../../errors.ts';

export type ExtractorRequest = {
  /** By default a model where a prompt is named, and the local extractor where none is. */
  readonly extractor?: (typeof EXTRACTORS)[number];
  /** The name of a prompt. Of a program it only says what is measured. */
  readonly prompt?: string;
  /** The folder of the prompts; by default the one of the project, else those of the package. */
  readonly prompts?: string;
  readonly model?: string;
  /** The predicates that a model may use; the documented ones unless told. */
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
  /** How many texts are worked on at the same time. */
  readonly concurrency?: number;
  /** What a program and a provider are given. */
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

/** Nothing is called or spent yet. A prompt needs a model, unless a program stands for both. */
export async function openExtraction(request: ExtractorRequest): Promise<Extraction> {
  const { prompt, concurrency } = request;
  const kind = request.extractor ?? (prompt === undefined ? 'local' : 'llm');
  const shared = concurrency === undefined ? {} : { concurrency };
  if (kind === 'llm') return { ...(await openModel(request)), ...shared };
  if (kind === 'command') {
    const extractor = await openExtractor(commandSpec(request));
    return { extractor, kind, ...shared, ...(prompt !== undefined && { prompt }) };
  }
  if (prompt !== undefined) {
    throw new AssayError('USAGE', 'the local extractor has no prompt; name another extractor, or no prompt');
  }
  return { extractor: await openExtractor({ kind }), kind, ...shared };
}

function commandSpec({ command, env, cwd, timeoutMs }: ExtractorRequest): ExtractorSpec {
  if (command === undefined) {
    throw new AssayError('USAGE', 'the extractor command needs the program to run', {
      remedy: 'Name it as it is called, e.g. python extract.py.',
    });
  }
  return { kind: 'command', command, env, cwd, timeoutMs };
}

async function openModel(request: ExtractorRequest): Promise<Omit<Extraction, 'concurrency'>> {
  const { extractor: _, prompts, command: __, concurrency: ___, cwd, model, ...settings } = request;
  const folder = promptFolder(prompts, cwd);
  const prompt = readPrompt(folder, request.prompt ?? newestPrompt(folder, DEFAULT_STEM));
  if (model === undefined) {
    throw new AssayError('USAGE', `measuring ${prompt.name} needs a model, and none is configured`, {
      remedy:
        'Name one, e.g. openai/gpt-5-mini, or set decomposition.model in the configuration; or measure recorded outputs, or a program.',
    });
  }
  const extractor = await openExtractor({ ...settings, kind: 'llm', model, prompt });
  return { extractor, kind: 'llm', model, prompt: prompt.name, promptHash: prompt.hash };
}

/** What is measured, in words: the extractor, and the prompt where its own name does not say it. */
export function subjectOf({ extractor, prompt }: Extraction): string {
  return prompt === undefined || extractor.name.includes(prompt)
    ? extractor.name
    : `${extractor.name} ${prompt}`;
}

/** The same extractor for tasks that may be none: `bad` says why, and keeps its place among the results. */
export function refusingBad(extractor: Extractor): Extractor {
  return {
    name: extractor.name,
    extract: async (task, signal) => {
      if ('bad' in task) throw task.bad;
      return extractor.extract(task, signal);
    },
  };
}
