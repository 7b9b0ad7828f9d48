import type { z } from 'zod';
import type { RouteResult } from '../../session/results.ts';
import type { RouteChoice, RoutedArm, RoutePolicy } from '../../session/routing/policy.ts';
import type { Replay, ReplayedChange } from '../../session/routing/replay.ts';
import type { routeChoice, route as schema } from '../schema/route.ts';
import { encodeMeasurement } from './measurement.ts';

type RouteWire = z.infer<typeof schema>;

export function encodeRoute({ policy, replay }: RouteResult): RouteWire {
  const { aim, floor, margin, capUsd, least, explore } = policy.wishes;
  return {
    format: 'assay-route',
    version: 1,
    policy: policy.name,
    wishes: { aim, floor: floor ?? null, margin, max_cost_usd: capUsd ?? null, least, explore },
    task_types: policy.types.map((one) => ({
      task_type: one.taskType,
      sessions: one.n,
      answer: one.answer,
      model: one.answer === 'route' ? one.model : null,
      now: { q: one.now.meanQ, cost_usd: one.now.meanCostUsd },
      floor: one.floor,
      models: one.arms.map(encodeArm),
    })),
    replay: replay === undefined ? null : encodeReplay(replay),
  };
}

function encodeArm(arm: RoutedArm): RouteWire['task_types'][number]['models'][number] {
  const { model, n, days, meanQ, meanCostUsd, outcome, odds, share, isApart } = arm;
  return {
    model,
    days,
    q: encodeMeasurement({ measured: true, value: meanQ, n, ...(odds && arm.qInterval) }),
    outcome: encodeMeasurement(
      outcome === undefined
        ? { measured: false, reason: 'no session has an outcome' }
        : { measured: true, value: outcome.mean, n: outcome.n },
    ),
    cost_usd: encodeMeasurement({ measured: true, value: meanCostUsd, n, ...(odds && arm.costInterval) }),
    reaches_floor: odds?.reachesFloor ?? null,
    keeps_max_cost: odds?.keepsCap ?? null,
    share,
    apart: isApart,
  };
}

function encodeReplay(replay: Replay): NonNullable<RouteWire['replay']> {
  const { verdict, sessions, days, leftAlone, neverTried, effective, was, change } = replay;
  const n = sessions - neverTried;
  const of = ({ value, interval }: ReplayedChange) =>
    encodeMeasurement({ measured: true, value, n, ...interval });
  return {
    verdict,
    sessions,
    days,
    left_alone: leftAlone,
    never_tried: neverTried,
    effective_sessions: effective,
    was: was === undefined ? null : { q: was.q, cost_usd: was.costUsd },
    change: change === undefined ? null : { q: of(change.q), cost_usd: of(change.costUsd) },
  };
}

export function encodeRouteChoice(
  { name }: Pick<RoutePolicy, 'name'>,
  taskType: RouteWire['task_types'][number]['task_type'],
  choice: RouteChoice,
): z.infer<typeof routeChoice> {
  const taken = choice.answer === 'route' ? choice : undefined;
  return {
    format: 'assay-route-choice',
    version: 1,
    policy: name,
    task_type: taskType,
    answer: choice.answer,
    model: taken?.model ?? null,
    probability: taken?.probability ?? null,
  };
}
