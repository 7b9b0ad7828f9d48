import { z } from 'zod';
import { reading } from './parts.ts';

/** `workflow lint --format json`. */
export const workflowLint = z.object({
  format: z.literal('assay-workflow-lint'),
  version: z.literal(1),
  experiments: z.array(z.object({ path: z.string(), name: z.string() })),
  truths: z.array(
    z.object({
      file: z.string(),
      task: z.string(),
      version: z.string(),
      hash: z.string(),
      errors: z.number(),
      traps: z.number(),
      categories: z
        .array(
          z.object({
            category: z.string(),
            CRITICAL: z.number(),
            IMPORTANT: z.number(),
            MINOR: z.number(),
            all: z.number(),
          }),
        )
        .describe('Errors per category, in all and by severity'),
    }),
  ),
  runs: z.array(
    z.object({
      file: z.string().optional(),
      workflow: z.string(),
      task: z.string(),
      run: z.string(),
      findings: z.number(),
      labels: z.number(),
    }),
  ),
  labels: z
    .array(
      z.object({
        author: z.string(),
        Y: z.number(),
        P: z.number(),
        BONUS_VALID: z.number(),
        FALSE: z.number(),
        DUPLICATE: z.number(),
        UNRESOLVED: z.number(),
        all: z.number(),
      }),
    )
    .describe('Labels per author, in all and by kind'),
  ...reading,
  unreadable: z.array(z.object({ file: z.string(), message: z.string(), remedy: z.string() })),
  findings: z.array(
    z.object({
      level: z.enum(['error', 'warning', 'note']),
      rule: z.string(),
      file: z.string(),
      place: z.string(),
      message: z.string(),
    }),
  ),
});

/** One line of `--format jsonl`: what is wrong, the worst first. */
export const lintRow = z.object({
  level: z.enum(['unreadable', 'error', 'warning', 'note']),
  file: z.string(),
  place: z.string(),
  message: z.string(),
  rule: z.string(),
});
