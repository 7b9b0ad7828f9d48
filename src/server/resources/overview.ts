import { encodeOverview } from '../../api/encode/overview.ts';
import { overview } from '../../api/schema/overview.ts';
import { readOverview } from '../../operations/read-overview.ts';
import { jsonRoute } from '../route.ts';

/** A week, beside the one before; a month of days in the chart. */
const SHOWN = { days: 7, daysBack: 30, runs: 20, attention: 5 } as const;

const MINUTE_MS = 60_000;

export const OVERVIEW = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/overview',
    summary: 'Three instruments at a glance: how they stand, what needs attention, what changed',
    scope: 'read',
    answer: overview,
    handle: async (_, { sessions, project, config }) => {
      // To the minute: an answer in which nothing changed is not sent again.
      const until = Math.ceil(project.now().getTime() / MINUTE_MS) * MINUTE_MS;
      const { flagBelow } = config.session;
      return encodeOverview(await readOverview({ ...SHOWN, until, flagBelow }, { sessions, project }));
    },
  }),
];
