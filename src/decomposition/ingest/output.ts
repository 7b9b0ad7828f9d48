import { z } from 'zod';
import { readJson } from '../../files.ts';
import { PREDICATES } from './golden-case.ts';
import { parseWith } from './parse.ts';

const label = z.string().trim().min(1);
const confidence = z.number().min(0).max(1).optional();

/** What an extractor produced for one text. Unknown keys are ignored: extractors add their own. */
export const extractionOutputSchema = z.object({
  concepts: z.array(z.object({ label, sourceQuote: z.string().optional(), confidence })),
  relationships: z
    .array(z.object({ source: label, target: label, predicate: z.enum(PREDICATES), confidence }))
    .default([]),
});

export type ExtractionOutput = z.infer<typeof extractionOutputSchema>;

export function readOutput(path: string): ExtractionOutput {
  return parseWith(extractionOutputSchema, readJson(path), path);
}
