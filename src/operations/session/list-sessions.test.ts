import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionListView } from '../../session/views/session-list.ts';
import { session } from '../../store/testing/records.ts';
import { scoredWith } from '../../sync.ts';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { syncSessions } from './ask-sessions.ts';
import { listSessions, type SessionList } from './list-sessions.ts';

const GOOD = '11111111-aaaa-4aaa-8aaa-000000000001';
const BAD = '22222222-bbbb-4bbb-8bbb-000000000002';

let home: string;
let ports: OpenPorts;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-list-'));
  cpSync(resolve('test/fixtures/session/claude-home'), home, { recursive: true });
  ports = defaultPorts({ store: join(home, 'store.db') });
});
afterEach(async () => {
  await ports.close();
  rmSync(home, { recursive: true });
});

const request = () => ({ from: { paths: [join(home, '.claude')], home, environment: {} } });
const titles = { environment: {} };

describe('a list of sessions', () => {
  it('has a line of each, in the order that was asked for', async () => {
    const lowest = await listSessions({ ...request(), sort: 'q', titles }, ports);
    expect(lowest.listed.map(({ sessionId }) => sessionId)).toEqual([BAD, GOOD]);
    expect(lowest.listed.every(({ title }) => title !== undefined && title.length > 0)).toBe(true);
    const one = await listSessions({ ...request(), sort: 'q', limit: 1 }, ports);
    expect(one.listed).toHaveLength(1);
    expect(one.listed[0]?.title).toBeUndefined();
    expect(one.total.sessions).toBe(2);
  });

  it('groups with subtotals that add up to the total', async () => {
    const { groups, total } = await listSessions({ ...request(), sort: 'date', by: 'day', limit: 0 }, ports);
    const sum = (pick: (one: (typeof groups)[number]) => number) =>
      groups.reduce((all, one) => all + pick(one), 0);
    expect(sum(({ sessions }) => sessions)).toBe(total.sessions);
    expect(sum(({ costUsd = 0 }) => costUsd)).toBeCloseTo(total.costUsd ?? 0, 12);
    expect(sum(({ usage }) => usage.output)).toBe(total.usage.output);
  });

  it('says the same from the store, with titles only while the transcripts are there', async () => {
    await syncSessions(request(), ports);
    const fresh = await listSessions({ ...request(), sort: 'date', titles }, ports);
    const stored = await listSessions({ from: 'store', sort: 'date', titles }, ports);
    const columns = (list: SessionList) => list.listed.map((one) => ({ ...one, scoredAt: undefined }));
    expect(columns(stored)).toEqual(columns(fresh));
    expect(stored.total).toEqual(fresh.total);
    rmSync(join(home, '.claude'), { recursive: true });
    const later = await listSessions({ from: 'store', sort: 'date', titles }, ports);
    expect(later.listed.map(({ title }) => title)).toEqual([undefined, undefined]);
    const kept = readFileSync(join(home, 'store.db'), 'latin1');
    for (const { title = '-' } of fresh.listed) expect(kept).not.toContain(title);
  });

  it('leaves out what a document says is in no column', async () => {
    const list = await listSessions({ ...request(), sort: 'date', titles }, ports);
    const { blocks, next } = sessionListView(list, { paths: [], options: {} });
    const [table] = blocks;
    expect(table?.kind === 'table' && table.columns.map(({ key }) => key)).toContain('title');
    expect(next.map(({ operation }) => operation)).toEqual(['sessions explain', 'sessions list']);
  });
});

describe('a list from a large store', () => {
  it('has the same lines and total whether all rows are read or only those that are listed', async () => {
    const store = await ports.store();
    const usual = scoredWith({});
    const rows = Array.from({ length: 5100 }, (_, i) =>
      session(`s${i}`, '1', {
        ...usual,
        // Many are equal: of these the newest come first.
        q: ((i * 997) % 51) / 51,
        costUsd: ((i * 7) % 51) / 100,
        turns: i % 9,
        startedAt: new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString(),
      }),
    );
    await store.appendSessions(rows);
    for (const sort of ['date', 'q', 'cost', 'turns'] as const) {
      const few = await listSessions({ from: 'store', sort, limit: 5 }, ports);
      const all = await listSessions({ from: 'store', sort }, ports);
      expect(few.listed.map(({ sessionKey }) => sessionKey)).toEqual(
        all.listed.slice(0, 5).map(({ sessionKey }) => sessionKey),
      );
      expect(few.total.sessions).toBe(all.total.sessions);
      expect(few.total.costUsd).toBeCloseTo(all.total.costUsd ?? 0, 3);
    }
  });
});
