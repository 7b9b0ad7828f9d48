import { z } from 'zod';
import { decompositionRun } from './decomposition-run.ts';
import { caseResult } from './run.ts';

const level = decompositionRun.shape.run.shape.match_level;

const quote = z.object({
  state: z.enum(['none', 'verified', 'not in the text', 'too short', 'too long', 'elsewhere']),
  from: z.number().optional().describe('Offset in the text, of a verified one'),
  to: z.number().optional(),
});

const concept = z.object({
  label: z.string(),
  expected: z.string().optional().describe('The expected concept that it stands for'),
  level: level.optional(),
  duplicate: z.literal(true).optional().describe('Another one is credited with that concept already'),
  similarity: z.number().optional(),
  canary: z.string().optional().describe('The forbidden concept that it is'),
  confidence: z.number().optional(),
  flaw: z.string().optional(),
  quote,
});

const edge = z.object({
  source: z.string(),
  target: z.string(),
  predicate: z.string(),
  state: z.enum(['right', 'wrong', 'missing', 'forbidden']),
  from: z.string().describe('The concept of the graph that it begins at: the expected one where it is known'),
  to: z.string(),
  duplicate: z.literal(true).optional(),
  required: z.boolean().optional().describe('Of a missing one'),
  flaw: z.string().optional(),
});

/** One case of a stored run: what was found, missed and invented, and the text it was found in. */
export const decompositionCaseStory = z.object({
  format: z.literal('assay-decomposition-case-story'),
  version: z.literal(1),
  run: z.object({
    id: z.string(),
    at: z.string(),
    subject: z.string(),
    truth_hash: z.string().nullable(),
    prompt: z.string().nullable(),
    model: z.string().nullable(),
  }),
  case: caseResult.extend({ failed: z.boolean() }),
  text: z.discriminatedUnion('state', [
    z.object({
      state: z.literal('here'),
      topic: z.string(),
      domain: z.string(),
      text: z.string(),
      citation: z.string().nullable(),
      as_measured: z
        .boolean()
        .describe('False: the golden cases have changed since, so places in the text may be wrong'),
    }),
    z.object({ state: z.literal('absent'), why: z.string() }),
  ]),
  trials: z
    .array(
      z.object({
        error: z.string().optional().describe('Why it gave no answer'),
        latency_ms: z.number().optional(),
        cost_usd: z.number().optional(),
        concepts: z.array(concept),
        missed: z.array(z.object({ label: z.string(), required: z.boolean() })),
        relationships: z.array(edge),
      }),
    )
    .describe('One for each output; none where only the numbers were kept'),
});
