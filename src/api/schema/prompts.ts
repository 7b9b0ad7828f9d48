import { z } from 'zod';

export const promptVersion = z.object({
  prompt: z.string(),
  state: z.enum(['in force', 'promoted before', 'rejected', 'held', 'not promoted']),
  file: z.enum(['as recorded', 'as created', 'draft', 'changed', 'deleted', 'not recorded']),
  since: z.string().nullable().describe('When it was decided on, UTC'),
  who: z.string().nullable(),
});

/** Every version of every prompt of a folder. */
export const promptList = z.object({
  format: z.literal('assay-prompts'),
  version: z.literal(1),
  folder: z.string(),
  fault: z.string().nullable().describe('Where the ledger is broken'),
  prompts: z.array(promptVersion),
});

/** What was decided about prompts, newest first. */
export const promptDecisions = z.object({
  format: z.literal('assay-prompt-decisions'),
  version: z.literal(1),
  folder: z.string(),
  fault: z.string().nullable().describe('Where the ledger is broken; what follows is not trusted'),
  decisions: z.array(
    z.object({
      seq: z.number(),
      at: z.iso.datetime(),
      who: z.string(),
      action: z.enum([
        'created',
        'promoted',
        'held',
        'rejected',
        'rolled back',
        'experiment started',
        'experiment stopped',
      ]),
      prompt: z.string(),
      from: z.string().nullable().describe('The version that was in force before'),
      reasons: z.array(z.string()),
      sha256: z.string().describe('Of the file at that time'),
    }),
  ),
});

export const promptStarted = z.object({
  format: z.literal('assay-prompt-started'),
  version: z.literal(1),
  prompt: z.string(),
  path: z.string(),
  from: z.string(),
});

export const promptDiff = z.object({
  format: z.literal('assay-prompt-diff'),
  version: z.literal(1),
  before: z.string(),
  after: z.string(),
  added: z.number(),
  removed: z.number(),
  lines: z.array(z.object({ kind: z.enum(['added', 'removed']), text: z.string() })),
});

export const promptPromotion = z.object({
  format: z.literal('assay-prompt-promotion'),
  version: z.literal(1),
  prompt: z.string(),
  decision: z.enum(['promote', 'hold', 'reject']),
  reasons: z.array(z.string()),
  before: z.string().nullable().describe('The version that it was held against'),
  impact: z
    .array(z.object({ metric: z.string(), before: z.string(), after: z.string(), delta: z.string() }))
    .describe('As the CHANGELOG says it'),
});

export const promptRollback = z.object({
  format: z.literal('assay-prompt-rollback'),
  version: z.literal(1),
  in_force: z.string(),
  from: z.string().describe('The version that was in force until now'),
});
