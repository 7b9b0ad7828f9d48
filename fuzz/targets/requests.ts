/** Requests to begin with: every address of the server, those that take a body with one. */
import { ROUTES } from '../../src/server/resources/resources.ts';

const SAID = 'wordsthatsomebodysaid';
const blind = { folder: 'x', by: 'me', answers: [{ finding: 'f', valid: true, reason: SAID }] };

/** By the end of the address. */
const BODIES: Readonly<Record<string, unknown>> = {
  '/sessions/{key}/ratings': { rating: 4, thumb: 'up', note: SAID },
  '/route': { task_type: 'coding', key: 'somebody' },
  '/experiments': { candidate: 'v2', share: 0.5 },
  '/stop': { reason: SAID },
  '/api/v1/decompositions': {
    id: 'r-1',
    at: '2026-11-10T10:00:00.000Z',
    text: SAID,
    model: 'm',
    latency_ms: 3,
    cost_usd: 0.1,
    output: { concepts: [{ label: SAID }], relationships: [] },
  },
  '/decompositions/{id}/ratings': { acceptable: true, concepts: [], note: SAID },
  '/feedback': { output_id: 'r-1', thumb: 'up', author: 'me', note: SAID },
  '/check': { folder: 'x', by: 'me' },
  '/silence': { until: '2027-01-01T00:00:00Z' },
  '/start': { folder: 'x', by: 'me', truth: 't.yaml', runs: ['r.json'] },
  '/assessments': blind,
  '/predictions': blind,
  '/matches': blind,
  '/revisions': blind,
  '/truth': { folder: 'x', by: 'me' },
  '/mcp': { jsonrpc: '2.0', id: 1, method: 'tools/list' },
};

const QUERIES: readonly string[] = [
  'GET /api/v1/sessions?limit=2&sort=lowest_q&search=shop&titles=true',
  'GET /api/v1/sessions/summary?by=model',
  'GET /api/v1/sessions/roi?by=project',
  'GET /api/v1/sessions/digest?until=2026-12-31',
  'GET /api/v1/sessions/names?keys=a,b&titles=true',
  'GET /api/v1/sessions/x/lines?from=1&to=3',
  'GET /api/v1/sessions/x/explanation?quotes=true&per_message=true',
  'GET /api/v1/production?by=hour&since=2026-11-01T00:00:00Z',
  'GET /api/v1/decomposition/compare?a=x&b=y&insist=true',
  'GET /api/v1/workflow/report?experiment=.',
  'GET /api/v1/route?replay=true&least=2',
  'GET /schemas/golden-case.json',
  `POST /api/v1/sessions/s-1/events?ended=true application/x-ndjson\n{"type":"session","id":"s-1","text":"${SAID}"}\n`,
  `POST /v1/traces application/json\n{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"${SAID}"}]}]}]}`,
  'POST /v1/logs application/json\n{"resourceLogs":[]}',
  'POST /v1/traces application/x-protobuf\n\n\u0000',
];

export const REQUESTS: readonly string[] = [
  ...ROUTES.map(({ method, path }) => {
    const body = Object.entries(BODIES).find(([end]) => path.endsWith(end))?.[1];
    const address = `${method} ${path.replace(/\{\w+\}/g, 'x')}`;
    return method === 'GET' ? address : `${address}\n${JSON.stringify(body ?? {})}`;
  }),
  ...QUERIES,
];
