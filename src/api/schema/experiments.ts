import { z } from 'zod';

const pair = z.object({ control: z.number().nullable(), candidate: z.number().nullable() });
const counts = z.object({ control: z.number(), candidate: z.number() });

const experimentPlan = z.object({
  id: z.string(),
  control: z.string().describe('Name of a prompt version'),
  candidate: z.string(),
  share: z.number().describe('Of the keys, those that get the candidate'),
  primary: z.enum(['acceptable', 'thumbs', 'verified-quotes', 'confidence']),
  confidence: z.number(),
  smallest_effect: z.number(),
  guards: z.object({ errors: z.number(), latency_ms: z.number(), cost_usd: z.number() }),
});

/** An experiment in production: what was planned, what is known, what it says. */
export const experiment = z.object({
  format: z.literal('assay-experiment'),
  version: z.literal(1),
  plan: experimentPlan,
  started_at: z.iso.datetime(),
  started_by: z.string(),
  requests: z.number(),
  keys: counts,
  known: counts.describe('Keys of which an outcome is known'),
  means: pair.describe('Of the primary metric'),
  difference: z.number().nullable().describe('Candidate − control; null while an arm is empty'),
  low: z.number().describe('Of an interval that may be looked at any time'),
  high: z.number(),
  p: z.number().describe('Of no difference; may be looked at any time'),
  guards: z.array(
    z.object({
      guard: z.enum(['errors', 'latency_ms', 'cost_usd']),
      means: pair,
      low: z.number(),
      high: z.number(),
      allowed: z.number(),
      crossed: z.boolean(),
    }),
  ),
  distrust: z
    .array(z.string())
    .describe('Why nothing of it can be believed; empty: nothing speaks against it'),
  verdict: z.enum([
    'not to be trusted',
    'guard rail crossed',
    'candidate better',
    'candidate worse',
    'no difference that matters',
    'too early to tell',
  ]),
  says: z.string().describe('The verdict in a sentence'),
  may_need: z.number().nullable().describe('About how many keys with a known outcome it may take in all'),
  stopped: z
    .object({
      at: z.iso.datetime(),
      who: z.string(),
      decision: z.enum(['adopt the candidate', 'keep the control', 'undecided']),
      reasons: z.array(z.string()),
    })
    .nullable(),
});

/** Newest first. */
export const experimentList = z.object({
  format: z.literal('assay-experiment-list'),
  version: z.literal(1),
  experiments: z.array(experiment),
});

export const experimentStarted = z.object({
  format: z.literal('assay-experiment-started'),
  version: z.literal(1),
  plan: experimentPlan,
  started_at: z.iso.datetime(),
  started_by: z.string(),
});

/** What a service does for one key. */
export const experimentArm = z.object({
  format: z.literal('assay-experiment-arm'),
  version: z.literal(1),
  prompt_version: z.string(),
  experiment: z.object({ id: z.string(), arm: z.enum(['control', 'candidate']), key_hash: z.string() }),
});
