import { describe, expect, it } from 'vitest';
import { problem } from './problem.ts';
import { ROUTES } from './resources/resources.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';

const queries: Readonly<Record<string, string>> = {
  '/api/v1/sessions/{key}/lines': '?from=1&to=20',
  '/api/v1/sessions/names': '?keys=none&titles=true',
};

async function keyOf({ ask }: TestServer): Promise<string> {
  const { items } = (await (await ask('/api/v1/sessions?limit=1')).json()) as {
    items: { session_key: string }[];
  };
  return items[0]?.session_key ?? '';
}

describe('every route', () => {
  it('answers what its schema says, or a problem; those of sessions answer over the example', async () => {
    const server = await startTestServer();
    const key = await keyOf(server);
    for (const route of ROUTES) {
      if (route.method !== 'GET' || route.kind !== 'json') continue;
      const isOfSession = route.path.includes('/sessions/{key}');
      const path = route.path.replace(/\{(\w+)\}/g, (_, name) => (name === 'key' ? key : 'none'));
      const answer = await server.ask(`${path}${queries[route.path] ?? ''}`);
      const body = await answer.json();
      if (answer.ok) expect(() => route.answer.parse(body), route.path).not.toThrow();
      else expect(() => problem.parse(body), route.path).not.toThrow();
      expect(answer.status, `${route.path} ${JSON.stringify(body)}`).toBeLessThan(500);
      if (isOfSession || !route.path.includes('{')) expect([200, 400]).toContain(answer.status);
      if (isOfSession) expect(answer.status, JSON.stringify(body)).toBe(200);
    }
  });

  it('is told once, by one method and address', () => {
    const names = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual([...new Set(names)]);
  });

  it('is in the description for programs and on the page for people', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    const { openapi, paths } = (await (await ask('/api/v1/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    expect(openapi).toBe('3.1.0');
    const described = Object.entries(paths).flatMap(([path, own]) =>
      Object.keys(own).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted());
    const names = Object.values(paths).flatMap((own) => Object.values(own).map((one) => one.operationId));
    expect(new Set(names).size).toBe(names.length);
    const page = await (await ask('/api/docs')).text();
    const shown = [...page.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, name]) => name);
    expect(shown.toSorted()).toEqual(described.toSorted());
    const outside = page.match(/<script|<style|style=|javascript:|(?:href|src)="[^/]/g);
    expect(outside).toBeNull();
  });
});

describe('a rating', () => {
  const json = { 'content-type': 'application/json' };

  it('is kept, tells Q only then, and counts in the calibration', async () => {
    const server = await startTestServer();
    const key = await keyOf(server);
    const path = `/api/v1/sessions/${key}/ratings`;
    const body = JSON.stringify({ rating: 4, thumb: 'up', note: '=1+1 <b>' });
    const saved = await server.ask(path, { method: 'POST', headers: json, body });
    expect(saved.status).toBe(201);
    expect(await saved.json()).toMatchObject({
      rating: { rating: 4, note: '=1+1 <b>' },
      feedback: { thumb: 'up' },
    });
    expect(await (await server.ask(path)).json()).toMatchObject({
      ratings: [{ rating: 4 }],
      feedback: [{ thumb: 'up', comment: '=1+1 <b>' }],
    });
    expect(await (await server.ask('/api/v1/ratings')).json()).toMatchObject({
      items: [{ rating: 4 }],
      next: null,
    });
    expect(await (await server.ask('/api/v1/calibration')).json()).toMatchObject({
      points: [{ session_key: key, rating: 4, raters: 1 }],
      unjoined: 0,
      validation: { ratings: 1, verdict: { verdict: 'too few to tell' } },
    });
  });

  it.each([[{}], [{ rating: 6 }], [{ rating: 3, q: 1 }], [[]], ['text']])(
    'is refused as %j',
    async (body) => {
      const server = await startTestServer();
      const answer = await server.ask(`/api/v1/sessions/${await keyOf(server)}/ratings`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify(body),
      });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        400,
        'REQUEST_INVALID',
      ]);
    },
  );

  it('of a session that is not kept is answered with 404', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    const answer = await ask('/api/v1/sessions/none/ratings', {
      method: 'POST',
      headers: json,
      body: '{"rating":3}',
    });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      404,
      'SESSION_NOT_FOUND',
    ]);
  });
});
