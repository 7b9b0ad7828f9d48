import { z } from 'zod';
import { estimate, unmeasured } from '../../measure/metric.ts';
import type { RouteChoice, RoutedArm, TypeRoute } from '../../session/routing/policy.ts';
import type { Replay, ReplayedChange } from '../../session/routing/replay.ts';
import { from } from '../wire.ts';
import { head, measurement } from './parts.ts';
import { taskType } from './task-type.ts';

const answer = z.enum(['route', 'not enough data', 'never compared', 'none keeps to it']);

const wishes = {
  aim: z
    .enum(['cost', 'quality'])
    .describe('The cheapest that is good enough, or the best that is cheap enough'),
  floor: z.number().min(0).max(1).describe('Mean Q that a model must reach, whatever others reach'),
  margin: z
    .number()
    .min(0)
    .max(1)
    .describe(
      'So much less Q than the best model counts as the same; times 100, so many more failures per 100 sessions',
    ),
  max_cost_usd: from('capUsd', z.number().nullable().describe('Mean cost of a session; `null`: no cap')),
  least: z.number().int().describe('Fewer sessions of a model than this, and nothing is said of it'),
  explore: z.number().min(0).max(1).describe('Share of tasks for models of which too little is known'),
};

/** Of the mean, 95%. */
function failuresOf({ center, scale }: RoutedArm['failing'], n: number) {
  const end = (z: number) => 100 * Math.min(1, Math.max(0, center + z * scale));
  return estimate(100 * center, n, { low: end(-1.96), high: end(1.96) });
}

const arm = z.strictObject({
  model: z.string(),
  days: z.number(),
  q: from(
    ({ meanQ, n, odds, qInterval }: RoutedArm) => estimate(meanQ, n, odds && qInterval),
    measurement.describe(
      'Mean over its sessions, as if every project were equally hard; what is believed of it',
    ),
  ),
  outcome: from(
    ({ outcome }: RoutedArm) =>
      outcome === undefined ? unmeasured('no session has an outcome') : estimate(outcome.mean, outcome.n),
    measurement,
  ),
  cost_usd: from(
    ({ meanCostUsd, n, odds, costInterval }: RoutedArm) => estimate(meanCostUsd, n, odds && costInterval),
    measurement.describe('Mean over its sessions, as if every project were equally large'),
  ),
  failures_per_100: from(
    ({ failing, n }: RoutedArm) => failuresOf(failing, n),
    measurement.describe(
      'Sessions that were poor or failed, corrected, or written lines that nothing verified',
    ),
  ),
  reaches_floor: from(
    'odds.reachesFloor',
    z
      .number()
      .nullable()
      .describe('How surely it reaches the floor and both margins; `null`: too few sessions'),
  ),
  keeps_max_cost: from('odds.keepsCap', z.number().nullable()),
  share: z.number().describe('Of the tasks, so many should go to it'),
  apart: from(
    'isApart',
    z.boolean().describe('`true`: no project compares it with the model that has most sessions'),
  ),
});

const change = z.strictObject({ q: measurement, cost_usd: measurement });

function changeIn({ change: found, sessions, neverTried }: Replay) {
  if (found === undefined) return undefined;
  const of = ({ value, interval }: ReplayedChange) => estimate(value, sessions - neverTried, interval);
  return { q: of(found.q), costUsd: of(found.costUsd) };
}

const replay = z.strictObject({
  verdict: z.enum([
    'saves',
    'better',
    'worse',
    'costs more',
    'same',
    'cannot tell: never tried',
    'cannot tell: too few days',
    'cannot tell: too uncertain',
  ]),
  sessions: z.number(),
  days: z.number(),
  left_alone: z.number().describe('Sessions of kinds for which there is no answer'),
  never_tried: z.number().describe('Sessions of which nothing is said'),
  effective_sessions: from('effective', z.number()),
  was: z.strictObject({ q: z.number(), cost_usd: z.number() }).nullable(),
  change: from(changeIn, change.nullable().describe('Per session, doubly robust')),
});

/** Which model should take which kind of work, and what that would have given. */
export const route = z.strictObject({
  ...head('assay-route'),
  policy: from('policy.name', z.string().describe('The same past and the same wishes have the same name')),
  wishes: from('policy.wishes', z.strictObject(wishes)),
  task_types: from(
    'policy.types',
    z.array(
      z.strictObject({
        task_type: taskType,
        sessions: from('n', z.number()),
        answer,
        model: from(
          (one: TypeRoute) => (one.answer === 'route' ? one.model : undefined),
          z.string().nullable(),
        ),
        now: z.strictObject({
          q: from('meanQ', z.number()),
          cost_usd: from('meanCostUsd', z.number()),
          failures_per_100: from(({ failing }: { readonly failing: number }) => 100 * failing, z.number()),
        }),
        models: from('arms', z.array(arm)),
      }),
    ),
  ),
  replay: replay.nullable().describe('`null`: not asked for'),
});

/** One task that asks for a model. */
export const routeRequest = z.strictObject({
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

type Chosen = { readonly choice: RouteChoice };

export const routeChoice = z.strictObject({
  ...head('assay-route-choice'),
  policy: from('policy.name', z.string()),
  task_type: taskType,
  answer: from('choice.answer', answer),
  model: from(({ choice }: Chosen) => ('model' in choice ? choice.model : undefined), z.string().nullable()),
  probability: from(
    ({ choice }: Chosen) => ('model' in choice ? choice.probability : undefined),
    z.number().nullable().describe('How likely this choice was: log it with the session'),
  ),
});
