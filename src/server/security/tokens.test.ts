import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tokenList } from '../../api/schema/audit.ts';
import { encode } from '../../api/wire.ts';
import { tokenView } from '../../report/server-views.ts';
import { ROUTES } from '../resources/resources.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import type { TokenScope } from './access.ts';
import { createToken, listTokens, revokeToken, tokenPath } from './tokens.ts';

const now = new Date('2026-11-16T12:00:00Z');
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Reached by another name than this machine's, so that it needs a token. */
async function startGuarded(): Promise<
  TestServer & { readonly tokenOf: (scope: TokenScope) => Promise<string> }
> {
  const allowedHosts = ['team.example'];
  const before = await startTestServer({ withSessions: false });
  const environment = { HOME: before.folder };
  const tokenOf = async (scope: TokenScope, goodForMs?: number) =>
    (await createToken(tokenPath(environment), { name: scope, scope, now: new Date(), goodForMs })).token;
  await tokenOf('read');
  const machine = { home: before.folder, environment };
  return { ...(await startTestServer({ withSessions: false, allowedHosts, machine })), tokenOf };
}

describe('a server that others reach', () => {
  it('does not start without a token, nor with one that is over', async () => {
    await expect(startTestServer({ withSessions: false, host: '0.0.0.0' })).rejects.toThrow(/no valid token/);
    const { folder } = await startTestServer({ withSessions: false });
    const machine = { home: folder, environment: { HOME: folder } };
    const past = new Date('2026-01-01T00:00:00Z');
    await createToken(tokenPath(machine.environment), {
      name: 'old',
      scope: 'read',
      now: past,
      goodForMs: 1,
    });
    await expect(startTestServer({ withSessions: false, host: '0.0.0.0', machine })).rejects.toThrow(
      /no valid token/,
    );
  });

  const guarded = ROUTES.filter(({ scope }) => scope !== 'none');
  const lesser: Record<string, TokenScope | undefined> = { write: 'read', admin: 'write' };

  it('answers every route only to a token that allows it', async () => {
    const { ask, tokenOf } = await startGuarded();
    const tokens = {
      read: await tokenOf('read'),
      write: await tokenOf('write'),
      admin: await tokenOf('admin'),
    };
    for (const { method, path: pattern, scope } of guarded) {
      const path = pattern.replace(/\{\w+\}/g, 'none');
      const statusWith = async (headers: Record<string, string>) => {
        const stop = new AbortController();
        const { status } = await ask(path, { method, headers, signal: stop.signal });
        stop.abort();
        return status;
      };
      const name = `${method} ${pattern}`;
      expect(await statusWith({}), name).toBe(401);
      expect(await statusWith(bearer('assay_00000000_x')), name).toBe(401);
      expect(await statusWith({ authorization: 'Basic eDp5' }), name).toBe(401);
      const less = lesser[scope];
      if (less !== undefined) expect(await statusWith(bearer(tokens[less])), name).toBe(403);
      expect([401, 403], name).not.toContain(await statusWith(bearer(tokens[scope as TokenScope])));
    }
    expect(guarded.length).toBeGreaterThan(10);
  });

  it('tells nobody without a token which addresses there are', async () => {
    const { ask } = await startGuarded();
    expect((await ask('/api/v1/sessions/none/none')).status).toBe(401);
    expect((await ask('/api/v1/overview', { method: 'DELETE' })).status).toBe(401);
  });

  it('takes a token that was made while it runs, and logs whose it is and never the token', async () => {
    const { ask, tokenOf, lines } = await startGuarded();
    const token = await tokenOf('write');
    expect((await ask('/api/v1/overview', { headers: bearer(token) })).status).toBe(200);
    expect(lines.join('')).toContain('"who":"write"');
    expect(lines.join('')).not.toContain(token);
  });
});

describe('a token on this machine', () => {
  it('is not needed, but a wrong one is noticed and a small one stays small', async () => {
    const { ask, folder } = await startTestServer({ withSessions: false });
    const path = tokenPath({ HOME: folder });
    const { token } = await createToken(path, { name: 'small', scope: 'read', now: new Date() });
    expect((await ask('/api/v1/overview')).status).toBe(200);
    expect((await ask('/api/v1/overview', { headers: bearer('wrong') })).status).toBe(401);
    const post = {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: '{}',
    };
    expect((await ask('/api/v1/sessions/none/ratings', post)).status).toBe(403);
    const stream = await ask('/api/v1/events', { headers: bearer(token) });
    const anonymous = await ask('/api/v1/events');
    await revokeToken(path, 'small');
    expect((await ask('/api/v1/overview', { headers: bearer(token) })).status).toBe(401);
    // Also to what was listened to before: it ends, and that of others does not.
    expect(await stream.text()).toMatch(/^retry: /);
    const reader = anonymous.body?.getReader();
    await reader?.read();
    const next = reader?.read().then(({ done }) => (done ? 'ended' : 'open'));
    expect(await Promise.race([next, sleep(100, 'open')])).toBe('open');
    await reader?.cancel();
  });
});

describe('a token that is asked for', () => {
  const made = { name: 'ann', scope: 'read', now } as const;
  const teams = { payments: ['billing'], nobody: [] };

  it.each([
    ['an empty project', { projects: [''] }, /empty name/],
    ['a project of blanks', { projects: [' '] }, /empty name/],
    ['an empty project among others', { projects: ['checkout', '', 'billing'] }, /empty name/],
    ['a list of projects with nothing in it', { projects: [] }, /no project/],
    ['a project with a comma', { projects: ['checkout,billing'] }, /no comma/],
    ['an empty team', { team: '' }, /empty name/],
    ['an empty team beside a project', { projects: ['checkout'], team: ' ' }, /empty name/],
    ['a team that nobody named', { team: 'paymnts' }, /no team "paymnts".*payments/],
    ['a team called as what every object has', { team: 'toString' }, /no team "toString"/],
    ['a team without projects', { team: 'nobody' }, /team nobody has no projects/],
    ['an empty label', { name: '' }, /label/],
    ['a label of blanks', { name: ' ' }, /label/],
  ])('is not made for %s', async (_, asked, why) => {
    const { folder } = await startTestServer({ withSessions: false });
    const path = join(folder, 'own', 'tokens.json');
    await expect(createToken(path, { ...made, teams, ...asked })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(why),
    });
    expect(listTokens(path)).toEqual([]);
  });

  it('is for what was named, and for all only where nothing was', async () => {
    const { folder } = await startTestServer({ withSessions: false });
    const path = join(folder, 'own', 'tokens.json');
    const keptOf = async (asked: object) => (await createToken(path, { ...made, teams, ...asked })).stored;
    expect(await keptOf({ projects: [' checkout ', 'billing'] })).toMatchObject({
      projects: ['checkout', 'billing'],
    });
    expect(await keptOf({ team: 'payments' })).toMatchObject({ team: 'payments' });
    for (const key of ['projects', 'team']) expect(await keptOf({})).not.toHaveProperty(key);
  });
});

describe('a token of no project', () => {
  it.each([[[]], [['']], [[' ', '']]])(
    'that the file has (%j) is answered as if there were none',
    async (projects) => {
      const { ask, folder } = await startTestServer();
      const path = tokenPath({ HOME: folder });
      const { token, stored: kept } = await createToken(path, {
        name: 'ann',
        scope: 'admin',
        now: new Date(),
      });
      const itemsOf = async (list: string) => {
        const answer = await ask(`/api/v1/${list}`, { headers: bearer(token) });
        return ((await answer.json()) as { items: unknown[] }).items;
      };
      expect(await itemsOf('sessions')).not.toEqual([]);
      writeFileSync(path, JSON.stringify({ version: 1, tokens: [{ ...kept, projects }] }));
      for (const list of ['sessions', 'runs', 'alerts', 'ratings'])
        expect(await itemsOf(list), list).toEqual([]);
      const sent = { method: 'POST', headers: { ...bearer(token), 'content-type': 'application/json' } };
      const request = JSON.stringify({ id: 'a', at: now.toISOString() });
      expect((await ask('/api/v1/decompositions', { ...sent, body: request })).status).toBe(403);
      expect((await ask('/v1/traces', { ...sent, body: '{"resourceSpans":[]}' })).status).toBe(403);
      expect((await ask('/metrics', { headers: bearer(token) })).status).toBe(403);
      const [listed] = listTokens(path).map((one) => ({ ...one, isOver: false }));
      if (listed === undefined) throw new Error('there is no token');
      expect(JSON.stringify(tokenView([listed]))).toContain('"for":"no project"');
      expect(encode(tokenList, { tokens: [listed] }).tokens[0]?.projects).toEqual([]);
    },
  );
});

describe('the file of tokens', () => {
  it('holds hashes for its owner alone, and no two tokens are equal', async () => {
    const { folder } = await startTestServer({ withSessions: false });
    const path = join(folder, 'own', 'tokens.json');
    const made = [];
    for (const name of ['a', 'b']) made.push(await createToken(path, { name, scope: 'read', now }));
    const text = readFileSync(path, 'utf8');
    for (const { token } of made) expect(text).not.toContain(token.slice(-20));
    expect(new Set(made.map(({ token }) => token)).size).toBe(2);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(listTokens(path).map(({ name, expires_at }) => [name, expires_at])).toEqual([
      ['a', null],
      ['b', null],
    ]);
    expect((await revokeToken(path, 'a')).map(({ name }) => name)).toEqual(['a']);
    expect(listTokens(path).map(({ name }) => name)).toEqual(['b']);
  });

  it('is not believed where others can write it', async () => {
    const { folder } = await startTestServer({ withSessions: false });
    const path = join(folder, 'own', 'tokens.json');
    await createToken(path, { name: 'a', scope: 'read', now });
    chmodSync(path, 0o666);
    expect(() => listTokens(path)).toThrow(/written by others/);
  });
});
