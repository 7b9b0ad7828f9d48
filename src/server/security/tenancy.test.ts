import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../config.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { openStore } from '../../store/open.ts';
import { scopedStore } from '../../store/scoped-store.ts';
import { ROUTES } from '../resources/resources.ts';
import type { Route } from '../route.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { type Examples, fileProject, OURS, readExamples, THEIRS } from '../testing/two-projects.ts';
import { createToken, tokenPath } from './tokens.ts';

const NOW = new Date('2026-11-10T10:00:00.000Z');
const now = () => NOW;
const json = { 'content-type': 'application/json' };

type Tenant = TestServer & { readonly tokenOf: (...projects: string[]) => Promise<string> };

/** Its folder is of the other project. */
async function startWith(projects: readonly string[], examples: Examples): Promise<Tenant> {
  const config = configSchema.parse({ project: THEIRS, production: { sampleRate: 1, keepText: true } });
  const before = await startTestServer({ withSessions: false });
  await before.stop();
  const store = await openStore(before.store);
  for (const project of projects) await fileProject(store, project, examples);
  await store.close();
  const { folder } = before;
  let made = 0;
  const newId = () => `new-${String(++made).padStart(6, '0')}`;
  const ports = { ...defaultPorts({ store: before.store, folder }), now, newId };
  const machine = { home: folder, environment: { HOME: folder } };
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
  return { ...server, store: before.store, folder, tokenOf };
}

/** What stands for `{…}` of an address. */
function idIn(path: string, whose: string): string {
  if (path.includes('/alerts/')) return `${whose}-alert-0`;
  if (path.includes('/runs/')) return `${whose}-run-0`;
  if (path.includes('/decompositions/')) return `${whose}-request-0`;
  if (path.includes('/experiments/')) return 'shared-experiment';
  return `${whose}-key-0`;
}

/** Of the bundled example. */
const CASE = 'tidal-marsh';

type Asked = { readonly path: string; readonly body?: unknown; readonly type?: string };

/** What is asked of routes that are not asked with nothing but their address. */
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
    '?sort=most_worrying',
  ],
  '/api/v1/sessions/summary': (whose) => ['', '?by=project', `?by=model&project=${whose}`],
  '/api/v1/sessions/roi': () => ['', '?by=project'],
  '/api/v1/sessions/digest': () => ['?until=2026-12-31', '?until=2020-01-01'],
  '/api/v1/sessions/export.csv': (whose) => ['', `?search=${whose}`, '?titles=true'],
  '/api/v1/route': () => ['', '?replay=true&least=2'],
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
  '/api/v1/alerts/{id}/silence': () => ({ until: '2027-01-01T00:00:00Z' }),
  '/api/v1/workflow/blind/start': () => ({ folder: 'x', by: 'me', truth: 't', runs: ['r'] }),
  '/api/v1/workflow/blind/assessments': () => answered,
  '/api/v1/workflow/blind/predictions': () => answered,
  '/api/v1/workflow/blind/matches': () => answered,
  '/api/v1/workflow/blind/revisions': () => answered,
  '/api/v1/workflow/blind/truth': () => ({ folder: 'x', by: 'me' }),
  '/api/v1/workflow/blind/check': () => ({ folder: 'x', by: 'me' }),
};

/** Every way in which a route is asked about what somebody has. */
function asksOf({ method, path, kind }: Route, whose: string): readonly Asked[] {
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

async function answerOf(server: Tenant, method: string, asked: Asked, token: string): Promise<object> {
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
  if (!/new-\d/.test(text)) names.push('etag');
  return {
    status: response.status,
    headers: names.map((name) => response.headers.get(name)),
    text: text
      .replaceAll(server.folder, 'FOLDER')
      .replaceAll(/new-\d+/g, 'new')
      .replaceAll(sent, 'token'),
  };
}

const asked = ROUTES.filter(({ path }) => path !== '/api/v1/events');

describe('a token of one project', () => {
  it('is answered by every route as if there were no other', { timeout: 600_000 }, async () => {
    const examples = await readExamples();
    const full = await startWith([OURS, THEIRS], examples);
    const lacking = await startWith([OURS], examples);
    const tokens = [await full.tokenOf(OURS), await lacking.tokenOf(OURS)] as const;
    const theirs = await everythingOf(full, THEIRS);
    for (const whose of [OURS, THEIRS, 'nobody'])
      for (const route of asked)
        for (const one of asksOf(route, whose)) {
          const name = `${route.method} ${one.path} ${JSON.stringify(one.body)}`;
          const told = await answerOf(full, route.method, one, tokens[0]);
          expect(told, name).toEqual(await answerOf(lacking, route.method, one, tokens[1]));
          // Whoever adds a route says here how it is asked.
          if (whose === OURS) expect(told, name).not.toMatchObject({ status: 400 });
          if (whose === OURS) expect(JSON.stringify(told).toLowerCase(), name).not.toContain(THEIRS);
        }
    expect(await everythingOf(full, THEIRS)).toEqual(theirs);
    expect(asked.length).toBeGreaterThan(50);
  });

  it('goes on from where the list of another ended, in its own', { timeout: 120_000 }, async () => {
    const examples = await readExamples();
    const full = await startWith([OURS, THEIRS], examples);
    const lacking = await startWith([OURS], examples);
    const tokens = [await full.tokenOf(OURS), await lacking.tokenOf(OURS)] as const;
    for (const list of ['sessions', 'runs', 'alerts', 'ratings']) {
      const path = `/api/v1/${list}`;
      const page = (await (await full.ask(`${path}?limit=2`)).json()) as { next: string };
      expect(page.next, list).toBeTypeOf('string');
      const one = { path: `${path}?cursor=${page.next}` };
      const told = await answerOf(full, 'GET', one, tokens[0]);
      expect(told).toEqual(await answerOf(lacking, 'GET', one, tokens[1]));
      expect(told).toMatchObject({ status: 200 });
    }
  });

  it('hears of nothing that happens in others', { timeout: 60_000 }, async () => {
    const full = await startWith([OURS, THEIRS], await readExamples());
    const headers = { authorization: `Bearer ${await full.tokenOf(OURS)}` };
    const stream = await full.ask('/api/v1/events', { headers });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (const whose of [THEIRS, OURS]) {
      const path = `/api/v1/sessions/${whose}-key-0/ratings`;
      const rated = await full.ask(path, { method: 'POST', headers: json, body: '{"rating":2}' });
      expect(rated.status).toBe(201);
      const acknowledged = await full.ask(`/api/v1/alerts/${whose}-alert-0/acknowledge`, {
        method: 'POST',
        headers: json,
        body: '{}',
      });
      expect(acknowledged.status).toBe(200);
    }
    const heard = await heardUntil(reader, 'ours-alert-0');
    expect(heard).toContain('ours-key-0');
    expect(heard).not.toContain(THEIRS);
    await reader?.cancel();
    // Whoever comes back is not told what it was not told before.
    const again = await full.ask('/api/v1/events', {
      headers: { ...headers, 'last-event-id': firstId(heard) },
    });
    const second = again.body?.pipeThrough(new TextDecoderStream()).getReader();
    const missed = await heardUntil(second, 'ours-alert-0');
    expect(missed).not.toContain(THEIRS);
    await second?.cancel();
  });

  it('sends sessions for itself alone, whatever these say and are called', { timeout: 120_000 }, async () => {
    const server = await startWith([], await readExamples());
    const lines = readFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', 'utf8');
    const [ours, theirs] = [await server.tokenOf(OURS), await server.tokenOf(THEIRS)];
    const send = (token: string, headers: object, body = lines) =>
      server.ask('/api/v1/sessions/same/events?ended=true', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson', ...headers },
        body,
      });
    expect((await send(theirs, {})).status).toBe(200);
    // It says of itself that it is of the other project, in which there is one of its name.
    const claimed = lines.replaceAll(/"cwd":"[^"]*"/g, `"cwd":"/work/${THEIRS}"`);
    expect((await send(ours, {}, claimed)).status).toBe(200);
    const listed = async (token: string) => {
      const answer = await server.ask('/api/v1/sessions', { headers: { authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { items: { session_key: string; project: string }[] }).items;
    };
    await expect.poll(() => listed(ours), { timeout: 60_000 }).toHaveLength(1);
    await expect.poll(() => listed(theirs), { timeout: 60_000 }).toHaveLength(1);
    const [[own], [other]] = [await listed(ours), await listed(theirs)];
    expect([own?.project, other?.project]).toEqual([OURS, THEIRS]);
    expect(own?.session_key).not.toBe(other?.session_key);

    const both = await server.tokenOf(OURS, 'more');
    expect((await send(both, {})).status).toBe(403);
    expect((await send(both, { 'assay-project': THEIRS })).status).toBe(403);
    expect((await send(both, { 'assay-project': 'more' })).status).toBe(200);
    const spans = { method: 'POST', body: '{"resourceSpans":[]}' };
    const otlp = (headers: object) =>
      server.ask('/v1/traces', {
        ...spans,
        headers: { authorization: `Bearer ${both}`, ...json, ...headers },
      });
    expect((await otlp({})).status).toBe(403);
    expect((await otlp({ 'assay-project': OURS })).status).toBe(200);
  });
});

describe('a token of a team', () => {
  it('sees what the server says that the team has, and nothing where it knows no such team', async () => {
    const config = configSchema.parse({ teams: { payments: [OURS] } });
    const server = await startTestServer({ config, withSessions: false });
    const store = await openStore(server.store);
    for (const project of [OURS, THEIRS]) await fileProject(store, project, await readExamples());
    await store.close();
    const count = async (team: string) => {
      const made = await createToken(tokenPath({ HOME: server.folder }), {
        name: team,
        scope: 'read',
        now: NOW,
        team,
      });
      const headers = { authorization: `Bearer ${made.token}` };
      const answer = await server.ask('/api/v1/sessions?limit=200', { headers });
      return ((await answer.json()) as { items: { project: string }[] }).items.map(({ project }) => project);
    };
    expect(new Set(await count('payments'))).toEqual(new Set([`/work/${OURS}`]));
    expect(await count('toString')).toEqual([]);
  });
});

describe('what is remembered for one token', () => {
  it('is not told to one that may read less', async () => {
    const { ask, folder } = await startTestServer();
    const path = '/api/v1/overview?titles=true';
    const titled = /"title":"/;
    expect(await (await ask(path)).text()).toMatch(titled);
    const made = await createToken(tokenPath({ HOME: folder }), {
      name: 'r',
      scope: 'read',
      now: new Date(),
    });
    const headers = { authorization: `Bearer ${made.token}` };
    expect(await (await ask(path, { headers })).text()).not.toMatch(titled);
  });
});

/** Up to a word, or to the end of the stream. */
async function heardUntil(
  reader: ReadableStreamDefaultReader<string> | undefined,
  word: string,
): Promise<string> {
  let heard = '';
  for (let isOver = reader === undefined; !isOver && !heard.includes(word); ) {
    const part = await reader?.read();
    heard += part?.value ?? '';
    isOver = part?.done !== false;
  }
  return heard;
}

const firstId = (text: string) => /^id: (\S+)$/m.exec(text)?.[1] ?? '';

/** All that is stored of a project. */
async function everythingOf({ store: address }: Tenant, project: string): Promise<object> {
  const whole = await openStore(address);
  const store = scopedStore(whole, { sees: [project] });
  const sessions: unknown[] = [];
  for await (const row of store.readSessions()) sessions.push(row);
  const all = {
    sessions,
    runs: await store.listRuns(),
    ratings: await store.readRatings(),
    alerts: await store.trackAlerts({ now: NOW.toISOString() }),
    events: await store.readAlertEvents(),
    feedback: await store.readFeedback(),
    requests: await store.readDecompositions(),
    cells: await store.productionCells({ by: 'day' }),
    deliveries: await store.pendingDeliveries(),
  };
  await whole.close();
  return all;
}
