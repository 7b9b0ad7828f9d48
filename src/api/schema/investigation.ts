import { z } from 'zod';
import { action } from './action.ts';
import { judgedMeasurement } from './measurement.ts';

const texts = z.array(z.string());

const passage = z.object({
  from: z.number().describe('Offset in the source text'),
  to: z.number(),
  text: z.string(),
  sentence: z.string(),
});

const edge = { source: z.string(), target: z.string(), predicate: z.string() };

export const investigatedCase = z.object({
  id: z.string(),
  prompt_version: z.string(),
  failing: texts.describe('Metrics in the fail zone'),
  below_target: texts,
  runs: z.number(),
  totals: z
    .object({
      expected: z.number(),
      extracted: z.number(),
      expected_relationships: z.number(),
      extracted_relationships: z.number(),
    })
    .describe('Over all runs together'),
  metrics: z.record(z.string(), judgedMeasurement),
  missed: z.array(
    z.object({
      label: z.string(),
      required: z.boolean(),
      kind: z.string(),
      runs: z.number(),
      name: z.string().optional().describe('The label or alias under which the text has it'),
      passage: passage.optional(),
      nearest: z.object({ label: z.string(), why: z.string() }).optional(),
    }),
  ),
  unexpected: z.array(
    z.object({
      label: z.string(),
      kind: z.string(),
      count: z.number(),
      runs: z.number(),
      canary: z.string().optional(),
      near: z.object({ expected: z.string(), level: z.string().optional(), why: z.string() }).optional(),
      passage: passage.optional(),
      mention: z.enum(['stated', 'implied', 'absent']),
    }),
  ),
  duplicates: z.array(z.object({ expected: z.string(), labels: texts, count: z.number() })),
  wrong_relationships: z.array(
    z.object({
      ...edge,
      kind: z.string(),
      count: z.number(),
      runs: z.number(),
      expected: z.string().optional().describe('The predicate that the golden case has for this pair'),
      unmatched: texts.optional(),
    }),
  ),
  missed_relationships: z.array(
    z.object({
      ...edge,
      required: z.boolean(),
      kind: z.string(),
      runs: z.number(),
      evidence: z.string().optional(),
    }),
  ),
  confusion: z.array(z.object({ expected: z.string(), extracted: z.string(), count: z.number() })),
  quotes: z.array(
    z.object({
      label: z.string(),
      kind: z.string(),
      count: z.number(),
      quote: z.string().optional(),
      nearest: z
        .object({
          passage,
          how: z.enum(['respelled', 'shortened', 'rewritten']),
          shared: z.number(),
          of: z.number(),
          left_out: texts,
          added: texts,
        })
        .optional(),
    }),
  ),
  suspicions: z.array(z.object({ kind: z.string(), label: z.string(), why: z.string() })),
  checklist: z.array(
    z.object({ section: z.string(), question: z.string(), answer: z.string(), suggested: z.boolean() }),
  ),
  symptoms: texts,
  root_cause: texts,
  proposed_fix: texts,
  verification_plan: z.array(z.object({ what: z.string(), action })),
});

/** Why cases fail, and what to try. */
export const investigation = z.object({
  format: z.literal('assay-decomposition-investigation'),
  version: z.literal(2),
  date: z.string(),
  cases: z.array(investigatedCase),
  nothing_wrong: texts,
  errored: z.array(z.object({ id: z.string(), error: z.string() })),
  notes: texts,
});
