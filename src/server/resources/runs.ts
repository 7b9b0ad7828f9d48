import { z } from 'zod';
import { runList } from '../../api/schema/decomposition.ts';
import { run } from '../../api/schema/run.ts';
import { encodeStoredRun } from '../../api/stored-run.ts';
import { encoded } from '../../api/wire.ts';
import { runNotes, runView } from '../../decomposition/views/run-view.ts';
import { listRuns } from '../../operations/list-runs.ts';
import { readRun } from '../../operations/read-run.ts';
import { refuseSealed } from '../../operations/workflow/blind.ts';
import { runsView } from '../../report/store-views.ts';
import { verdictView } from '../../report/verdict-view.ts';
import { cursorQuery, pageAfter, pageOfRecords } from '../paging.ts';
import { jsonRoute } from '../route.ts';
import type { Services } from '../services.ts';

async function storedRun(id: string, { project, sealedIn }: Services) {
  const stored = await readRun({ id }, project);
  if (stored.reviews !== undefined) refuseSealed(sealedIn, [stored.reviews.truth.hash]);
  return stored;
}

export const RUNS = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/runs',
    summary: 'Stored runs, newest first, paged',
    scope: 'read',
    query: cursorQuery.extend({
      instrument: z.enum(['decomposition', 'workflow']).optional(),
      subject: z.string().max(1000).optional(),
    }),
    answer: runList,
    handle: async ({ query }, { project }) => {
      const { instrument, subject, limit } = query;
      const found = await listRuns(project, {
        instrument,
        subject,
        ...pageAfter(query),
      });
      const { items, next } = pageOfRecords(found, limit, ({ at, runId }) => ({ at, key: runId }));
      return { items, next };
    },
    view: async ({ query: { instrument, subject, ...query } }, { project }) => {
      const runs = await listRuns(project, { instrument, subject, ...pageAfter(query), limit: query.limit });
      return runsView(runs, 'this store', {});
    },
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/runs/{id}',
    summary: 'One stored run, in the format that its command printed',
    scope: 'read',
    answer: encoded(run),
    handle: async ({ params }, services) => {
      const stored = await storedRun(params.id, services);
      return encodeStoredRun(stored, stored.suite && runNotes(stored.suite));
    },
    view: async ({ params }, services) => {
      const { suite, verdict } = await storedRun(params.id, services);
      return suite === undefined ? verdictView(verdict) : runView(suite);
    },
  }),
];
