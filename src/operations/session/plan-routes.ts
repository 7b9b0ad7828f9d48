import type { RouteResult } from '../../session/results.ts';
import type { RouteCell } from '../../session/routing/cell.ts';
import { policySteps, ROUTE_AIMS, type RouteWishes, USUAL_WISHES } from '../../session/routing/policy.ts';
import { replaySteps } from '../../session/routing/replay.ts';
import { runSteps, type Steps } from '../../session/stop-if-aborted.ts';
import type { Ports } from '../ports.ts';
import { askSessions } from './ask-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { storedCells } from './stored-cells.ts';

/** What may be wished for, and what is wished for where nobody says otherwise. */
export const ROUTE_WISHES = { aims: ROUTE_AIMS, usual: USUAL_WISHES } as const;

export type RoutesRequest = SessionRequest & {
  readonly wishes: RouteWishes;
  /** Models that may be taken, by their whole names; without them, all that were used. */
  readonly models?: readonly string[];
  /** Also say what the policy would have given on these sessions. */
  readonly replay: boolean;
};

/** Which model should take which kind of work, from what each gave and cost. */
export function planRoutes(request: RoutesRequest, ports: Ports): Promise<RouteResult> {
  const { signal } = ports;
  return askSessions(request, ports, async (asked) =>
    runSteps(planSteps(await storedCells(asked, signal), request), signal),
  );
}

type Plan = Pick<RouteResult, 'policy' | 'replay'>;

/** Whoever else asks a server meanwhile should not wait for all of it. */
function* planSteps(cells: readonly RouteCell[], request: RoutesRequest): Steps<Plan> {
  const { wishes, models, replay: isReplayed } = request;
  const own = models === undefined ? cells : cells.filter(({ model }) => models.includes(model));
  const policy = yield* policySteps(own, wishes);
  return isReplayed ? { policy, replay: yield* replaySteps(own, policy) } : { policy };
}
