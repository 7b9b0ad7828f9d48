import { z } from 'zod';

/** A ground truth that was proposed and written. */
export const workflowDraft = z.object({
  format: z.literal('assay-workflow-draft'),
  version: z.literal(1),
  path: z.string(),
  review: z.string(),
  task: z.string(),
  n_errors: z.number(),
  n_guessed: z.number().describe('Findings without a severity or a category, which were given one'),
});
