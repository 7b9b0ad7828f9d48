import { z } from 'zod';
import { alert, alertList, alertStory } from '../../api/schema/alert.ts';
import { productionCheck } from '../../api/schema/production.ts';
import { type AlertChange, changeAlert } from '../../operations/alerts/change-alert.ts';
import { checkAlerts } from '../../operations/alerts/check-alerts.ts';
import { listAlerts, readAlert } from '../../operations/alerts/read-alerts.ts';
import type { Ports } from '../../operations/ports.ts';
import { alertsView, alertView } from '../../report/server-views.ts';
import { cursorQuery, pageAfter, pageOfRecords } from '../paging.ts';
import { jsonRoute } from '../route.ts';
import type { Services } from '../services.ts';

const said = z.strictObject({
  who: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Who makes the change; by default the authenticated user'),
  why: z.string().trim().min(1).max(10_000).optional(),
});

const SUMMARY = {
  acknowledge: 'Acknowledges an alert',
  resolve: 'Resolves an alert',
  reopen: 'Reopens an alert',
} as const;

const STATE = { acknowledge: 'acknowledged', resolve: 'resolved', reopen: 'open' } as const;

const alertQuery = cursorQuery.extend({
  state: z.enum(['open', 'acknowledged', 'silenced', 'resolved']).optional(),
  instrument: z.enum(['decomposition', 'workflow', 'session']).optional(),
});

function alertsIn(query: z.output<typeof alertQuery>, ports: Ports, limit = pageAfter(query).limit) {
  const { state, instrument } = query;
  return listAlerts({ states: state && [state], instrument, ...pageAfter(query), limit }, ports);
}

export const ALERTS = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/alerts',
    summary: 'Alerts with their current state, newest first',
    scope: 'read',
    query: alertQuery,
    answer: alertList,
    handle: async ({ query }, { project }) => {
      const found = await alertsIn(query, project);
      return pageOfRecords(found, query.limit, ({ at, alertId }) => ({ at, key: alertId }));
    },
    view: async ({ query }, { project }) => alertsView(await alertsIn(query, project, query.limit), {}),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/alerts/{id}',
    summary: 'One alert with its history and the run that raised it',
    scope: 'read',
    answer: alertStory,
    handle: async ({ params }, { project }) => readAlert({ id: params.id }, project),
    view: async ({ params }, { project }) => {
      const { alert: one, events } = await readAlert({ id: params.id }, project);
      return alertView(one, events, {});
    },
  }),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/production/check',
    summary: 'Evaluates the production alert rules now; the server does so every minute',
    scope: 'write',
    body: z.strictObject({}),
    answer: productionCheck,
    handle: async (_, { project, config, events }) => {
      const checked = await checkAlerts(config.alerts, project);
      for (const { alertId: id, project: whose } of checked.fired)
        events.publish('alert.changed', { id, state: 'open' }, whose);
      for (const { alertId: id, project: whose } of checked.resolved)
        events.publish('alert.changed', { id, state: 'resolved' }, whose);
      return checked;
    },
  }),
  ...(['acknowledge', 'resolve', 'reopen'] as const).map((verb) =>
    jsonRoute({
      method: 'POST',
      path: `/api/v1/alerts/{id}/${verb}`,
      summary: SUMMARY[verb],
      scope: 'write',
      body: said,
      answer: alert,
      handle: ({ params, body }, services) => change(params.id, { to: STATE[verb] }, body, services),
    }),
  ),
  jsonRoute({
    method: 'POST',
    path: '/api/v1/alerts/{id}/silence',
    summary: 'Silences an alert until a time, after which it is open again',
    scope: 'write',
    body: said.extend({ until: z.iso.datetime({ offset: true }) }),
    answer: alert,
    handle: ({ params, body: { until, ...body } }, services) =>
      change(params.id, { to: 'silenced', until }, body, services),
  }),
];

async function change(
  id: string,
  to: AlertChange,
  { who, why }: z.output<typeof said>,
  { project, events }: Services,
) {
  const changed = await changeAlert({ id, change: to, who, why }, project);
  events.publish('alert.changed', { id, state: changed.state }, changed.project);
  return changed;
}
