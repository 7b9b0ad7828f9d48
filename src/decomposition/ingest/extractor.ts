import type { GoldenCase, GoldenField } from './golden-case.ts';
import type { ExtractionOutput } from './output.ts';

/** One text to decompose. `trial` counts repeats of the same text from 1: each is a new execution. */
export type ExtractionTask = {
  readonly id: string;
  readonly text: string;
  readonly trial: number;
  /** The fields to look for; their values are not told. */
  readonly fields?: readonly AskedField[];
};

export type AskedField = Pick<GoldenField, 'name' | 'type' | 'values'>;

export function askedFields({ fields }: Pick<GoldenCase, 'fields'>): { fields?: readonly AskedField[] } {
  return fields === undefined
    ? {}
    : { fields: fields.map(({ name, type, values }) => ({ name, type, ...(values && { values }) })) };
}

export type Extractor = {
  /** What a series of results belongs to, as a person would say it: `local`, `llm openai/gpt-5 decompose-concepts-v1.1`. */
  readonly name: string;
  readonly extract: (task: ExtractionTask, signal: AbortSignal) => Promise<ExtractionOutput>;
  /**
   * What the tasks will take, in words, before the first of them; it refuses them when they would exceed the ceiling.
   * Only where it costs something.
   */
  readonly forecast?: (tasks: readonly ExtractionTask[]) => string;
  /** Why it found no concept in a text, as the end of a sentence; only where it can tell. */
  readonly explainNothing?: (task: ExtractionTask) => string;
};
