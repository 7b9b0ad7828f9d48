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
  .describe('Confidence of concepts: count, sum, and a histogram of 20 bins');

const sample = z
  .strictObject({ probability: z.number().gt(0).max(1), stratum: z.string().min(1).max(200) })
  .describe('Set for sampled requests, with the sampling probability');

/** Never the text itself, nor what was made of it. What is unknown is absent. */
export const decompositionRecord = z.strictObject({
  id: z.string().min(1).describe('ID of the request'),
  at: time.describe('When the request was made, UTC'),
  status: z.enum(['ok', 'error']).describe('`ok` or `error`'),
  errorKind: name.optional().describe('A short name of the error, such as `timeout`'),
  latencyMs: amount.optional().describe('Latency in milliseconds'),
  costUsd: amount.optional().describe('Cost in dollars'),
  inputTokens: count.optional().describe('Tokens read'),
  outputTokens: count.optional().describe('Tokens written'),
  model: name.optional().describe('The model that answered'),
  promptVersion: name.optional().describe('Version of the prompt'),
  topic: name.optional().describe('Topic, as given by the sender'),
  textHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 of the input text'),
  textLength: count.optional().describe('Length of the input text in characters'),
  concepts: count.optional().describe('Number of extracted concepts'),
  quoted: count.optional().describe('Number of concepts with a quote, whether or not it occurs in the text'),
  relationships: count.optional().describe('Number of extracted relationships'),
  confidence: confidence.optional(),
  predicates: z
    .record(z.string().max(100), count)
    .refine((counts) => Object.keys(counts).length <= 50, 'at most 50 predicates are counted by name')
    .optional()
    .describe('Predicate → number of relationships'),
  sample: sample.optional(),
  quotes: z
    .strictObject({ given: count, verified: count })
    .refine(({ given, verified }) => verified <= given, {
      error: 'cannot be more than given',
      path: ['verified'],
    })
    .optional()
    .describe('Quotes of concepts, and those that occur in the text'),
  unmentioned: z
    .strictObject({ concepts: count, unmentioned: count })
    .refine(({ concepts, unmentioned }) => unmentioned <= concepts, {
      error: 'cannot be more than concepts',
      path: ['unmentioned'],
    })
    .optional()
    .describe('Checked concepts, and those that the text never mentions'),
  experiment: z.strictObject({ id: name, arm: name, keyHash: name }).optional(),
  project: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('The project; a token for one project implies it'),
});

export type DecompositionRecord = z.infer<typeof decompositionRecord>;
export type ConfidenceCounts = z.infer<typeof confidence>;
export type SampleDraw = z.infer<typeof sample>;

/** The text of a sampled request and what was made of it, masked; `id` is that of its record. */
export const decompositionText = z.strictObject({
  id: z.string(),
  at: time,
  text: z.string(),
  output: z.custom<Json>().optional().describe('As returned by the service'),
});

export type DecompositionText = z.infer<typeof decompositionText>;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
