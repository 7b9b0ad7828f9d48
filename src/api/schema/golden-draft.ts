import { z } from 'zod';
import { goldenFinding } from './golden-lint.ts';

/** A golden case that was proposed and written. */
export const goldenDraft = z.object({
  format: z.literal('assay-golden-draft'),
  version: z.literal(1),
  path: z.string(),
  id: z.string(),
  n_concepts: z.number(),
  n_relationships: z.number(),
  n_canaries: z.number(),
  findings: z.array(goldenFinding.omit({ file: true })).describe('What lint still asks for'),
});
