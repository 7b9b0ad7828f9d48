import { CHOICES } from '../../operations/decomposition/defaults.ts';
import type { Options } from '../command.ts';

export const DEFAULT_CACHE = '.assay/cache/extractions';

export const EXTRACTOR_OPTIONS: Options = {
  extractor: { type: 'string', choices: CHOICES.extractors, default: 'local', doc: 'What extracts' },
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
  prompt: { type: 'string', value: 'NAME', doc: `llm: the prompt (default: the newest decompose-concepts)` },
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
