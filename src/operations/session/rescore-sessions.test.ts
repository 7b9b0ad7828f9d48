import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import type { Ports, Progress } from '../ports.ts';
import { measureRoi } from './measure-roi.ts';
import { rescoreSessions } from './rescore-sessions.ts';
import { scoreSessions } from './score-sessions.ts';

let folder: string;
let store: Store;
let ports: Ports;
let progress: Progress[];
let stop: AbortController;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-rescore-'));
  store = await openStore(join(folder, 'store.db'));
  progress = [];
  stop = new AbortController();
  ports = {
    store: async () => store,
    now: () => new Date('2026-11-12T00:00:00Z'),
    newId: () => 'id',
    identity: () => 'ada',
    progress: (one) => void progress.push(one),
    notKept: (error) => {
      throw error;
    },
    signal: stop.signal,
  };
  const home = resolve('test/fixtures/session/claude-home');
  const from = { paths: [], home, environment: {} };
  await scoreSessions({ from, keep: true }, ports, () => {});
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** As an earlier version would have left them. */
async function growOld(): Promise<number> {
  const rows = [];
  for await (const row of store.readSessions())
    rows.push({
      ...row,
      q: 0.1,
      scorerVersion: 'session-1',
      revision: `old ${row.revision}`,
      scoredAt: '2026-11-13T00:00:00.000Z',
    });
  await store.appendSessions(rows);
  return rows.length;
}

it('scores what an earlier version scored, for good, and then finds nothing to do', async () => {
  const fresh = await measureRoi({ from: 'store', by: 'model' }, ports);
  const count = await growOld();
  const alone = await measureRoi({ from: 'store', by: 'model' }, ports);
  expect(alone).toMatchObject({ groups: fresh.groups });
  const later = { ...ports, now: () => new Date('2026-11-14T00:00:00Z') };
  expect(await rescoreSessions({}, later)).toMatchObject({ sessions: count, rescored: count });
  expect(progress.at(-1)).toMatchObject({ done: count, total: count });
  expect(await measureRoi({ from: 'store', by: 'model' }, ports)).toEqual(fresh);
  expect(await rescoreSessions({}, later)).toMatchObject({ sessions: count, rescored: 0 });
});

it('keeps everything as it was when it is stopped before it began', async () => {
  const count = await growOld();
  stop.abort();
  await expect(rescoreSessions({}, ports)).rejects.toMatchObject({ code: 'STOPPED' });
  expect(await store.sessionScorings()).toMatchObject([{ scorerVersion: 'session-1', sessions: count }]);
});
