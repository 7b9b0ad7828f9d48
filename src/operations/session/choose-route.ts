import { randomInt } from 'node:crypto';
import type { TaskType } from '../../session/profiles/task-type.ts';
import { chooseModel, type RouteChoice, type RoutePolicy, uniformOf } from '../../session/routing/policy.ts';

const LOTS = 2 ** 47;

/** Which model one task goes to: the same key the same one, and without a key by lot. */
export function chooseRoute(policy: RoutePolicy, taskType: TaskType, key?: string): RouteChoice {
  const uniform = key === undefined ? randomInt(LOTS) / LOTS : uniformOf(policy, key);
  return chooseModel(
    policy.types.find((one) => one.taskType === taskType),
    uniform,
  );
}
