/** How sessions are scored, priced and delivered. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { TASK_TYPES } from '../session/profiles/task-type.ts';
import { DOCUMENTED_PROFILES, SIGNAL_WEIGHTS } from '../session/weights.ts';
import { weightsTogether } from './fields.ts';

export const sessionSettings = z.strictObject({
  weights: z
    .strictObject({
      coding: weightsTogether(DOCUMENTED_PROFILES.coding, 'What each category counts in Q of coding.'),
      operations: weightsTogether(DOCUMENTED_PROFILES.operations, 'The same of operations.'),
      research: weightsTogether(DOCUMENTED_PROFILES.research, 'The same of research.'),
      chat: weightsTogether(DOCUMENTED_PROFILES.chat, 'The same of chat.'),
      discovery: weightsTogether(DOCUMENTED_PROFILES.discovery, 'The same of discovery.'),
      heartbeat: weightsTogether(DOCUMENTED_PROFILES.heartbeat, 'The same of heartbeats.'),
    })
    .prefault({}),
  signalWeights: z
    .strictObject({
      completion: weightsTogether(SIGNAL_WEIGHTS.completion, 'What each signal counts in its category.'),
      execution: weightsTogether(SIGNAL_WEIGHTS.execution, 'The same of execution.'),
      efficiency: weightsTogether(SIGNAL_WEIGHTS.efficiency, 'The same of efficiency.'),
      outcome: weightsTogether(SIGNAL_WEIGHTS.outcome, 'The same of outcome.'),
    })
    .prefault({}),
  taskTypes: z
    .record(z.string(), z.enum(TASK_TYPES))
    .default({})
    .describe(
      'Task type of an agent or source whose sessions you know, e.g. `{ "release-bot": "operations" }`.',
    ),
  flagBelow: z
    .number()
    .min(0)
    .max(1)
    .default(0.4)
    .describe('A session that ends with a lower Q raises an alert.'),
  repositories: z
    .record(z.string().min(1), z.array(z.string().refine(isAbsolute, 'is an absolute path')))
    .default({})
    .describe(
      'Project → the folders of this machine below which `assay serve` asks git repositories about sessions that were sent to it, e.g. `{ "checkout": ["/srv/git/checkout"] }`. A sender can claim any folder, so Assay looks in no other.',
    )
    .meta({ settings: 'one' }),
  verify: z
    .strictObject({
      command: z
        .string()
        .min(1)
        .max(2000)
        .optional()
        .describe(
          'The check that `assay sessions verify` runs, e.g. `npm test`. Used only where you trust this configuration (`assay trust`). Also --command.',
        ),
      setup: z
        .string()
        .min(1)
        .max(2000)
        .optional()
        .describe('What it runs before the check in each checkout, e.g. `npm install`. Also --setup.'),
    })
    .prefault({}),
  silenceMinutes: z
    .number()
    .positive()
    .max(100_000)
    .default(15)
    .describe(
      'A session that is followed while its agent is at work has ended when nothing came for so long. Also --silence.',
    ),
  intakeMegabytes: z
    .number()
    .positive()
    .max(1e9)
    .default(4000)
    .describe(
      'All that `assay serve` received may have so many megabytes; more is refused until there is room.',
    ),
  webhook: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe('Where `assay serve` sends an event when a session has ended: an address, or nothing.'),
  webhookSecret: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .default('ASSAY_WEBHOOK_SECRET')
    .describe('The environment variable with the secret that these events are signed with.'),
  evaluations: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe(
      'An OpenTelemetry collector (OTLP over HTTP, e.g. `http://127.0.0.1:4318`) that is sent each score as `gen_ai.evaluation.result`.',
    ),
  langfuse: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe(
      'A Langfuse (e.g. `https://cloud.langfuse.com`) that `assay serve` gives the scores of each session that has ended. Its keys are in LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY.',
    ),
  phoenix: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe(
      'A Phoenix (e.g. `http://127.0.0.1:6006`) that is given the same as annotations. Its key, where it asks for one, is in PHOENIX_API_KEY.',
    ),
});
