import { z } from 'zod';
import { encodeRoute, encodeRouteChoice } from '../../api/encode/route.ts';
import { route, routeAsked, routeChoice } from '../../api/schema/route.ts';
import { encoded } from '../../api/wire.ts';
import { chooseRoute } from '../../operations/session/choose-route.ts';
import { planRoutes, ROUTE_WISHES, type RoutesRequest } from '../../operations/session/plan-routes.ts';
import { openStoredScores } from '../../operations/session/stored/stored-scores.ts';
import type { RouteResult } from '../../session/results.ts';
import type { RouteWishes } from '../../session/routing/policy.ts';
import { routeView } from '../../session/views/route.ts';
import { jsonRoute } from '../route.ts';
import { type RouteHaste, RoutePolicies } from '../route-policies.ts';
import type { Services } from '../services.ts';
import { askedSessions, sessionFilter } from '../session-query.ts';

const USUAL = ROUTE_WISHES.usual;

type Wished = Omit<z.output<typeof routeAsked>, 'task_type' | 'key' | 'models'>;

function wishesOf({ max_cost_usd: capUsd, ...asked }: Wished): RouteWishes {
  return { ...USUAL, ...asked, ...(capUsd !== undefined && { capUsd }) };
}

const share = z.coerce.number().min(0).max(1);

const policies = new RoutePolicies();

type Routes = Pick<RoutesRequest, 'wishes' | 'replay' | 'models'> & {
  readonly filter: z.output<typeof sessionFilter>;
  readonly haste: RouteHaste;
};

function routesFor(
  { filter, haste, ...asked }: Routes,
  { sessions, config }: Pick<Services, 'sessions' | 'config'>,
): Promise<RouteResult> {
  const question = JSON.stringify([filter, asked]);
  return policies.get({ ports: sessions, question, haste }, (ports) =>
    planRoutes({ ...askedSessions(filter, config), ...asked }, ports),
  );
}

/**
 * Makes what is asked for where nobody wishes anything: by the page of the dashboard, and for most tasks. False where
 * sessions would have to be scored for it: that is not done unasked.
 */
export async function makeUsualRoutes(services: Pick<Services, 'sessions' | 'config'>): Promise<boolean> {
  const { sessions, config } = services;
  if ((await openStoredScores(askedSessions({}, config), sessions)) === undefined) return false;
  await routesFor({ filter: {}, wishes: wishesOf(USUAL), replay: false, haste: 'now' }, services);
  return true;
}

const plannedFor = sessionFilter.extend({
  aim: z.enum(['cost', 'quality']).default(USUAL.aim),
  floor: share.exactOptional(),
  margin: share.default(USUAL.margin),
  max_cost_usd: z.coerce.number().positive().exactOptional(),
  least: z.coerce.number().int().min(2).max(1_000_000).default(USUAL.least),
  explore: share.default(USUAL.explore),
  replay: z.enum(['true', 'false']).default('false'),
});

function planned(
  { aim, floor, margin, max_cost_usd, least, explore, replay, ...filter }: z.output<typeof plannedFor>,
  services: Services,
) {
  const wishes = wishesOf({ aim, margin, least, explore, floor, max_cost_usd });
  return routesFor({ filter, wishes, replay: replay === 'true', haste: 'now' }, services);
}

const plan = jsonRoute({
  method: 'GET',
  path: '/api/v1/route',
  summary: 'Which model should take which kind of work, and what that would have given',
  scope: 'read',
  query: plannedFor,
  answer: encoded(route),
  isFromStores: () => true,
  handle: async ({ query }, services) => encodeRoute(await planned(query, services)),
  view: async ({ query }, services) => routeView(await planned(query, services)),
});

const choice = jsonRoute({
  method: 'POST',
  path: '/api/v1/route',
  summary: 'Which model one task should go to; nothing is kept of the question',
  scope: 'read',
  body: routeAsked,
  answer: encoded(routeChoice),
  handle: async ({ body }, services) => {
    const { task_type: taskType, key, models, ...wished } = body;
    const asked = { wishes: wishesOf(wished), replay: false, ...(models && { models }) };
    const { policy } = await routesFor({ filter: {}, ...asked, haste: 'soon' }, services);
    return encodeRouteChoice(policy, taskType, chooseRoute(policy, taskType, key));
  },
});

export const ROUTE = [plan, choice];
