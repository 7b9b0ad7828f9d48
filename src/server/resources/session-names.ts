import { z } from 'zod';
import { sessionNames } from '../../api/schema/session-list.ts';
import { nameSessions } from '../../operations/session/page-sessions.ts';
import { jsonRoute } from '../route.ts';
import { allows } from '../security/access.ts';
import { titlesChoice } from '../session-query.ts';

const MOST = 50;

export const SESSION_NAMES = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/sessions/names',
    summary: 'Display names of sessions: start, project and title',
    scope: 'read',
    query: z.strictObject({
      keys: z
        .string()
        .transform((text) => text.split(','))
        .pipe(z.array(z.string().min(1).max(200)).max(MOST))
        .describe(`Session keys, separated by commas, at most ${MOST}`),
      titles: titlesChoice,
    }),
    answer: sessionNames,
    handle: async ({ query: { keys, titles }, access }, { sessions, machine }) => ({
      items: await nameSessions(
        { keys, titles: titles === 'true' && allows(access, 'admin') ? machine : undefined },
        sessions,
      ),
    }),
  }),
];
