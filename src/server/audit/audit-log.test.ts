import { describe, expect, it, onTestFinished } from 'vitest';
import { auditCommand } from '../../operations/audit/audit-command.ts';
import { verifyAudit } from '../../operations/audit/verify-audit.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { contentHash } from '../../store/canonical.ts';
import { openStore } from '../../store/open.ts';
import type { AuditEntry, Store } from '../../store/store.ts';
import { changeStore, dropTable } from '../../store/testing/change-store.ts';
import { createToken, tokenPath } from '../security/tokens.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { auditOriginOf } from './audit-log.ts';

const json = { 'content-type': 'application/json' };
const NOW = new Date('2026-11-10T10:00:00.000Z');

async function tokenOf({ folder }: TestServer, name: string, more: object = {}): Promise<string> {
  const made = { name, scope: 'write' as const, now: NOW, ...more };
  return (await createToken(tokenPath({ HOME: folder }), made)).token;
}

async function logOf({ store }: TestServer): Promise<readonly AuditEntry[]> {
  const opened = await openStore(store);
  return opened.readAudit().finally(() => opened.close());
}

const lineOf = ({ who, what, outcome, status, times }: AuditEntry) =>
  `${who}: ${what} ${outcome} ${status} ×${times}`;

async function keyOf({ ask }: TestServer): Promise<string> {
  const { items } = (await (await ask('/api/v1/sessions?limit=1')).json()) as {
    items: { session_key: string }[];
  };
  return items[0]?.session_key ?? '';
}

describe('the audit log of a server', () => {
  it('has each write before it is acknowledged, with who and what, and never what was said', async () => {
    const server = await startTestServer();
    const token = await tokenOf(server, 'ann');
    const key = await keyOf(server);
    const rated = await server.ask(`/api/v1/sessions/${key}/ratings`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ rating: 2, note: 'nobody else may read this' }),
    });
    expect(rated.status).toBe(201);
    const entries = await logOf(server);
    expect(entries.map(lineOf)).toEqual([
      'ann: token used done 200 ×1',
      'ann: POST /api/v1/sessions/{key}/ratings done 201 ×1',
    ]);
    expect(entries[1]).toMatchObject({ target: key, origin: 'this machine', project: expect.any(String) });
    expect(JSON.stringify(entries)).not.toMatch(/nobody else|assay_/);
  });

  it('counts by the minute what comes all the time, what fails and what is refused', async () => {
    const server = await startTestServer({ withSessions: false, now: () => NOW });
    const [ann, old] = [
      await tokenOf(server, 'ann', { projects: ['checkout'] }),
      await tokenOf(server, 'old', { now: new Date(0), goodForMs: 1 }),
    ];
    const ask = async (token: string, path: string, init: RequestInit = {}, times = 1) => {
      const headers = { authorization: `Bearer ${token}`, ...init.headers };
      for (let i = 0; i < times; i += 1) await (await server.ask(path, { ...init, headers })).text();
    };
    const lines = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: '{}\n' };
    await ask(ann, '/api/v1/sessions/one/events', lines, 3);
    await ask(
      ann,
      '/api/v1/sessions/none/ratings',
      { method: 'POST', headers: json, body: '{"rating":1}' },
      2,
    );
    await ask(ann, '/api/v1/audit', {}, 2);
    await ask(old, '/api/v1/overview', {}, 2);
    await ask(`assay_0a1b2c3d_${'x'.repeat(43)}`, '/api/v1/overview', {}, 4);
    // Nothing but the first use is written while the minute goes on.
    expect((await logOf(server)).map(lineOf)).toEqual(['ann: token used done 200 ×1']);
    await server.stop();
    const entries = await logOf(server);
    expect(entries.map(lineOf).sort()).toEqual([
      'ann: GET /api/v1/audit refused 403 ×2',
      'ann: POST /api/v1/sessions/{id}/events done 200 ×3',
      'ann: POST /api/v1/sessions/{key}/ratings failed 404 ×2',
      'ann: token used done 200 ×1',
      'nobody: token refused refused 401 ×4',
      'old: token expired refused 401 ×2',
    ]);
    expect(entries.find(({ what }) => what === 'token refused')).toMatchObject({ target: '0a1b2c3d' });
    expect(entries.find(({ what }) => what.includes('events'))).toMatchObject({
      target: 'one',
      project: 'checkout',
    });
  });

  it('lets no write be acknowledged that it cannot write down', async () => {
    const server = await startTestServer();
    const key = await keyOf(server);
    dropTable(server.store, 'audit');
    const rated = await server.ask(`/api/v1/sessions/${key}/ratings`, {
      method: 'POST',
      headers: json,
      body: '{"rating":2}',
    });
    expect(rated.status).toBeGreaterThanOrEqual(500);
    // Reading goes on.
    expect((await server.ask('/api/v1/overview')).status).toBe(200);
  });
});

describe('an audit log', () => {
  it('shows that an entry was removed or altered, and with a head kept elsewhere that its end was', async () => {
    const server = await startTestServer();
    const key = await keyOf(server);
    for (let i = 0; i < 4; i += 1)
      await server.ask(`/api/v1/sessions/${key}/ratings`, {
        method: 'POST',
        headers: json,
        body: '{"rating":2}',
      });
    const entries = await logOf(server);
    const verify = async (given: readonly AuditEntry[], head?: string) => {
      const store = await openStore(':memory:');
      await store.appendAudit(given);
      const ports = { ...defaultPorts(), store: async () => store };
      return verifyAudit(head === undefined ? {} : { head }, ports).finally(() => store.close());
    };
    const { head, ...whole } = await verify(entries);
    expect(whole).toEqual({ entries: 4, faults: [], hasAsked: undefined });
    const [first, second, third, last] = entries as [AuditEntry, AuditEntry, AuditEntry, AuditEntry];
    expect(await verify([first, second, third], head)).toMatchObject({ faults: [], hasAsked: false });
    expect(await verify([first, third, last], head)).toMatchObject({
      faults: [{ auditId: third.auditId }],
      hasAsked: true,
    });
    const altered = { ...second, who: 'eve' };
    expect((await verify([first, altered, third, last])).faults).toHaveLength(1);
  });

  it('is one chain, whoever writes to it: what a command wrote between two entries of a server is missed', async () => {
    const server = await startTestServer();
    const key = await keyOf(server);
    const rate = () =>
      server.ask(`/api/v1/sessions/${key}/ratings`, { method: 'POST', headers: json, body: '{"rating":2}' });
    const stores = await Promise.all([1, 2].map(() => openStore(server.store)));
    onTestFinished(() => Promise.all(stores.map((store) => store.close())).then(() => {}));
    const prune = (store: Store) =>
      auditCommand(
        { what: 'store prune', outcome: 'done', status: 0 },
        { ...defaultPorts(), store: async () => store },
      );
    for (let round = 0; round < 5; round += 1) await Promise.all([rate(), ...stores.map(prune)]);
    const entries = await logOf(server);
    expect(entries).toHaveLength(15);
    expect(new Set(entries.map(({ previous }) => previous)).size).toBe(15);
    const verification = async () => (await server.ask('/api/v1/audit/verification')).json();
    expect(await verification()).toMatchObject({ faults: [] });
    const last = ((await verification()) as { head: string }).head;
    const [removed] = entries.filter(
      (entry) => entry.what === 'store prune' && contentHash(entry) !== last && entry.previous !== undefined,
    );
    changeStore(server.store, `DELETE FROM audit WHERE audit_id = '${removed?.auditId}'`);
    expect(await verification()).toMatchObject({ entries: 14, faults: [{ what: expect.any(String) }] });
  });

  it('names the entry that somebody altered in the store, still lists it, and goes on being written', async () => {
    const server = await startTestServer();
    const key = await keyOf(server);
    const rate = async () => {
      const init = { method: 'POST', headers: json, body: '{"rating":2}' };
      return (await server.ask(`/api/v1/sessions/${key}/ratings`, init)).status;
    };
    for (let i = 0; i < 2; i += 1) expect(await rate()).toBe(201);
    const [first, second] = (await logOf(server)) as [AuditEntry, AuditEntry];
    const ask = async (path: string) => {
      const answer = await server.ask(path);
      return { status: answer.status, body: await answer.json() };
    };
    changeStore(server.store, `UPDATE audit SET who = 'mallory' WHERE audit_id = '${first.auditId}'`);
    changeStore(
      server.store,
      `UPDATE audit SET body = replace(body, '"times":1', '"times":7') WHERE audit_id = '${second.auditId}'`,
    );
    const fault = ({ auditId, at }: AuditEntry) => ({ id: auditId, at, what: 'it was altered' });
    expect(await ask('/api/v1/audit/verification')).toMatchObject({
      status: 200,
      body: { entries: 2, faults: [fault(second), fault(first)] },
    });
    expect((await ask('/api/v1/audit')).body).toMatchObject({
      items: [
        { id: second.auditId, times: 7, altered: true },
        { id: first.auditId, who: 'mallory', altered: true },
      ],
    });
    // A process that starts names the newest one, though it was altered.
    const store = await openStore(server.store);
    const ports = { ...defaultPorts(), store: async () => store };
    await auditCommand({ what: 'store prune', outcome: 'done', status: 0 }, ports).finally(() =>
      store.close(),
    );
    changeStore(
      server.store,
      `UPDATE audit SET body = replace(body, '"done"', '"x"') WHERE audit_id = '${first.auditId}'`,
    );
    expect((await ask('/api/v1/audit/verification')).body).toMatchObject({
      entries: 3,
      faults: [fault(second), fault(first)],
    });
    expect(await ask('/api/v1/audit')).toMatchObject({
      status: 500,
      body: { remedy: 'See what else was: assay audit verify' },
    });
  });
});

it.each([
  ['127.0.0.1', {}, 'this machine'],
  ['::ffff:10.1.2.3', {}, 'private network'],
  ['172.32.0.1', {}, 'internet'],
  ['fe80::1', {}, 'private network'],
  ['2001:db8::1', {}, 'internet'],
  ['127.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, 'proxy'],
])('says of %s with %o only that it is from: %s', (address, headers, origin) => {
  expect(auditOriginOf(address, new Headers(headers as Record<string, string>))).toBe(origin);
});
