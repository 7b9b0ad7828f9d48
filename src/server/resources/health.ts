import { z } from 'zod';
import { countSessions } from '../../operations/list-runs.ts';
import { jsonRoute } from '../route.ts';

const health = z.strictObject({ version: z.literal(1), status: z.literal('ok') });

export const HEALTH = [
  jsonRoute({
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the process answers',
    scope: 'none',
    answer: health,
    handle: async () => ({}),
  }),
  jsonRoute({
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the stores can be read',
    scope: 'none',
    answer: health,
    handle: async (_, { sessions, project }) => {
      await countSessions(sessions);
      await countSessions(project);
      return {};
    },
  }),
];
