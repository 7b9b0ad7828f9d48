import { describe, expect, it } from 'vitest';
import { overview } from '../api/schema/overview.ts';
import { sessionPage } from '../api/schema/session-list.ts';
import { problem } from './problem.ts';
import { startTestServer } from './testing/test-server.ts';

describe('the server', () => {
  it('lists kept sessions a page at a time, each once and in order', async () => {
    const { ask } = await startTestServer();
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = sessionPage.parse(await (await ask(`/api/v1/sessions?limit=2${cursor}`)).json());
      expect(page.total).toBe(6);
      seen.push(...page.items.map((one) => one.started_at ?? ''));
      cursor = page.next === null ? '' : `&cursor=${page.next}`;
    } while (cursor !== '');
    expect(seen).toHaveLength(6);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });

  it('narrows and sorts them as asked', async () => {
    const { ask } = await startTestServer();
    const all = sessionPage.parse(await (await ask('/api/v1/sessions?sort=lowest_q')).json());
    const qs = all.items.map(({ q }) => q ?? 0);
    expect(qs).toEqual(qs.toSorted((a, b) => a - b));
    const [first] = all.items;
    const own = sessionPage.parse(await (await ask(`/api/v1/sessions?tier=${first?.tier}`)).json());
    expect(own.items.length).toBeGreaterThan(0);
    expect(own.items.every(({ tier }) => tier === first?.tier)).toBe(true);
  });

  it('gives an overview over empty stores and over full ones', async () => {
    const empty = await startTestServer({ withSessions: false });
    const nothing = overview.parse(await (await empty.ask('/api/v1/overview')).json());
    expect(nothing.sessions).toMatchObject({ stored: 0, current: { n: 0, q: null } });
    const { ask } = await startTestServer();
    expect(overview.parse(await (await ask('/api/v1/overview')).json()).sessions.stored).toBe(6);
  });

  it('tells of the days up to the newest session where the last ones have none', async () => {
    const { ask } = await startTestServer({ now: () => new Date('2031-03-01T12:00:00Z') });
    const { items } = sessionPage.parse(await (await ask('/api/v1/sessions?limit=1')).json());
    const { sessions, until } = overview.parse(await (await ask('/api/v1/overview')).json());
    expect(sessions.until).toBe(items[0]?.started_at);
    expect(sessions.until < until).toBe(true);
    expect(sessions.current.n).toBeGreaterThan(0);
  });

  it('does not send again what has not changed', async () => {
    const { ask } = await startTestServer();
    const first = await ask('/api/v1/sessions');
    const etag = first.headers.get('etag') ?? '';
    await first.text();
    const again = await ask('/api/v1/sessions', { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each([
    ['/api/v1/sessions?limit=0', 400, 'REQUEST_INVALID'],
    ['/api/v1/sessions?limit=1&limit=2', 400, 'REQUEST_INVALID'],
    ['/api/v1/sessions?colour=red', 400, 'REQUEST_INVALID'],
    ['/api/v1/sessions?cursor=bm90IGpzb24', 400, 'REQUEST_INVALID'],
    ['/api/v1/sessions?since=yesterday', 400, 'REQUEST_INVALID'],
    ['/api/v1/overview?days=3', 400, 'REQUEST_INVALID'],
    ['/api/v1/nothing', 404, 'NOT_FOUND'],
    ['/api', 404, 'NOT_FOUND'],
  ])('answers %s with a problem that says what to do', async (path, status, code) => {
    const { ask } = await startTestServer({ withSessions: false });
    const answer = await ask(path);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(problem.parse(await answer.json())).toMatchObject({ status, code });
    expect(answer.status).toBe(status);
  });

  it('says which methods an address takes', async () => {
    const { ask } = await startTestServer({ withSessions: false });
    const answer = await ask('/api/v1/sessions', { method: 'DELETE' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    expect(problem.parse(await answer.json()).status).toBe(405);
  });

  it('logs a line for each request, without what stood in its address', async () => {
    const { ask, lines } = await startTestServer({ withSessions: false });
    await (await ask('/api/v1/sessions?project=secret-project')).text();
    await (await ask('/secret-page')).text();
    const requests = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request');
    expect(requests).toMatchObject([
      { method: 'GET', route: 'GET /api/v1/sessions', status: 200 },
      { method: 'GET', route: 'file', status: 503 },
    ]);
    expect(lines.join('')).not.toContain('secret');
  });
});
