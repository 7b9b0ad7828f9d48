import { atOnce } from '../../testing/at-once.ts';
import type { RouteCell } from '../level.ts';
import { policySteps, type RoutePolicy, type RouteWishes } from '../policy.ts';

export function policyOf(cells: readonly RouteCell[], wishes: RouteWishes): RoutePolicy {
  return atOnce(policySteps(cells, wishes));
}
