import type { GoldenCase, GoldenField } from './golden-case.ts';
import type { ExtractionOutput } from './output.ts';

/** One text to decompose. `trial` counts repeats of the same text from 1: each is a new execution. */
export type ExtractionTask = {
  readonly id: string;
  readonly text: string;
  readonly trial: number;
  /** The fields to look for, without their expected values. */
  readonly fields?: readonly AskedField[];
};

export type AskedField = Pick<GoldenField, 'name' | 'type' | 'values'>;

export function askedFields({ fields }: Pick<GoldenCase, 'fields'>): { fields?: readonly AskedField[] } {
  return fields === undefined
    ? {}
    : { fields: fields.map(({ name, type, values }) => ({ name, type, ...(values && { values }) })) };
}

export type Extractor = {
  /** The name of its series of results: `local`, `llm openai/gpt-5 decompose-concepts-v1.1`. */
  readonly name: string;
  readonly extract: (task: ExtractionTask, signal: AbortSignal) => Promise<ExtractionOutput>;
  /**
   * A readable cost estimate for the tasks before the first one starts. Throws if they would exceed the ceiling.
   * Present only if calls cost money.
   */
  readonly forecast?: (tasks: readonly ExtractionTask[]) => string;
  /** Why a text has no concepts, as the end of a sentence, if the extractor can tell. */
  readonly explainNothing?: (task: ExtractionTask) => string;
};
