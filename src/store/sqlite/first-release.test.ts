/** A store that the first release made, from this repository's own examples and session fixtures. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentHash } from '../canonical.ts';
import { openStore } from '../open.ts';
import type { SessionRow } from '../session-row.ts';
import type { Store } from '../store.ts';
import { SessionModel } from '../testing/model.ts';
import { collect, session } from '../testing/records.ts';
import { MIGRATIONS } from './migrations.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-release-'));
const path = join(root, 'store.db');
let store: Store;

beforeAll(async () => {
  writeFileSync(path, gunzipSync(readFileSync('test/fixtures/store/release-0.1.0.db.gz')));
  expect(numbers()).toEqual([1, 2, 3]);
  store = await openStore(path);
});
afterAll(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

function numbers(): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare('SELECT number FROM migration ORDER BY number')
      .all()
      .map((row) => row.number);
  } finally {
    database.close();
  }
}

it('is migrated when it is opened', () => {
  expect(numbers()).toEqual(MIGRATIONS.map((_, i) => i + 1));
});

it('gives every run back whole: reading checks the hash that the release wrote', async () => {
  const runs = await store.listRuns();
  expect(runs.map(({ instrument, verdict }) => `${instrument} ${verdict}`)).toEqual([
    'decomposition passed',
    'workflow passed',
    'decomposition blocked',
    'decomposition blocked',
    'decomposition passed',
    'decomposition passed',
    'decomposition passed',
  ]);
  for (const { runId, caseCount } of runs)
    expect((await store.readRun(runId))?.cases).toHaveLength(caseCount);
  const points = await store.series({ metric: 'decomposition/concept-recall', instrument: 'decomposition' });
  expect(points).toHaveLength(6);
});

it('gives the revision that was scored last of every session, as the release hashed it', async () => {
  const rows = await collect(store.readSessions());
  expect(rows.map(({ sessionId }) => sessionId).sort()).toEqual([
    '11111111-aaaa-4aaa-8aaa-000000000001',
    '22222222-bbbb-4bbb-8bbb-000000000002',
    'conv-late-orders',
    'cx-1',
    'main-1',
    's-main',
    's-main:agent-a11',
    'v3-a',
  ]);
  for (const { revision, scoredAt: _, sessionKey: __, ...content } of rows)
    expect(contentHash(content)).toBe(revision);
  // Three were scored again with a known outcome.
  expect(rows.filter(({ outcome }) => outcome === 1).length).toBeGreaterThanOrEqual(3);
});

it('gives ratings, approvals and alerts back', async () => {
  expect(await store.readRatings()).toEqual([
    {
      ratingId: 'r1',
      kind: 'session',
      subjectId: 's-main',
      author: 'ada',
      rating: 4,
      note: 'mostly right',
      at: '2026-11-01T09:00:00.000Z',
    },
  ]);
  expect((await store.readApprovals()).map(({ reason }) => reason)).toEqual(['known']);
  const alerts = await store.trackAlerts({ now: '2026-12-01' });
  expect(alerts.map(({ rule, state }) => `${rule} ${state}`)).toEqual(Array(4).fill('three-declines open'));
});

it('has sums over the sessions it held, and goes on from there', async () => {
  const model = new SessionModel();
  model.append(await collect(store.readSessions()));
  const query = { by: ['taskType', 'model', 'agent', 'source'], bucket: 'day', histograms: true } as const;
  expect(await store.sessionRollup(query)).toEqual(model.rollup(query));
  const known = session('s-main', 'another', {
    sessionKey: keyOf('s-main', await collect(store.readSessions())),
    scoredAt: '2027-01-01T00:00:00.000Z',
    project: '/garden',
    q: 1,
  });
  await store.appendSessions([known]);
  model.append([known]);
  for (const by of [[], ['project'], ['taskType', 'project', 'model']] as const)
    expect(await store.sessionRollup({ by })).toEqual(model.rollup({ by }));
});

it('gives back a session that another one of the same name had replaced, each with what was scored of it', async () => {
  const other = join(root, 'replaced.db');
  writeFileSync(other, gunzipSync(readFileSync('test/fixtures/store/release-0.1.0.db.gz')));
  const database = new DatabaseSync(other);
  database.exec(`
    CREATE TABLE other AS SELECT * FROM session WHERE session_id = 's-main';
    UPDATE other SET scored_at = '2027-01-01T00:00:00.000Z', revision = 'other' || revision,
      facts = json_set(facts, '$.file.path', '/elsewhere/s-main.jsonl');
    INSERT INTO session SELECT * FROM other;
    DROP TABLE other;
  `);
  database.close();
  const migrated = await openStore(other);
  try {
    const rows = (await collect(migrated.readSessions())).filter(({ sessionId }) => sessionId === 's-main');
    expect(rows.map((row) => [pathOf(row), row.scoredAt.slice(0, 4)]).sort()).toEqual([
      ['/elsewhere/s-main.jsonl', '2027'],
      ['/tmp/project/few/claude-code-subagents/s-main.jsonl', '2026'],
    ]);
    expect((await migrated.sessionRollup())[0]?.sessions).toBe(9);
  } finally {
    await migrated.close();
  }
});

it('knows a session of the release again when it is scored from the same file', async () => {
  const other = join(root, 'again.db');
  writeFileSync(other, gunzipSync(readFileSync('test/fixtures/store/release-0.1.0.db.gz')));
  const migrated = await openStore(other);
  try {
    const before = await collect(migrated.readSessions());
    const again = before.map((row) => ({
      ...row,
      sessionKey: `new ${row.sessionId}`,
      revision: 'new',
      scoredAt: '2027-01-01T00:00:00.000Z',
    }));
    await migrated.appendSessions(again);
    expect((await collect(migrated.readSessions())).map(({ sessionKey }) => sessionKey).sort()).toEqual(
      again.map(({ sessionKey }) => sessionKey).sort(),
    );
    const elsewhere = { ...again[0], sessionKey: 'elsewhere', facts: { file: { path: '/elsewhere.jsonl' } } };
    await migrated.appendSessions([elsewhere as SessionRow]);
    expect(await collect(migrated.readSessions())).toHaveLength(before.length + 1);
  } finally {
    await migrated.close();
  }
});

function keyOf(id: string, rows: readonly SessionRow[]): string {
  return rows.find(({ sessionId }) => sessionId === id)?.sessionKey ?? '';
}

function pathOf({ facts }: SessionRow): string {
  return (facts as unknown as { file: { path: string } }).file.path;
}
