import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { readJson } from '../../files.ts';
import { checkOutput } from './check-output.ts';
import { PREDICATES } from './golden-case.ts';
import { outputCheck } from './is-output.ts';
import { parseWith } from './parse.ts';

/** Far beyond what any text of a few pages holds; what exceeds them is a fault of the extractor, not a result. */
const MOST = {
  concepts: 20_000,
  relationships: 50_000,
  aliases: 50,
  label: 1_000,
  quote: 20_000,
  bytes: 16 * 1024 * 1024,
} as const;

const label = z.string().trim().min(1).max(MOST.label);
const confidence = z.number().min(0).max(1).optional();
const sourceQuote = z
  .string()
  .max(MOST.quote)
  .optional()
  .describe('The passage of the source text that it rests on, verbatim.');
const aliases = z
  .array(label)
  .max(MOST.aliases)
  .optional()
  .describe('Other names under which it may be recognised.');
const stamp = z.string().max(MOST.label).optional();

/** What an extractor produced for one text. Unknown keys are ignored: extractors add their own. */
export const extractionOutputSchema = z.object({
  concepts: z.array(z.object({ label, aliases, sourceQuote, confidence })).max(MOST.concepts),
  relationships: z
    .array(z.object({ source: label, target: label, predicate: z.enum(PREDICATES), confidence, sourceQuote }))
    .max(MOST.relationships)
    .default([]),
  latencyMs: z.number().min(0).optional(),
  costUsd: z.number().min(0).optional(),
  model: stamp,
  promptVersion: stamp,
});

export type ExtractionOutput = z.infer<typeof extractionOutputSchema>;

/** Everything an output must be: bounded, of this shape, and with every end of a relationship among its concepts. */
export function parseOutput(
  value: unknown,
  where: string,
  isKnown?: (name: string) => boolean,
): ExtractionOutput {
  const output = isOutput(value) ? (value as ExtractionOutput) : parseSlowly(value, where);
  checkOutput(output, where, isKnown);
  return output;
}

/** Whether the schema would change nothing. */
export const isOutput: (value: unknown) => boolean = outputCheck(MOST);

function parseSlowly(value: unknown, where: string): ExtractionOutput {
  checkLengths(value, where);
  const parsed = extractionOutputSchema.safeParse(value);
  return parsed.success ? parsed.data : parseWith(extractionOutputSchema, withoutNulls(value), where);
}

/** `isKnown`: names that a golden case has for its concepts. */
export function readOutput(path: string, isKnown: (name: string) => boolean): ExtractionOutput {
  return parseOutput(readJson(path, MOST.bytes), path, isKnown);
}

/** Many programs write what they do not have as null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const { concepts, relationships, ...rest } = dropNulls(value) as Record<string, unknown>;
  const items = (list: unknown) => (Array.isArray(list) ? list.map(dropNulls) : list);
  return { ...rest, concepts: items(concepts), relationships: items(relationships) };
}

function dropNulls(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

/** Before the schema looks at every item: a list of millions of faults would fill the memory with their reports. */
function checkLengths(value: unknown, where: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of ['concepts', 'relationships'] as const) {
    const list: unknown = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    if (Array.isArray(list) && list.length > MOST[key]) {
      throw new AssayError(
        'INPUT_INVALID',
        `${where}: ${key}: has ${list.length} items; at most ${MOST[key]} are read`,
      );
    }
  }
}
