import { z } from 'zod';
import {
  ratingPage,
  sessionRated,
  sessionRatings,
  storedValidation,
} from '../../api/schema/session-views.ts';
import { listRatings, rateSession, ratingsOf } from '../../operations/session/session-ratings.ts';
import { validateStored } from '../../operations/session/validate-scores.ts';
import { storedRatingsView } from '../../session/views/calibration.ts';
import { decodeCursor, encodeCursor } from '../paging.ts';
import { jsonRoute } from '../route.ts';

const position = z.strictObject({ at: z.iso.datetime(), key: z.string() });

const said = z
  .strictObject({
    rating: z.number().int().min(1).max(5).optional().describe('1 (bad) to 5 (excellent)'),
    thumb: z.enum(['up', 'down']).optional(),
    note: z.string().max(4000).optional(),
  })
  .refine(({ rating, thumb }) => rating !== undefined || thumb !== undefined, 'needs a rating or a thumb');

export const RATINGS = [
  jsonRoute({
    method: 'POST',
    path: '/api/v1/sessions/{key}/ratings',
    summary: 'Rates a session; the response reveals its Q',
    scope: 'write',
    body: said,
    answer: sessionRated,
    status: 201,
    handle: async ({ params, body }, { sessions, events }) => {
      const rated = await rateSession({ id: params.key, ...body }, sessions);
      events.publish('rating.saved', { session_key: rated.row.sessionKey }, rated.row.project);
      return rated;
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/sessions/{key}/ratings',
    summary: 'Ratings of a session',
    scope: 'read',
    answer: sessionRatings,
    handle: ({ params }, { sessions }) => ratingsOf({ id: params.key }, sessions),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/ratings',
    summary: 'Ratings of sessions, newest first, paged',
    scope: 'read',
    query: z.strictObject({
      author: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().max(1000).optional(),
    }),
    answer: ratingPage,
    handle: async ({ query: { author, limit, cursor } }, { sessions }) => {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, position);
      const { ratings, next } = await listRatings({ author, limit, after }, sessions);
      return { items: ratings, next: next && encodeCursor(next) };
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/calibration',
    summary:
      'Compares Q with ratings by users: r with its interval, agreement of raters, and each rated session',
    scope: 'read',
    answer: storedValidation,
    handle: (_, { sessions }) => validateStored(sessions),
    view: async (_, { sessions }) => storedRatingsView(await validateStored(sessions)),
  }),
];
