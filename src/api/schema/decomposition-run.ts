import { z } from 'zod';
import { judgedMeasurement } from './measurement.ts';
import { caseResult, run } from './run.ts';

const level = z.enum(['exact', 'normalised', 'alias', 'acronym', 'semantic']);

const zones = z.object({ fail: z.number(), target: z.number(), excellent: z.number() });

const lists = {
  matches: z
    .array(
      z.object({
        label: z.string(),
        expected: z.string(),
        level,
        duplicate: z.literal(true).optional().describe('Another one is credited with that concept already'),
        similarity: z.number().optional(),
      }),
    )
    .describe('What was extracted and stands for an expected concept'),
  missed: z.array(z.string()),
  extra: z.array(z.string()).describe('Extracted, and neither expected nor forbidden'),
  canaries: z.array(z.string()).describe('Forbidden concepts that were extracted'),
  forbidden_relationships: z.array(
    z.object({ source: z.string(), target: z.string(), predicate: z.string() }),
  ),
  flaws: z
    .array(z.string())
    .describe('What could not be read and counts as wrong, with what is wrong with it'),
};

/** A case, and of how many outputs there are: what it found, missed and invented. */
export const decompositionCase = caseResult.extend({
  failed: z.boolean().optional().describe('A metric of it is in the fail zone'),
  ...z.object(lists).partial().shape,
  trials: z
    .array(z.object({ ...lists, error: z.string().optional().describe('Why it gave no answer') }))
    .optional()
    .describe('Of repeats: each one alone'),
});

const amount = z.object({ sum: z.number(), mean: z.number(), n: z.number().describe('Outputs that say it') });

/** One run of the golden cases. */
export const decompositionRun = run.extend({
  run: run.shape.run.extend({
    extractor: z.string().describe('local, llm, command or recorded'),
    prompt: z.string().nullable(),
    prompt_sha256: z.string().nullable().describe('Of the text that was sent'),
    model: z.string().nullable(),
    content_sha256: z.string().optional().describe('Of what was measured: what an approval is bound to'),
    match_level: level.describe('The loosest match that counts'),
  }),
  suite: run.shape.suite.extend({
    cost_usd: amount.optional().describe('What the outputs say they cost'),
    latency_ms: amount.optional().describe('What the outputs say they took'),
    yours: z
      .object({
        left_out: z
          .array(z.string())
          .describe('Metrics that the documented standard gates and yours does not'),
        lines: z.record(z.string(), z.object({ yours: zones, documented: zones.nullable() })),
        says: z.array(z.string()),
      })
      .optional()
      .describe('What of the standard is your own'),
    drafts: z.array(z.string()).optional().describe('Golden cases that nobody has corrected yet'),
    n_case_failures: z.number().optional().describe('Cases with a metric in the fail zone'),
    at_match_level: z
      .record(z.string(), z.record(z.string(), judgedMeasurement))
      .optional()
      .describe('The same outputs at other match levels'),
  }),
  cases: z.array(decompositionCase),
  baseline: z.string().optional().describe('The file that this run was saved in as the baseline'),
});
