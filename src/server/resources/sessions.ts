import { z } from 'zod';
import { digest } from '../../api/schema/digest.ts';
import { frontier } from '../../api/schema/frontier.ts';
import { sessionList, sessionPage } from '../../api/schema/session-list.ts';
import { sessionAttention, sessionRisks, sessionRoi } from '../../api/schema/session-lists.ts';
import { sessionOutcomes } from '../../api/schema/session-outcomes.ts';
import { digestSessions } from '../../operations/session/digest-sessions.ts';
import { listOutcomes } from '../../operations/session/list-outcomes.ts';
import { listRisks } from '../../operations/session/list-risks.ts';
import { listSessions } from '../../operations/session/list-sessions.ts';
import { findFrontier, measureRoi } from '../../operations/session/measure-roi.ts';
import { listAttention } from '../../operations/session/needs-attention.ts';
import { pageSessions } from '../../operations/session/page-sessions.ts';
import { frontierView } from '../../session/views/frontier.ts';
import { outcomesView } from '../../session/views/outcomes.ts';
import { risksView } from '../../session/views/risks.ts';
import { roiView } from '../../session/views/roi.ts';
import { sessionListView } from '../../session/views/session-list.ts';
import { decodeCursor, encodeCursor } from '../paging.ts';
import { jsonRoute } from '../route.ts';
import { type Access, allows } from '../security/access.ts';
import type { Services } from '../services.ts';
import {
  filterOf,
  listingOf,
  ORDERS,
  sessionFilter,
  sessionListing,
  storedRequest,
  titlesChoice,
} from '../session-query.ts';

const position = z.strictObject({
  order: z.enum(ORDERS),
  sessionKey: z.string(),
  startedAt: z.iso.datetime().exactOptional(),
  q: z.number().exactOptional(),
  costUsd: z.number().exactOptional(),
  turns: z.number().exactOptional(),
  attention: z.number().exactOptional(),
});

/** Text of transcripts only for those who may read transcripts. */
function wordsFor(titles: 'true' | 'false', access: Access, machine: Services['machine']) {
  return titles === 'true' && allows(access, 'admin') ? machine : undefined;
}

const GROUPS = {
  model: 'model',
  agent: 'agent',
  task_type: 'task-type',
  project: 'project',
  day: 'day',
  week: 'week',
  month: 'month',
} as const;
const group = z.enum(Object.keys(GROUPS) as (keyof typeof GROUPS)[]);

const page = jsonRoute({
  method: 'GET',
  path: '/api/v1/sessions',
  summary: 'Stored sessions with their scores, paged',
  scope: 'read',
  query: sessionListing.extend({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(1000).optional().describe('`next` of the page before'),
  }),
  answer: sessionPage,
  handle: async ({ query, access }, { sessions, machine }) => {
    const { limit, cursor, titles, ...listing } = query;
    const asked = listingOf(listing);
    const { order } = asked;
    const after =
      cursor === undefined ? undefined : decodeCursor(cursor, position.extend({ order: z.literal(order) }));
    const found = await pageSessions(
      {
        ...asked,
        limit,
        after,
        titles: wordsFor(titles, access, machine),
      },
      sessions,
    );
    return { ...found, next: found.next && encodeCursor({ order, ...found.next }) };
  },
});

const grouped = sessionFilter.extend({ by: group.default('day') });
type Grouped = z.output<typeof grouped>;

function summed({ by, ...filter }: Grouped, { sessions, config }: Services) {
  return listSessions({ ...storedRequest(filter, config), sort: 'date', by: GROUPS[by], limit: 0 }, sessions);
}

const summary = jsonRoute({
  method: 'GET',
  path: '/api/v1/sessions/summary',
  summary: 'Totals of sessions by day, week, month, project, model, agent or task type',
  scope: 'read',
  query: grouped,
  answer: sessionList,
  handle: ({ query }, services) => summed(query, services),
  view: async ({ query }, services) => sessionListView(await summed(query, services)),
});

function roiOf({ by, ...filter }: Grouped, { sessions, config }: Services) {
  return measureRoi({ ...storedRequest(filter, config), by: GROUPS[by] }, sessions);
}

const roi = jsonRoute({
  method: 'GET',
  path: '/api/v1/sessions/roi',
  summary: 'Quality per dollar',
  scope: 'read',
  query: sessionFilter.extend({ by: group.default('model') }),
  answer: sessionRoi,
  handle: ({ query }, services) => roiOf(query, services),
  view: async ({ query }, services) => roiView(await roiOf(query, services)),
});

const compared = sessionFilter.extend({ by: z.enum(['model', 'agent']).default('model') });

function frontierOf({ by, ...filter }: z.output<typeof compared>, { sessions, config }: Services) {
  return findFrontier({ ...storedRequest(filter, config), by }, sessions);
}

const costQuality = jsonRoute({
  method: 'GET',
  path: '/api/v1/sessions/frontier',
  summary: 'The cost–quality frontier per task type, and whether the more expensive model is worth it',
  scope: 'read',
  query: compared,
  answer: frontier,
  handle: ({ query }, services) => frontierOf(query, services),
  view: async ({ query }, services) => frontierView(await frontierOf(query, services)),
});

const MINUTE_MS = 60_000;

const lastDays = jsonRoute({
  method: 'GET',
  path: '/api/v1/sessions/digest',
  summary: 'What happened in the last day or week, compared with the one before',
  scope: 'read',
  query: sessionFilter.extend({
    days: z.enum(['1', '7']).default('7'),
    titles: titlesChoice,
  }),
  answer: digest,
  handle: async ({ query: { days, until, titles, ...filter }, access }, { sessions, config, machine }) => {
    // To the minute: an answer in which nothing changed is not sent again.
    const now = Math.ceil(sessions.now().getTime() / MINUTE_MS) * MINUTE_MS;
    const { until: end = now } = filterOf({ until });
    const period = { days: Number(days), until: end };
    const words = wordsFor(titles, access, machine);
    const request = { ...storedRequest(filter, config), ...period, titles: words };
    return digestSessions(request, sessions);
  },
});

const attention = jsonRoute({
  method: 'GET',
  path: '/api/v1/sessions/attention',
  summary: 'Sessions that need attention, at most seven, the most serious and most expensive first',
  scope: 'read',
  query: sessionFilter.extend({ titles: titlesChoice }),
  answer: sessionAttention,
  handle: ({ query: { titles, ...filter }, access }, { sessions, config, machine }) =>
    listAttention(
      { ...storedRequest(filter, config), titles: wordsFor(titles, access, machine), withUnread: false },
      sessions,
    ),
});

const risky = sessionFilter.extend({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  titles: titlesChoice,
});

const risks = jsonRoute({
  method: 'GET',
  path: '/api/v1/sessions/risks',
  summary: 'Risky actions that could destroy work or hide a fault, newest sessions first',
  scope: 'read',
  query: risky,
  answer: sessionRisks,
  handle: ({ query, access }, services) => risksOf(query, access, services),
  view: async ({ query, access }, services) => risksView(await risksOf(query, access, services)),
});

function risksOf(
  { titles, limit, ...filter }: z.output<typeof risky>,
  access: Access,
  { sessions, config, machine }: Services,
) {
  const words = wordsFor(titles, access, machine);
  return listRisks({ ...storedRequest(filter, config), limit, titles: words }, sessions);
}

const newest = sessionFilter.extend({ limit: z.coerce.number().int().min(1).max(500).default(100) });

function outcomesOf({ limit, ...filter }: z.output<typeof newest>, { sessions, config }: Services) {
  return listOutcomes({ ...storedRequest(filter, config), limit }, sessions);
}

const outcomes = jsonRoute({
  method: 'GET',
  path: '/api/v1/sessions/outcomes',
  summary: 'Outcomes of the newest sessions, as of the last check of their repositories',
  scope: 'read',
  query: newest,
  answer: sessionOutcomes,
  handle: ({ query }, services) => outcomesOf(query, services),
  view: async ({ query }, services) => outcomesView(await outcomesOf(query, services)),
});

export const SESSIONS = [page, summary, roi, costQuality, lastDays, attention, risks, outcomes];
