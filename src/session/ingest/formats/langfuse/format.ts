/**
 * What Langfuse gives out of its traces: a trace as it is downloaded, observations from the tables, the API (v1 and v2) and the
 * export to storage. Established from the types of its API client and its documented fields of exports.
 */
import type { Format } from '../format.ts';

export const langfuse: Format = {
  name: 'langfuse',
  title: 'Langfuse exports of traces and observations (JSON, JSON lines)',
  hint: /"(?:observations|trace_?id)":/i,
  shows: ['tokens', 'cost', 'failures', 'ends', 'model'],
  versions: 'API client 5.11: traces and observations v1, observations v2; exports to storage of 2026',
  unmeasured: [
    'Observations alone say which session they are of only from v2 on; without it each trace is a session.',
    'Lists of traces without their observations are not read, and CSV neither: export the observations as JSON or JSON lines.',
    'What was spent on embeddings.',
  ],
  elsewhere: 'where you exported it to',
  printed: true,
  traceOf: (sessionId) => (sessionId.startsWith('trace:') ? sessionId.slice('trace:'.length) : undefined),
  labels: async () => (await import('./labels.ts')).harness,
  adapter: async () => (await import('./adapter.ts')).langfuseAdapter,
};
