import { z } from 'zod';
import { route, routeChoice, routeRequest } from '../../api/schema/route.ts';
import { chooseRoute, planRoutes, ROUTE_WISHES } from '../../operations/session/plan-routes.ts';
import type { RouteWishes } from '../../session/routing/policy.ts';
import { routeView } from '../../session/views/route.ts';
import { jsonRoute } from '../route.ts';
import type { Services } from '../services.ts';
import { sessionFilter, storedRequest } from '../session-query.ts';

const USUAL = ROUTE_WISHES.usual;

type Wished = Omit<z.output<typeof routeRequest>, 'task_type' | 'key' | 'models'>;

function wishesOf({ max_cost_usd: capUsd, ...asked }: Wished): RouteWishes {
  return { ...USUAL, ...asked, ...(capUsd !== undefined && { capUsd }) };
}

const share = z.coerce.number().min(0).max(1);

const plannedFor = sessionFilter.extend({
  aim: z.enum(['cost', 'quality']).default(USUAL.aim),
  floor: share.default(USUAL.floor),
  margin: share.default(USUAL.margin),
  max_cost_usd: z.coerce.number().positive().exactOptional(),
  least: z.coerce.number().int().min(2).max(1_000_000).default(USUAL.least),
  explore: share.default(USUAL.explore),
  replay: z.enum(['true', 'false']).default('false'),
});

function planned(
  { aim, floor, margin, max_cost_usd, least, explore, replay, ...filter }: z.output<typeof plannedFor>,
  { sessions, config }: Services,
) {
  const wishes = wishesOf({ aim, margin, least, explore, floor, max_cost_usd });
  return planRoutes({ ...storedRequest(filter, config), wishes, replay: replay === 'true' }, sessions);
}

export const MODEL_ROUTING = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/route',
    summary: 'Recommends a model per task type and replays the policy on past sessions',
    scope: 'read',
    query: plannedFor,
    answer: route,
    handle: ({ query }, services) => planned(query, services),
    view: async ({ query }, services) => routeView(await planned(query, services)),
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/route',
    summary: 'Recommends a model for one task; the question is not stored',
    scope: 'read',
    body: routeRequest,
    answer: routeChoice,
    handle: async ({ body }, { sessions, config }) => {
      const { task_type: taskType, key, models, ...wished } = body;
      const request = { ...storedRequest({}, config), wishes: wishesOf(wished), replay: false, models };
      const { policy } = await planRoutes(request, sessions);
      return { policy, taskType, choice: chooseRoute(policy, taskType, key) };
    },
  }),
];
