import type { RouteResult } from '../../session/results.ts';
import { cellsOf, type RouteCell } from '../../session/routing/cell.ts';
import { policyOf, ROUTE_AIMS, type RouteWishes, USUAL_WISHES } from '../../session/routing/policy.ts';
import { replay } from '../../session/routing/replay.ts';
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
  const stored = await answerStored(request, ports, storedCells);
  if (stored !== undefined) return { ...planOf(stored, request), unreadable: [] };
  return collectSessions(request, ports, ({ sessions }) =>
    planOf(cellsOf(sessions.map(({ session }) => session)), request),
  );
}

function planOf(cells: readonly RouteCell[], { wishes, models, replay: isAsked }: RoutesRequest) {
  const own = models === undefined ? cells : cells.filter(({ model }) => models.includes(model));
  return { policy: policyOf(own, wishes), ...(isAsked && { replay: replay(own, wishes) }) };
}
