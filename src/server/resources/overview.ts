import { z } from 'zod';
import { overview } from '../../api/schema/overview.ts';
import { readOverview } from '../../operations/read-overview.ts';
import { jsonRoute } from '../route.ts';
import { allows } from '../security/access.ts';
import { titlesChoice } from '../session-query.ts';

/** A week and the one before; the chart shows 30 days. */
const SHOWN = { days: 7, daysBack: 30, runs: 20, attention: 5 } as const;

const MINUTE_MS = 60_000;

export const OVERVIEW = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/overview',
    summary: 'All three instruments at a glance: current state, what needs attention, what changed',
    scope: 'read',
    query: z.strictObject({ titles: titlesChoice }),
    answer: overview,
    handle: async ({ query, access }, { sessions, project, machine }) => {
      // To the minute: an answer in which nothing changed is not sent again.
      const until = Math.ceil(project.now().getTime() / MINUTE_MS) * MINUTE_MS;
      const titles = query.titles === 'true' && allows(access, 'admin') ? machine : undefined;
      const request = { ...SHOWN, until, titles };
      return readOverview(request, { sessions, project });
    },
  }),
];
