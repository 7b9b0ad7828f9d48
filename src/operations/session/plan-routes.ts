import type { RouteResult } from '../../session/results.ts';
import { cellsOf, type RouteCell } from '../../session/routing/cell.ts';
import { policySteps, ROUTE_AIMS, type RouteWishes, USUAL_WISHES } from '../../session/routing/policy.ts';
import { replaySteps } from '../../session/routing/replay.ts';
import { runSteps, type Steps } from '../../session/stop-if-aborted.ts';
import type { Ports } from '../ports.ts';
import { collectSessions } from './collect-sessions.ts';
import type { SessionRequest } from './session-request.ts';
import { storedCells } from './stored/stored-cells.ts';
import { answerStored } from './stored/stored-scores.ts';

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
export async function planRoutes(request: RoutesRequest, ports: Ports): Promise<RouteResult> {
  const { signal } = ports;
  const stored = await answerStored(request, ports, (scores) => storedCells(scores, signal));
  if (stored !== undefined)
    return { ...(await runSteps(planSteps(stored, request), signal)), unreadable: [] };
  return collectSessions(request, ports, ({ sessions }) =>
    runSteps(planSteps(cellsOf(sessions.map(({ session }) => session)), request), signal),
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
