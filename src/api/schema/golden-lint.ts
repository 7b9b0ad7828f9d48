import { z } from 'zod';

export const goldenFinding = z.object({
  file: z.string().nullable().describe('null: it concerns the whole suite'),
  rule: z.string(),
  place: z.string(),
  message: z.string(),
});

/** What the lint of a folder of golden cases says. */
export const goldenLint = z.object({
  format: z.literal('assay-golden-lint'),
  version: z.literal(1),
  folder: z.string(),
  n_cases: z.number(),
  domains: z.record(z.string(), z.number()),
  drafts: z.array(z.string()).describe('Cases that nobody has corrected yet'),
  findings: z.array(goldenFinding),
});
