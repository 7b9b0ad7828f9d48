import { z } from 'zod';
import { encodeRoute, encodeRouteChoice } from '../../api/encode/route.ts';
import { route, routeAsked, routeChoice } from '../../api/schema/route.ts';
import { chooseRoute } from '../../operations/session/choose-route.ts';
import { planRoutes, ROUTE_WISHES } from '../../operations/session/plan-routes.ts';
import type { RouteWishes } from '../../session/routing/policy.ts';
import { jsonRoute } from '../route.ts';
import { RoutePolicies } from '../route-policies.ts';
import { askedSessions, sessionFilter } from '../session-query.ts';

const USUAL = ROUTE_WISHES.usual;

type Wished = Omit<z.output<typeof routeAsked>, 'task_type' | 'key' | 'models'>;

function wishesOf({ max_cost_usd: capUsd, ...asked }: Wished): RouteWishes {
  return { ...USUAL, ...asked, ...(capUsd !== undefined && { capUsd }) };
}

const share = z.coerce.number().min(0).max(1);

const plan = jsonRoute({
  method: 'GET',
  path: '/api/v1/route',
  summary: 'Which model should take which kind of work, and what that would have given',
  scope: 'read',
  query: sessionFilter.extend({
    aim: z.enum(['cost', 'quality']).default(USUAL.aim),
    floor: share.exactOptional(),
    margin: share.default(USUAL.margin),
    max_cost_usd: z.coerce.number().positive().exactOptional(),
    least: z.coerce.number().int().min(2).max(1_000_000).default(USUAL.least),
    explore: share.default(USUAL.explore),
    replay: z.enum(['true', 'false']).default('false'),
  }),
  answer: route,
  isFromStores: () => true,
  handle: async ({ query }, { sessions, config }) => {
    const { aim, floor, margin, max_cost_usd, least, explore, replay, ...filter } = query;
    const wishes = wishesOf({
      aim,
      margin,
      least,
      explore,
      ...(floor !== undefined && { floor }),
      ...(max_cost_usd !== undefined && { max_cost_usd }),
    });
    return encodeRoute(
      await planRoutes({ ...askedSessions(filter, config), wishes, replay: replay === 'true' }, sessions),
    );
  },
});

const policies = new RoutePolicies();

const choice = jsonRoute({
  method: 'POST',
  path: '/api/v1/route',
  summary: 'Which model one task should go to; nothing is kept of the question',
  scope: 'read',
  body: routeAsked,
  answer: routeChoice,
  handle: async ({ body }, { sessions, config }) => {
    const { task_type: taskType, key, models, ...wished } = body;
    const wishes = wishesOf(wished);
    const policy = await policies.get(sessions, JSON.stringify([wishes, models]), async (ports) => {
      const request = { ...askedSessions({}, config), wishes, replay: false, ...(models && { models }) };
      return (await planRoutes(request, ports)).policy;
    });
    return encodeRouteChoice(policy, taskType, chooseRoute(policy, taskType, key));
  },
});

export const ROUTE = [plan, choice];
