import { resolve } from 'node:path';
import type { ExtractorRequest } from '../../operations/decomposition/open-extraction.ts';
import type { Arguments, Terminal } from '../command.ts';
import { DEFAULT_CACHE } from './extractor-options.ts';
import { filledText, numberOf } from './option-values.ts';

/** What the options say about an extractor, whichever it is. */
export function settingsOf(args: Arguments, { cwd, env }: Terminal): ExtractorRequest {
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
