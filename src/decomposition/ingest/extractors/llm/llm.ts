import { type ClientOptions, type ModelCounts, openModelClient } from '../../../../model/client.ts';
import { PREDICATES } from '../../../predicates.ts';
import type { Prompt } from '../../../prompts/read-prompt.ts';
import type { Extractor } from '../../extractor.ts';
import { answerSchemaWith, readAnswer } from './answer.ts';
import { type CacheKey, hashText, openCache } from './cache.ts';

export type LlmOptions = ClientOptions & {
  readonly prompt: Prompt;
  /** Those that the model may use; the documented ones unless told. */
  readonly predicates?: readonly string[];
  /** Where answers are kept; without it none are. */
  readonly cacheFolder?: string;
};

/** What an extractor has done so far. */
export type LlmCounts = ModelCounts & { readonly fromCache: number };

export type LlmExtractor = Extractor & { readonly counts: () => LlmCounts };

/** Any model of the AI SDK with a versioned prompt. */
export async function llmExtractor(options: LlmOptions): Promise<LlmExtractor> {
  const { prompt, temperature, cacheFolder, predicates = PREDICATES } = options;
  const form = { name: 'decomposition', schema: answerSchemaWith(predicates) };
  const own = predicates.join() === PREDICATES.join() ? {} : { predicates: JSON.stringify(predicates) };
  const client = await openModelClient(options);
  const { spec, address } = client.model;
  const cache = cacheFolder === undefined ? undefined : openCache(cacheFolder);
  const notes = cache === undefined && cacheFolder !== undefined ? [sayShared(cacheFolder)] : [];
  let fromCache = 0;
  return {
    name: `llm ${spec} ${prompt.name}${temperature === undefined ? '' : ` temperature ${temperature}`}`,
    extract: async (task, signal) => {
      const key: CacheKey = {
        model: spec,
        address,
        temperature,
        maxOutputTokens: client.maxOutputTokens,
        promptHash: prompt.hash,
        textHash: hashText(task.text),
        trial: task.trial,
        ...own,
      };
      const known = cache?.read(key);
      if (known !== undefined) {
        fromCache += 1;
        // The same text under another name of the prompt is the same answer.
        return { ...known, promptVersion: prompt.name, promptSha256: prompt.hash };
      }
      const { output: read, ...took } = await client.ask(
        {
          instructions: prompt.text,
          text: task.text,
          form,
          read: (text, finishReason) => readAnswer(text, finishReason, spec),
        },
        signal,
      );
      const output = {
        ...read,
        ...took,
        model: spec,
        promptVersion: prompt.name,
        promptSha256: prompt.hash,
      };
      cache?.write(key, output);
      return output;
    },
    counts: () => {
      const counts = client.counts();
      return { ...counts, fromCache, warnings: [...notes, ...counts.warnings] };
    },
  };
}

function sayShared(folder: string): string {
  return `the cache ${folder} is not used: it belongs to somebody else, is a link, or others may write to it`;
}
