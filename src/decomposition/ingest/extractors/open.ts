import type { Extractor } from '../extractor.ts';
import type { CommandOptions } from './command.ts';
import type { LlmCounts, LlmOptions } from './llm.ts';
import type { LocalOptions } from './local/local.ts';

export const EXTRACTORS = ['local', 'llm', 'command'] as const;

export type ExtractorSpec =
  | ({ readonly kind: 'local' } & LocalOptions)
  | ({ readonly kind: 'llm' } & LlmOptions)
  | ({ readonly kind: 'command' } & CommandOptions);

export type OpenedExtractor = Extractor & { readonly counts?: () => LlmCounts };

/** Each kind is imported on first use, because a language model and an SDK are large. */
export async function openExtractor(spec: ExtractorSpec): Promise<OpenedExtractor> {
  if (spec.kind === 'llm') return (await import('./llm.ts')).llmExtractor(spec);
  if (spec.kind === 'command') return (await import('./command.ts')).commandExtractor(spec);
  return (await import('./local/local.ts')).localExtractor(spec);
}
