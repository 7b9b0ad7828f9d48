/** What a request in production is recorded as, declared once. Zod is not loaded by those who import only the types. */
import { z } from 'zod';

/** Confidence is counted in this many bins of equal width, from 0 to 1. */
const BINS = 20;

const time = z.iso.datetime({ precision: 3 });
const count = z.int().min(0).max(1e9);
const amount = z.number().min(0).max(1e12);
const name = z.string().trim().min(1).max(200);

const confidence = z
  .strictObject({ n: count, sum: amount, bins: z.array(count).length(BINS).readonly() })
  .refine(({ n, sum }) => sum <= n + 1e-6, { error: 'cannot be more than there are', path: ['sum'] })
  .refine(({ n, bins }) => bins.reduce((all, one) => all + one, 0) === n, {
    error: 'must add up to n',
    path: ['bins'],
  })
  .describe('Of the concepts that say one: how many, their sum, and how many in each twentieth');

const sample = z
  .strictObject({ probability: z.number().gt(0).max(1), stratum: z.string().min(1).max(200) })
  .describe('It was drawn for a closer look, with this probability');

/** Never the text itself, nor what was made of it. What is unknown is absent. */
export const decompositionRecord = z.strictObject({
  id: z.string().min(1).describe('Name of the request'),
  at: time.describe('When it was made, UTC'),
  status: z.enum(['ok', 'error']).describe('`ok` or `error`'),
  errorKind: name.optional().describe('A short name of what went wrong, such as `timeout`'),
  latencyMs: amount.optional().describe('How long it took, milliseconds'),
  costUsd: amount.optional().describe('What it cost'),
  inputTokens: count.optional().describe('Tokens read'),
  outputTokens: count.optional().describe('Tokens written'),
  model: name.optional().describe('The model that answered'),
  promptVersion: name.optional().describe('Version of the prompt'),
  topic: name.optional().describe('What it was about, as its sender says'),
  textHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 of its text'),
  textLength: count.optional().describe('Characters of its text'),
  concepts: count.optional().describe('Concepts that were extracted'),
  quoted: count.optional().describe('Concepts with a quote, whether it stands in the text or not'),
  relationships: count.optional().describe('Relationships that were extracted'),
  confidence: confidence.optional(),
  predicates: z
    .record(z.string().max(100), count)
    .refine((counts) => Object.keys(counts).length <= 50, 'at most 50 predicates are counted by name')
    .optional()
    .describe('Predicate → how many relationships have it'),
  sample: sample.optional(),
  quotes: z
    .strictObject({ given: count, verified: count })
    .refine(({ given, verified }) => verified <= given, {
      error: 'cannot be more than given',
      path: ['verified'],
    })
    .optional()
    .describe('Quotes that concepts gave, and those that stand in the text'),
  unmentioned: z
    .strictObject({ concepts: count, unmentioned: count })
    .refine(({ concepts, unmentioned }) => unmentioned <= concepts, {
      error: 'cannot be more than concepts',
      path: ['unmentioned'],
    })
    .optional()
    .describe('Concepts, and those that the text never mentions'),
  experiment: z.strictObject({ id: name, arm: name, keyHash: name }).optional(),
  project: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('Whose it is; a token of one project says so itself'),
});

export type DecompositionRecord = z.infer<typeof decompositionRecord>;
export type ConfidenceCounts = z.infer<typeof confidence>;
export type SampleDraw = z.infer<typeof sample>;

/** The text of a sampled request and what was made of it, masked; `id` is that of its record. */
export const decompositionText = z.strictObject({
  id: z.string(),
  at: time,
  text: z.string(),
  output: z.custom<Json>().optional().describe('As the service gave it'),
});

export type DecompositionText = z.infer<typeof decompositionText>;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
