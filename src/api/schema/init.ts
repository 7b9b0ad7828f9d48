import { z } from 'zod';

/** What a new project was given. */
export const initResult = z.object({
  format: z.literal('assay-init'),
  version: z.literal(1),
  measured: z.enum(['decomposition', 'workflow', 'sessions']),
  written: z.array(z.string()),
  kept: z.array(z.string()).describe('There already, and left as they are'),
  draft: z.string().nullable().describe('The golden case or ground truth that waits to be corrected'),
});
