import { z } from 'zod';
import { encodeSessionPage } from '../../api/encode/session-page.ts';
import { sessionPage } from '../../api/schema/session-page.ts';
import { pageSessions } from '../../operations/session/page-sessions.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { jsonRoute } from '../route.ts';
import { allows } from '../security/access.ts';
import { filterOf, sessionFilter } from '../session-query.ts';

const ORDERS = {
  newest: 'newest',
  oldest: 'oldest',
  lowest_q: 'lowest Q',
  costliest: 'costliest',
  most_worrying: 'most worrying',
} as const;

const position = z.strictObject({
  order: z.enum(ORDERS),
  sessionKey: z.string(),
  startedAt: z.string().exactOptional(),
  q: z.number().exactOptional(),
  costUsd: z.number().exactOptional(),
  concern: z.number().exactOptional(),
});

export const SESSIONS = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/sessions',
    summary: 'Kept sessions, a page at a time',
    scope: 'read',
    query: sessionFilter.extend({
      tier: z.string().max(20).optional(),
      sort: z.enum(Object.keys(ORDERS) as (keyof typeof ORDERS)[]).default('newest'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(1000).optional().describe('`next` of the page before'),
      titles: z
        .enum(['true', 'false'])
        .default('false')
        .describe('With what was asked, read from the transcripts; needs the scope admin'),
    }),
    answer: sessionPage,
    handle: async ({ query, access }, { sessions, machine }) => {
      const { tier, sort, limit, cursor } = query;
      const order = ORDERS[sort];
      const after =
        cursor === undefined ? undefined : decodeCursor(cursor, position.extend({ order: z.literal(order) }));
      const titles = query.titles === 'true' && allows(access, 'admin') ? machine : undefined;
      const { tier: _t, sort: _s, limit: _l, cursor: _c, titles: _ti, ...filter } = query;
      const page = await pageSessions(
        { filter: { ...filterOf(filter), tier }, order, limit, after, titles },
        sessions,
      );
      return encodeSessionPage(page, page.next === undefined ? null : encodeCursor({ order, ...page.next }));
    },
  }),
];
