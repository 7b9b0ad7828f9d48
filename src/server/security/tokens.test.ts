import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
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
    await expect(startTestServer({ withSessions: false, host: '0.0.0.0' })).rejects.toThrow(/no token/);
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
      /no token/,
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
    const kept = await ask('/api/v1/events');
    await revokeToken(path, 'small');
    expect((await ask('/api/v1/overview', { headers: bearer(token) })).status).toBe(401);
    // Also to what was listened to before: it ends, and that of others does not.
    expect(await stream.text()).toMatch(/^retry: /);
    const reader = kept.body?.getReader();
    await reader?.read();
    const next = reader?.read().then(({ done }) => (done ? 'ended' : 'open'));
    expect(await Promise.race([next, sleep(100, 'open')])).toBe('open');
    await reader?.cancel();
  });
});

describe('the file of tokens', () => {
  it('holds hashes for its owner alone, and no two tokens are equal', async () => {
    const { folder } = await startTestServer({ withSessions: false });
    const path = join(folder, 'own', 'tokens.json');
    const made = [];
    for (const name of ['a', 'b']) made.push(await createToken(path, { name, scope: 'read', now }));
    const text = readFileSync(path, 'utf8');
    for (const { token } of made) expect(text).not.toContain(token.split('_').at(-1));
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
