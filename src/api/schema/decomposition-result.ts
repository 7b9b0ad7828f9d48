import { z } from 'zod';
import { decompositionRun } from './decomposition-run.ts';

const kept = z.looseObject({ value: z.number().nullable(), n: z.number() });

/** A run as it is kept to be compared with: its numbers, without what each case found. */
export const decompositionResult = z.object({
  format: decompositionRun.shape.format,
  version: decompositionRun.shape.version,
  run: decompositionRun.shape.run,
  suite: z.object({
    truth_hash: z.string().nullable(),
    n_cases: z.number(),
    drafts: z.array(z.string()).optional(),
    metrics: z.record(z.string(), kept),
  }),
  cases: z.array(
    z.object({
      id: z.string(),
      error: z.string().optional(),
      zone: z.string().nullable().optional(),
      metrics: z.record(z.string(), kept),
    }),
  ),
});
