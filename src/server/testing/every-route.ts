/** Two projects on a server, and every request to its routes that could reveal a project. */
import { configSchema } from '../../config.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { openStore } from '../../store/open.ts';
import { scopedStore } from '../../store/scoped-store.ts';
import { ROUTES } from '../resources/resources.ts';
import type { Route } from '../route.ts';
import { createToken, tokenPath } from '../security/tokens.ts';
import { startTestServer, type TestServer } from './test-server.ts';
import { type Examples, fileProject, OURS, THEIRS } from './two-projects.ts';

export const NOW = new Date('2026-11-10T10:00:00.000Z');
const now = () => NOW;
const json = { 'content-type': 'application/json' };

export type Tenant = TestServer & { readonly tokenOf: (...projects: string[]) => Promise<string> };

/** Of all servers: no two records have one id, and later ones come later. */
let made = 0;

/** Its folder is of the other project. */
export async function startWith(
  projects: readonly string[],
  examples: Examples,
  address?: string,
): Promise<Tenant> {
  const config = configSchema.parse({ project: THEIRS, production: { sampleRate: 1, keepText: true } });
  const before = await startTestServer({ withSessions: false });
  await before.stop();
  const storeAddress = address ?? before.store;
  const store = await openStore(storeAddress);
  for (const project of projects) await fileProject(store, project, examples);
  await store.close();
  const { folder } = before;
  const newId = () => `new-${String(++made).padStart(6, '0')}`;
  const ports = { ...defaultPorts({ store: storeAddress, folder }), now, newId };
  // Several servers over one store share what they seal with.
  const shared = address !== undefined && { ASSAY_SPOOL_KEY: 'a key of all the servers of this test' };
  const machine = { home: folder, environment: { HOME: folder, ...shared } };
  const server = await startTestServer({
    withSessions: false,
    config,
    folder,
    machine,
    sessions: ports,
    project: ports,
  });
  const tokenOf = async (...own: string[]) => {
    const path = tokenPath(machine.environment);
    return (await createToken(path, { name: 'tenant', scope: 'admin', now: NOW, projects: own })).token;
  };
  return { ...server, store: storeAddress, folder, tokenOf };
}

/** The value of a path parameter. */
function idIn(path: string, whose: string): string {
  if (path.includes('/alerts/')) return `${whose}-alert-0`;
  if (path.includes('/runs/')) return `${whose}-run-0`;
  if (path.includes('/decompositions/')) return `${whose}-request-0`;
  if (path.includes('/experiments/')) return 'shared-experiment';
  return `${whose}-key-0`;
}

/** Of the bundled example. */
const CASE = 'tidal-marsh';

export type RouteQuestion = { readonly path: string; readonly body?: unknown; readonly type?: string };

/** Query parameters of routes that need some. */
const QUERIES: Readonly<Record<string, (whose: string) => readonly string[]>> = {
  '/api/v1/sessions': (whose) => [
    '',
    '?limit=1&sort=lowest_q',
    `?search=${whose}`,
    `?search=${whose}-key-0`,
    '?search=shared',
    `?project=${whose}`,
    '?project=%25',
    `?project=/work/${whose}`,
    '?titles=true&sort=costliest',
    '?sort=needs_attention',
  ],
  '/api/v1/sessions/summary': (whose) => ['', '?by=project', `?by=model&project=${whose}`],
  '/api/v1/sessions/roi': () => ['', '?by=project'],
  '/api/v1/sessions/digest': () => ['?until=2026-12-31', '?until=2020-01-01'],
  '/api/v1/sessions/export.csv': (whose) => ['', `?search=${whose}`, '?titles=true'],
  '/api/v1/route': () => ['', '?replay=true&least=2'],
  '/api/v1/sessions/attention': () => ['', '?titles=true'],
  '/api/v1/sessions/risks': () => ['', '?titles=true'],
  '/api/v1/sessions/names': (whose) => [`?keys=${OURS}-key-1,${whose}-key-0&titles=true`],
  '/api/v1/sessions/{key}/lines': () => ['?from=1&to=3'],
  '/api/v1/sessions/{key}/explanation': () => ['', '?quotes=true', '?per_message=true'],
  '/api/v1/overview': () => ['', '?titles=true'],
  '/api/v1/audit': (whose) => ['', '?what=ratings', `?project=${whose}`, `?who=${whose}-person`],
  '/api/v1/runs': (whose) => ['', '?limit=1', `?subject=${whose}%20bundled%20example`],
  '/api/v1/ratings': (whose) => ['', `?author=${whose}-rater`],
  '/api/v1/alerts': () => ['', '?state=acknowledged', '?limit=1'],
  '/api/v1/decomposition/compare': (whose) => [
    `?a=${whose}-run-0&b=${whose}-run-1&insist=true`,
    `?a=${OURS}-run-0&b=${whose}-run-0&insist=true`,
  ],
  '/api/v1/production': (whose) => [
    '?by=minute',
    '?by=day&since=2026-11-01T00:00:00Z',
    `?by=hour&prompt_version=${whose}-version`,
  ],
  '/api/v1/production/drift': () => ['', '?baseline_since=2026-11-10T09:00:00Z'],
  '/api/v1/decompositions/queue': () => ['', '?limit=200'],
  '/api/v1/experiments/{id}/arm': () => ['?key=somebody'],
  '/api/v1/workflow/compare': (whose) => [`?a=${whose}%20review-1&b=${whose}%20review-2&insist=true`],
  '/api/v1/workflow/report': () => ['?experiment=.'],
  '/api/v1/workflow/leaderboard': () => ['?experiment=.'],
  '/api/v1/workflow/heatmap': () => ['?experiment=.'],
  '/api/v1/workflow/matrix': () => ['?experiment=.'],
  '/api/v1/workflow/blind/status': () => ['?folder=x'],
  '/api/v1/workflow/blind/desk': () => ['?folder=x&by=me'],
  '/api/v1/workflow/blind/verify': () => ['?folder=x'],
};

const answered = { folder: 'x', by: 'me', answers: [] };

const BODIES: Readonly<Record<string, (whose: string) => unknown>> = {
  '/api/v1/sessions/{key}/ratings': () => ({ rating: 4, thumb: 'up', note: 'said' }),
  '/api/v1/route': () => ({ task_type: 'coding', key: 'somebody' }),
  '/api/v1/experiments': () => ({ candidate: 'v2' }),
  '/api/v1/experiments/{id}/stop': () => ({ reason: 'enough' }),
  '/api/v1/decompositions': (whose) => ({
    id: `sent-${whose}`,
    at: NOW.toISOString(),
    text: 'Rain.',
    output: { concepts: [] },
    ...(whose !== 'nobody' && { project: `/work/${whose}` }),
  }),
  '/api/v1/decompositions/{id}/ratings': () => ({ acceptable: true, concepts: [] }),
  '/api/v1/feedback': (whose) => ({ output_id: `${whose}-request-1`, thumb: 'up', author: 'me' }),
  '/api/v1/production/check': () => ({}),
  '/api/v1/golden/{id}': () => ({
    based_on: '0'.repeat(64),
    concepts: [],
    relationships: [],
    forbidden_concepts: [],
    forbidden_relationships: [],
  }),
  '/api/v1/golden/{id}/readings': () => ({ by: 'me', concepts: [], relationships: [] }),
  '/api/v1/alerts/{id}/silence': () => ({ until: '2027-01-01T00:00:00Z' }),
  '/api/v1/workflow/blind/start': () => ({ folder: 'x', by: 'me', truth: 't', runs: ['r'] }),
  '/api/v1/workflow/blind/assessments': () => answered,
  '/api/v1/workflow/blind/predictions': () => answered,
  '/api/v1/workflow/blind/matches': () => answered,
  '/api/v1/workflow/blind/revisions': () => answered,
  '/api/v1/workflow/blind/truth': () => ({ folder: 'x', by: 'me' }),
  '/api/v1/workflow/blind/check': () => ({ folder: 'x', by: 'me' }),
};

/** Every request of a route that could reveal a project. */
export function asksOf({ method, path, kind }: Route, whose: string): readonly RouteQuestion[] {
  const address = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'case' ? CASE : idIn(path, whose)));
  const queries = method === 'GET' ? (QUERIES[path]?.(whose) ?? ['']) : [''];
  const isTelemetry = path.startsWith('/v1/');
  return queries.map((query) => ({
    path: `${address}${query}`,
    ...(method === 'POST' && kind === 'json' && { body: BODIES[path]?.(whose) ?? {} }),
    ...(method === 'POST' && kind === 'raw' && !isTelemetry && { type: 'application/x-ndjson' }),
    ...(isTelemetry && { type: 'application/json' }),
  }));
}

export async function answerOf(
  server: Tenant,
  method: string,
  asked: RouteQuestion,
  token: string,
): Promise<object> {
  const { path, body, type = json['content-type'] } = asked;
  const response = await server.ask(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(method === 'POST' && { 'content-type': type }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(body === undefined && method === 'POST' && { body: type.includes('nd') ? '' : '{}' }),
  });
  const text = await response.text();
  const sent = /assay_([0-9a-f]{8})_/.exec(token)?.[1] ?? '';
  // What is given a new id here has another one there, and so another tag.
  const names = ['content-type', 'cache-control', 'content-disposition', 'allow', 'retry-after'];
  if (text.search(NEW_ID) < 0) names.push('etag');
  return {
    status: response.status,
    headers: names.map((name) => response.headers.get(name)),
    text: text
      .replaceAll(server.store, 'STORE')
      .replaceAll(server.folder, 'FOLDER')
      .replaceAll(NEW_ID, 'new')
      .replaceAll(sent, 'token')
      .replaceAll(/"items":(\[.*\])/gs, (whole, items) =>
        path.startsWith('/api/v1/audit') ? inOrder(items) : whole,
      ),
  };
}

/** An entry of the audit log is named by all that came before it. */
const NEW_ID = /new-\d+|(?<="id":")[0-9a-f]{64}(?=")/g;

/** Of one moment, they are listed by their names. */
function inOrder(items: string): string {
  return JSON.stringify((JSON.parse(items) as object[]).map((one) => JSON.stringify(one)).sort());
}

/** A stream does not end, so it is tested on its own. */
export const REQUEST_ROUTES = ROUTES.filter(({ path }) => path !== '/api/v1/events');

/** All that is stored of a project. */
export async function everythingOf({ store: address }: Tenant, project: string): Promise<object> {
  const whole = await openStore(address);
  const store = scopedStore(whole, { sees: [project] });
  const sessions: unknown[] = [];
  for await (const row of store.readSessions()) sessions.push(row);
  const all = {
    sessions,
    runs: await store.listRuns(),
    ratings: await store.readRatings(),
    // The server raises some by itself, every minute.
    alerts: (await store.trackAlerts({ now: NOW.toISOString() })).filter(({ alertId }) =>
      alertId.startsWith(project),
    ),
    events: await store.readAlertEvents(),
    feedback: await store.readFeedback(),
    requests: await store.readDecompositions(),
    cells: await store.productionCells({ by: 'day' }),
    deliveries: await store.pendingDeliveries(),
  };
  await whole.close();
  return all;
}
