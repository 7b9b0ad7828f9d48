/** What Assay and this server are, whatever is stored. */
import { z } from 'zod';
import { agents, metricList } from '../../api/schema/metrics.ts';
import { AssayError } from '../../errors.ts';
import { listMetrics } from '../../operations/list-metrics.ts';
import { countSessions } from '../../operations/list-runs.ts';
import { readSchema, SCHEMA_ENDING } from '../../operations/published-schemas.ts';
import { listAgents } from '../../operations/session/list-sources.ts';
import { jsonRoute, rawRoute } from '../route.ts';

const health = z.strictObject({ version: z.literal(1), status: z.literal('ok') });

export const ABOUT = [
  jsonRoute({
    method: 'GET',
    path: '/api/v1/metrics',
    summary: 'The metrics of all instruments: their question, formula and thresholds',
    scope: 'read',
    answer: metricList,
    handle: async () => ({ metrics: listMetrics() }),
  }),
  jsonRoute({
    method: 'GET',
    path: '/api/v1/agents',
    summary: 'Display names of the supported agents',
    scope: 'read',
    answer: agents,
    handle: async () => ({ agents: listAgents() }),
  }),
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
  // For editors, which send no token; every package contains these files.
  rawRoute({
    method: 'GET',
    path: '/schemas/{file}',
    summary: 'A published JSON Schema, e.g. `/schemas/golden-case.schema.json`',
    scope: 'none',
    produces: 'application/schema+json',
    handle: async ({ params: { file } }) => {
      if (!file.endsWith(SCHEMA_ENDING))
        throw new AssayError('NOT_FOUND', `the name of a schema ends in ${SCHEMA_ENDING}`);
      return new Response(readSchema(file.slice(0, -SCHEMA_ENDING.length)), {
        headers: { 'content-type': 'application/schema+json', 'cache-control': 'private, no-cache' },
      });
    },
  }),
];
