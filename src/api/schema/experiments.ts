import { z } from 'zod';
import type { ExperimentStatus } from '../../decomposition/production/experiment/plan.ts';
import { distrustWords, verdictSentence } from '../../decomposition/views/experiment-words.ts';
import { from } from '../wire.ts';
import { head } from './parts.ts';

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

type Arms<Value> = readonly [control: Value, candidate: Value];

function byArm<Value>([control, candidate]: Arms<Value>) {
  return { control, candidate };
}

const GUARD_KEYS = { errors: 'errors', latencyMs: 'latency_ms', costUsd: 'cost_usd' } as const;
type Guard = { readonly guard: keyof typeof GUARD_KEYS; readonly means: Arms<number | undefined> };
type Read = Pick<ExperimentStatus, 'reading'>;

/** An experiment in production: its plan, its data and its result. */
export const experiment = z.object({
  ...head('assay-experiment'),
  plan: experimentPlan,
  started_at: z.iso.datetime(),
  started_by: z.string(),
  requests: from('reading.exposures', z.number()),
  keys: from(({ reading }: Read) => byArm(reading.keys), counts),
  known: from(
    ({ reading }: Read) => byArm(reading.primary.n),
    counts.describe('Keys of which an outcome is known'),
  ),
  means: from(({ reading }: Read) => byArm(reading.primary.means), pair.describe('Of the primary metric')),
  difference: from(
    'reading.primary.difference',
    z.number().nullable().describe('Candidate − control; null while an arm is empty'),
  ),
  low: from(
    'reading.primary.interval.low',
    z.number().describe('Of an interval that may be looked at any time'),
  ),
  high: from('reading.primary.interval.high', z.number()),
  p: from('reading.primary.p', z.number().describe('Of no difference; may be looked at any time')),
  guards: from(
    'reading.guards',
    z.array(
      z.object({
        guard: from(({ guard }: Guard) => GUARD_KEYS[guard], z.enum(['errors', 'latency_ms', 'cost_usd'])),
        means: from(({ means }: Guard) => byArm(means), pair),
        low: z.number(),
        high: z.number(),
        allowed: from('margin', z.number()),
        crossed: z.boolean(),
      }),
    ),
  ),
  distrust: from(
    ({ reading }: Read) => reading.distrust.map(distrustWords),
    z.array(z.string()).describe('Why nothing of it can be believed; empty: nothing speaks against it'),
  ),
  verdict: from(
    'reading.verdict',
    z.enum([
      'not to be trusted',
      'guard rail crossed',
      'candidate better',
      'candidate worse',
      'no difference that matters',
      'too early to tell',
    ]),
  ),
  says: from(
    ({ reading }: Read) => verdictSentence(reading),
    z.string().describe('The verdict in a sentence'),
  ),
  may_need: from(
    'reading.mayNeed',
    z.number().nullable().describe('About how many keys with a known outcome it may take in all'),
  ),
  stopped: z
    .object({
      at: z.iso.datetime(),
      who: z.string(),
      decision: from('outcome.decision', z.enum(['adopt the candidate', 'keep the control', 'undecided'])),
      reasons: z.array(z.string()),
    })
    .nullable(),
});

/** Newest first. */
export const experimentList = z.object({
  ...head('assay-experiment-list'),
  experiments: z.array(experiment),
});

export const experimentStarted = z.object({
  ...head('assay-experiment-started'),
  plan: experimentPlan,
  started_at: z.iso.datetime(),
  started_by: z.string(),
});

/** What a service does for one key. */
export const experimentArm = z.object({
  ...head('assay-experiment-arm'),
  prompt_version: z.string(),
  experiment: z.object({ id: z.string(), arm: z.enum(['control', 'candidate']), key_hash: z.string() }),
});
