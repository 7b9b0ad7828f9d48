import { z } from 'zod';
import { head, measurement } from './parts.ts';
import { taskType } from './task-type.ts';

const answer = z.enum(['route', 'not enough data', 'none keeps to it']);

const wishes = {
  aim: z
    .enum(['cost', 'quality'])
    .describe('The cheapest that is good enough, or the best that is cheap enough'),
  floor: z.number().min(0).max(1).nullable().describe('`null`: the mean Q of now less `margin`'),
  margin: z.number().min(0).max(1),
  max_cost_usd: z.number().nullable().describe('Mean cost of a session; `null`: no cap'),
  least: z.number().int().describe('Fewer sessions of a model than this, and nothing is said of it'),
  explore: z.number().min(0).max(1).describe('Share of tasks for models of which too little is known'),
};

const arm = z.strictObject({
  model: z.string(),
  days: z.number(),
  q: measurement.describe(
    'Mean over its sessions, as if every project were equally hard; what is believed of it',
  ),
  outcome: measurement,
  cost_usd: measurement.describe('Mean over its sessions, as if every project were equally large'),
  reaches_floor: z.number().nullable().describe('How surely; `null`: too few sessions'),
  keeps_max_cost: z.number().nullable(),
  share: z.number().describe('Of the tasks, so many should go to it'),
  apart: z.boolean().describe('`true`: never used in a project where another model was'),
});

const change = z.strictObject({ q: measurement, cost_usd: measurement });

const replay = z.strictObject({
  verdict: z.enum([
    'saves',
    'better',
    'worse',
    'dearer',
    'same',
    'cannot tell: never tried',
    'cannot tell: too few days',
    'cannot tell: too uncertain',
  ]),
  sessions: z.number(),
  days: z.number(),
  left_alone: z.number().describe('Sessions of kinds for which there is no answer'),
  never_tried: z.number().describe('Sessions of which nothing is said'),
  effective_sessions: z.number(),
  was: z.strictObject({ q: z.number(), cost_usd: z.number() }).nullable(),
  change: change.nullable().describe('Per session, doubly robust'),
});

/** Which model should take which kind of work, and what that would have given. */
export const route = z.strictObject({
  ...head('assay-route'),
  policy: z.string().describe('The same past and the same wishes have the same name'),
  wishes: z.strictObject(wishes),
  task_types: z.array(
    z.strictObject({
      task_type: taskType,
      sessions: z.number(),
      answer,
      model: z.string().nullable(),
      now: z.strictObject({ q: z.number(), cost_usd: z.number() }),
      floor: z.number(),
      models: z.array(arm),
    }),
  ),
  replay: replay.nullable().describe('`null`: not asked for'),
});

/** One task that asks for a model. */
export const routeAsked = z.strictObject({
  task_type: taskType,
  key: z
    .string()
    .min(1)
    .max(1000)
    .exactOptional()
    .describe('The same key goes to the same model while the policy is the same; without it by lot'),
  models: z.array(z.string().min(1).max(300)).min(1).max(100).exactOptional().describe('Only these'),
  aim: wishes.aim.exactOptional(),
  floor: z.number().min(0).max(1).exactOptional(),
  margin: wishes.margin.exactOptional(),
  max_cost_usd: z.number().positive().exactOptional(),
  least: z.number().int().min(2).max(1_000_000).exactOptional(),
  explore: wishes.explore.exactOptional(),
});

export const routeChoice = z.strictObject({
  ...head('assay-route-choice'),
  policy: z.string(),
  task_type: taskType,
  answer,
  model: z.string().nullable(),
  probability: z.number().nullable().describe('How likely this choice was: log it with the session'),
});
