import { z } from 'zod';
import { head } from './parts.ts';

const count = z.int().min(0).max(1e9);
const amount = z.number().min(0).max(1e12);
const name = z.string().trim().min(1).max(200);

/** Without `#`, which parts an id from the label of a concept. */
const id = z
  .string()
  .regex(/^[^#\s]{1,200}$/, 'must be 1 to 200 characters without white space and #')
  .describe('Of the request; sent again it changes nothing');

const known = {
  id,
  at: z.iso.datetime({ offset: true }).describe('When the request was made'),
  status: z.enum(['ok', 'error']).default('ok'),
  error_kind: name.optional().describe('A short name of what went wrong, such as `timeout`'),
  latency_ms: amount.optional(),
  cost_usd: amount.optional(),
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  model: name.optional(),
  prompt_version: name.optional(),
  topic: name.optional(),
  text_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 of the text'),
  text_length: count.optional().describe('Characters of the text'),
  concepts: count.optional().describe('How many were extracted'),
  relationships: count.optional(),
  confidence: z
    .strictObject({ n: count, sum: amount, bins: z.array(count).length(20) })
    .optional()
    .describe('Of the concepts that say one: how many, their sum, and how many in each twentieth'),
  predicates: z
    .record(z.string().max(100), count)
    .refine((counts) => Object.keys(counts).length <= 50, 'at most 50 predicates are counted by name')
    .optional(),
  sample: z
    .strictObject({ probability: z.number().gt(0).max(1), stratum: z.string().min(1).max(200) })
    .optional()
    .describe('It was drawn for a closer look, with this probability'),
  quotes: z
    .strictObject({ given: count, verified: count })
    .optional()
    .describe('Quotes that concepts gave, and those that stand in the text'),
  unmentioned: z
    .strictObject({ concepts: count, unmentioned: count })
    .optional()
    .describe('Concepts, and those that the text never mentions'),
  experiment: z.strictObject({ id: name, arm: name, key_hash: name }).optional(),
  project: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('Whose it is; a token of one project says so itself'),
};

/** One request as it is sent: what it counts may be said, or left to be counted from `text` and `output`. */
export const sentDecomposition = z.strictObject({
  ...known,
  text: z
    .string()
    .max(2_000_000)
    .optional()
    .describe(
      'Hashed, and looked at where the request is sampled; kept only where the configuration says so',
    ),
  output: z
    .unknown()
    .optional()
    .describe(
      'What the service answered, in any form that recorded outputs may have; counted, and kept like the text',
    ),
});

/** What became of requests that were sent. */
export const decompositionsRecorded = z.strictObject({
  ...head('assay-decompositions-recorded'),
  added: z.number().describe('Requests that are new'),
  known: z.number().describe('Requests that were there already'),
  sampled: z.number().describe('Of the new ones, those drawn for a closer look'),
  ahead: z.number().describe('Requests that said to be from the future: they count as made when they came'),
});
