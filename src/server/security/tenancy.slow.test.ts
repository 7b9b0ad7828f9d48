/** What holds of tokens of projects holds on ClickHouse, too, and on every one of several servers. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClickHouseServer, missingClickHouse } from '../../store/clickhouse/testing/clickhouse-server.ts';
import {
  answerOf,
  asksOf,
  everythingOf,
  REQUEST_ROUTES,
  type RouteQuestion,
  startWith,
  type Tenant,
} from '../testing/every-route.ts';
import { OURS, readExamples, THEIRS } from '../testing/two-projects.ts';

const json = { 'content-type': 'application/json' };
const missing = missingClickHouse();

if (missing !== undefined) it.skip(`tokens of projects on ClickHouse (${missing})`, () => {});
else {
  let clickhouse: ClickHouseServer;
  beforeAll(async () => {
    clickhouse = await ClickHouseServer.start();
  }, 120_000);
  afterAll(() => clickhouse.stop());

  describe('a token of one project, on ClickHouse', () => {
    it('is answered by every route as a file without the other project answers', {
      timeout: 600_000,
    }, async () => {
      const examples = await readExamples();
      const full = await startWith([OURS, THEIRS], examples, clickhouse.address('tenants'));
      const lacking = await startWith([OURS], examples);
      const tokens = [await full.tokenOf(OURS), await lacking.tokenOf(OURS)] as const;
      const theirs = await everythingOf(full, THEIRS);
      // Rules are looked at every minute: by then there is nothing new.
      for (const server of [full, lacking])
        await server.ask('/api/v1/production/check', { method: 'POST', headers: json, body: '{}' });
      const compare = async (method: string, one: RouteQuestion) => {
        const name = `${method} ${one.path} ${JSON.stringify(one.body)}`;
        const answer = await answerOf(full, method, one, tokens[0]);
        expect(answer, name).toEqual(await answerOf(lacking, method, one, tokens[1]));
        if (!name.includes(THEIRS)) expect(JSON.stringify(answer).toLowerCase(), name).not.toContain(THEIRS);
      };
      for (const route of REQUEST_ROUTES) {
        // The same over a file asks each in every way.
        const asks = [...asksOf(route, OURS).slice(0, 1), ...asksOf(route, THEIRS)];
        if (route.method === 'GET') await Promise.all(asks.map((one) => compare('GET', one)));
        else for (const one of asks) await compare(route.method, one);
      }
      expect(await everythingOf(full, THEIRS)).toEqual(theirs);
    });
  });

  describe('an id that two projects choose', () => {
    it('is a session and a request of each, through any of several servers', {
      timeout: 300_000,
    }, async () => {
      const address = clickhouse.address('chosen');
      const examples = { sessions: [], runs: [] };
      const [one, other] = [await startWith([], examples, address), await startWith([], examples, address)];
      const lines = readFileSync('test/fixtures/session/claude-code-turns/5f0c.jsonl', 'utf8');
      const send = async (server: Tenant, project: string) =>
        (
          await server.ask('/api/v1/sessions/same/events?ended=true', {
            method: 'POST',
            headers: {
              authorization: `Bearer ${await server.tokenOf(project)}`,
              'content-type': 'application/x-ndjson',
            },
            body: lines.replaceAll(/"cwd":"[^"]*"/g, `"cwd":"/work/${THEIRS}"`),
          })
        ).status;
      expect([await send(one, THEIRS), await send(other, OURS)]).toEqual([200, 200]);
      const request = async (server: Tenant, project: string, model: string) =>
        (
          await server.ask('/api/v1/decompositions', {
            method: 'POST',
            headers: {
              authorization: `Bearer ${await server.tokenOf(project)}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({ id: 'same', at: '2026-11-10T10:00:00Z', model }),
          })
        ).status;
      expect([await request(one, THEIRS, 'a'), await request(other, OURS, 'b')]).toEqual([201, 201]);
      const keysOf = async (server: Tenant, project: string) => {
        const headers = { authorization: `Bearer ${await server.tokenOf(project)}` };
        const { items } = (await (await server.ask('/api/v1/sessions', { headers })).json()) as {
          items: { session_key: string }[];
        };
        return items.map(({ session_key: key }) => key);
      };
      for (const server of [one, other])
        for (const project of [OURS, THEIRS])
          await expect.poll(() => keysOf(server, project), { timeout: 60_000 }).toHaveLength(1);
      const [ours, theirs] = [await keysOf(one, OURS), await keysOf(other, THEIRS)];
      expect(ours).not.toEqual(theirs);
      const headers = { authorization: `Bearer ${await one.tokenOf(OURS)}` };
      expect((await one.ask(`/api/v1/sessions/${theirs[0]}`, { headers })).status).toBe(404);
    });
  });
}
