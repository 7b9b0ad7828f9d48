import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../config.ts';
import { openStore } from '../../store/open.ts';
import { answerOf, asksOf, everythingOf, NOW, REQUEST_ROUTES, startWith } from '../testing/every-route.ts';
import { startTestServer } from '../testing/test-server.ts';
import { fileProject, OURS, readExamples, THEIRS } from '../testing/two-projects.ts';
import { createToken, tokenPath } from './tokens.ts';

const json = { 'content-type': 'application/json' };

describe('a token of one project', () => {
  it('is answered by every route as if there were no other', { timeout: 600_000 }, async () => {
    const examples = await readExamples();
    const full = await startWith([OURS, THEIRS], examples);
    const lacking = await startWith([OURS], examples);
    const tokens = [await full.tokenOf(OURS), await lacking.tokenOf(OURS)] as const;
    const theirs = await everythingOf(full, THEIRS);
    for (const whose of [OURS, THEIRS, 'nobody'])
      for (const route of REQUEST_ROUTES)
        for (const one of asksOf(route, whose)) {
          const name = `${route.method} ${one.path} ${JSON.stringify(one.body)}`;
          const answer = await answerOf(full, route.method, one, tokens[0]);
          expect(answer, name).toEqual(await answerOf(lacking, route.method, one, tokens[1]));
          // Whoever adds a route says here how it is asked.
          if (whose === OURS) expect(answer, name).not.toMatchObject({ status: 400 });
          if (whose === OURS) expect(JSON.stringify(answer).toLowerCase(), name).not.toContain(THEIRS);
        }
    expect(await everythingOf(full, THEIRS)).toEqual(theirs);
    expect(REQUEST_ROUTES.length).toBeGreaterThan(50);
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
      const answer = await answerOf(full, 'GET', one, tokens[0]);
      expect(answer).toEqual(await answerOf(lacking, 'GET', one, tokens[1]));
      expect(answer).toMatchObject({ status: 200 });
    }
  });

  it('hears of nothing that happens in others', async () => {
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
    const heard = await eventsUntil(reader, 'ours-alert-0');
    expect(heard).toContain('ours-key-0');
    expect(heard).not.toContain(THEIRS);
    await reader?.cancel();
    // Whoever comes back is not told what it was not told before.
    const again = await full.ask('/api/v1/events', {
      headers: { ...headers, 'last-event-id': firstId(heard) },
    });
    const second = again.body?.pipeThrough(new TextDecoderStream()).getReader();
    const missed = await eventsUntil(second, 'ours-alert-0');
    expect(missed).not.toContain(THEIRS);
    await second?.cancel();
  });

  it('sends sessions and requests for itself alone, whatever these say and are called', {
    timeout: 120_000,
  }, async () => {
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

    const post = (token: string, path: string, body: object) =>
      server.ask(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...json },
        body: JSON.stringify(body),
      });
    for (const [token, model] of [
      [ours, 'a'],
      [theirs, 'b'],
    ] as const) {
      const sent = { id: 'same', at: NOW.toISOString(), model };
      expect((await post(token, '/api/v1/decompositions', sent)).status).toBe(201);
      const rated = await post(token, '/api/v1/decompositions/same/ratings', {
        acceptable: true,
        concepts: [],
      });
      expect(rated.status).toBe(201);
      expect(
        (await post(token, '/api/v1/feedback', { output_id: 'same', thumb: 'up', author: 'me' })).status,
      ).toBe(201);
    }
    const opened = await openStore(server.store);
    expect((await opened.readDecompositions()).map(({ id, model }) => [id, model]).sort()).toEqual([
      ['ours:same', 'a'],
      [`${THEIRS}:same`, 'b'],
    ]);
    expect((await opened.readRatings()).map(({ subjectId }) => subjectId).sort()).toEqual([
      'ours:same',
      `${THEIRS}:same`,
    ]);
    expect((await opened.readFeedback()).map(({ outputId }) => outputId).sort()).toEqual([
      'ours:same',
      `${THEIRS}:same`,
    ]);
    await opened.close();

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
        // Of another configuration than that of the server.
        teams: { [team]: [OURS] },
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
    // The overview names sessions of the last week, and these are of a certain one.
    const { ask, folder } = await startTestServer({ now: () => NOW });
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
async function eventsUntil(
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
