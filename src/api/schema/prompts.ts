import { z } from 'zod';
import type { Promotion } from '../../decomposition/prompts/promotion.ts';
import type { PromptDiff } from '../../decomposition/prompts/text-diff.ts';
import { from } from '../wire.ts';
import { head } from './parts.ts';

export const promptVersion = z.object({
  prompt: from('name', z.string()),
  state: z.enum(['in force', 'promoted before', 'rejected', 'held', 'not promoted']),
  file: z.enum(['as recorded', 'as created', 'draft', 'changed', 'deleted', 'not recorded']),
  since: z.string().nullable().describe('When it was decided on, UTC'),
  who: z.string().nullable(),
});

/** Every version of every prompt of a folder. */
export const promptList = z.object({
  ...head('assay-prompts'),
  folder: z.string(),
  fault: z.string().nullable().describe('Where the ledger is broken'),
  prompts: z.array(promptVersion),
});

/** What was decided about prompts, newest first. */
export const promptDecisions = z.object({
  ...head('assay-prompt-decisions'),
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
  ...head('assay-prompt-started'),
  prompt: from('name', z.string()),
  path: z.string(),
  from: z.string(),
});

export const promptDiff = z.object({
  ...head('assay-prompt-diff'),
  before: z.string(),
  after: z.string(),
  added: z.number(),
  removed: z.number(),
  lines: from(
    ({ lines }: PromptDiff) => lines.flatMap(({ kind, text }) => (kind === 'same' ? [] : [{ kind, text }])),
    z.array(z.object({ kind: z.enum(['added', 'removed']), text: z.string() })),
  ),
});

export const promptPromotion = z.object({
  ...head('assay-prompt-promotion'),
  prompt: z.string(),
  decision: from(({ decision }: Promotion) => decision.outcome, z.enum(['promote', 'hold', 'reject'])),
  reasons: from('decision.reasons', z.array(z.string())),
  before: z.string().nullable().describe('The version that it was held against'),
  impact: z
    .array(z.object({ metric: z.string(), before: z.string(), after: z.string(), delta: z.string() }))
    .describe('As the CHANGELOG says it'),
});

export const promptRollback = z.object({
  ...head('assay-prompt-rollback'),
  in_force: from('to', z.string()),
  from: z.string().describe('The version that was in force until now'),
});
