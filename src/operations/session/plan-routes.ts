import { randomInt } from 'node:crypto';
import type { TaskType } from '../../session/profiles/task-type.ts';
import { NO_PROJECT, type RouteCell } from '../../session/routing/level.ts';
import {
  chooseModel,
  policySteps,
  ROUTE_AIMS,
  type RouteChoice,
  type RoutePolicy,
  type RouteWishes,
  USUAL_WISHES,
  uniformOf,
} from '../../session/routing/policy.ts';
import { type Replay, replaySteps } from '../../session/routing/replay.ts';
import { runSteps, type Steps, yieldToEventLoop } from '../../session/stop-if-aborted.ts';
import type { SessionRollup } from '../../store/rollup.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type ReadReport } from './ask-sessions.ts';
import type { SelectedSessions } from './selected-sessions.ts';
import type { SessionRequest } from './session-request.ts';

export type RouteResult = ReadReport & { readonly policy: RoutePolicy; readonly replay?: Replay };

/** The goals that a request may state, and the defaults. */
export const ROUTE_WISHES = { aims: ROUTE_AIMS, usual: USUAL_WISHES } as const;

export type RoutesRequest = SessionRequest & {
  readonly wishes: RouteWishes;
  /** Allowed models, by their full names; without them, all that were used. */
  readonly models?: readonly string[];
  /** Also simulate the policy on these sessions. */
  readonly replay: boolean;
};

/** Which model should do which kind of work, from the quality and cost of each. */
export function planRoutes(request: RoutesRequest, ports: Ports): Promise<RouteResult> {
  const { signal } = ports;
  return askSessions(request, ports, async (asked) =>
    runSteps(planSteps(await cellsOf(asked, signal), request), signal),
  );
}

type Plan = Pick<RouteResult, 'policy' | 'replay'>;

/** A generator, so that other requests to a server need not wait for all of it. */
function* planSteps(cells: readonly RouteCell[], request: RoutesRequest): Steps<Plan> {
  const { wishes, models, replay: isReplayed } = request;
  const own = models === undefined ? cells : cells.filter(({ model }) => models.includes(model));
  const policy = yield* policySteps(own, wishes);
  return isReplayed ? { policy, replay: yield* replaySteps(own, policy) } : { policy };
}

const DAY_MS = 86_400_000;
/** The number of sums per batch: small enough to yield to other work. */
const AT_ONCE = 1500;
const [FIRST_DAYS, MOST_DAYS] = [4, 31];

/** The history that routing rests on, from rollups. It reads a few days at a time and adapts how many to their size. */
export async function cellsOf(selected: SelectedSessions, signal?: AbortSignal): Promise<RouteCell[]> {
  const cells: RouteCell[] = [];
  let [days, read] = [FIRST_DAYS, Number.NEGATIVE_INFINITY];
  for (const { bucket: month } of await selected.rollup({ bucket: 'month' })) {
    if (month === undefined) continue;
    const end = Date.parse(nextMonth(month));
    for (let from = Math.max(read, Date.parse(month)); from < end; from = read) {
      read = from + days * DAY_MS;
      const some = selected.within({
        since: new Date(from).toISOString(),
        until: new Date(read).toISOString(),
      });
      const rollups = await some.rollup({ by: ['taskType', 'model', 'project'], bucket: 'day' });
      for (const one of rollups) {
        const cell = cellOf(one);
        if (cell !== undefined) cells.push(cell);
      }
      const wished = Math.round((days * AT_ONCE) / Math.max(1, rollups.length));
      days = Math.max(1, Math.min(MOST_DAYS, wished));
      await yieldToEventLoop(signal);
    }
  }
  return cells;
}

function nextMonth(month: string): string {
  const date = new Date(month);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return date.toISOString();
}

function cellOf({ bucket, group, priced, categories }: SessionRollup): RouteCell | undefined {
  const { taskType, model, project = NO_PROJECT } = group;
  if (bucket === undefined || model === undefined || taskType === undefined || priced.q.n === 0)
    return undefined;
  return {
    day: bucket.slice(0, 'YYYY-MM-DD'.length),
    // Written by the scorer.
    taskType: taskType as TaskType,
    project,
    model,
    n: priced.q.n,
    q: priced.q.sum,
    qSquares: priced.q.sumOfSquares,
    costUsd: priced.sumUsd,
    failures: priced.troubled,
    outcome: { n: categories.outcome.n, sum: categories.outcome.sum },
  };
}

const LOTS = 2 ** 47;

/** The model for one task: the same key gets the same model, and without a key it is random. */
export function chooseRoute(policy: RoutePolicy, taskType: TaskType, key?: string): RouteChoice {
  const uniform = key === undefined ? randomInt(LOTS) / LOTS : uniformOf(policy, key);
  return chooseModel(
    policy.types.find((one) => one.taskType === taskType),
    uniform,
  );
}
