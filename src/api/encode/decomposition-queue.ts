import type { z } from 'zod';
import type { DecompositionRecord, DecompositionText } from '../../decomposition/production/record.ts';
import type { decompositionQueue } from '../schema/decomposition-rating.ts';
import { encodeDecomposition } from './decomposition-record.ts';

type Queue = {
  readonly open: number;
  readonly sampled: number;
  readonly items: readonly {
    readonly record: DecompositionRecord;
    readonly text?: DecompositionText;
    readonly concepts: readonly { readonly label: string; readonly quote?: string }[];
  }[];
};

export function encodeDecompositionQueue({
  open,
  sampled,
  items,
}: Queue): z.infer<typeof decompositionQueue> {
  return {
    format: 'assay-decomposition-queue',
    version: 1,
    open,
    sampled,
    items: items.map(({ record, text, concepts }) => ({
      decomposition: encodeDecomposition(record),
      text: text?.text ?? null,
      output: text?.output ?? null,
      concepts: concepts.map(({ label, quote }) => ({ label, quote: quote ?? null })),
    })),
  };
}
