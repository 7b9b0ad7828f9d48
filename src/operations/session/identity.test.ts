/** The identity of sessions: by source, place and id, as the commands and the store see it. */
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PrintedRow } from '../../session/columns.ts';
import { attentionTable } from '../../session/views/attention.ts';
import { outcomesTable } from '../../session/views/outcomes.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { collect } from '../../store/testing/records.ts';
import type { Ports } from '../ports.ts';
import { testPorts } from '../testing/test-ports.ts';
import { calibrateWeights } from './calibrate-weights.ts';
import { explainSession } from './explain-session.ts';
import { listOutcomes } from './list-outcomes.ts';
import { listAttention } from './needs-attention.ts';
import { sampleSessions } from './sample-sessions.ts';
import { scoreRows } from './score-sessions.ts';
import { validateScores } from './validate-scores.ts';

const TRAJECTORY = 'test/fixtures/session/swe-agent-step-limit/demo__calc-7.traj';

let home: string;
let store: Store;
let ports: Ports;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'assay-identity-'));
  store = await openStore(join(home, 'store.db'));
  ports = testPorts(() => store);
});
afterEach(async () => {
  await store.close();
  rmSync(home, { recursive: true });
});

/** Copies a fixture to a folder; returns its path there. */
function put(fixture: string, path: string): string {
  const target = join(home, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(resolve(fixture), target);
  return target;
}

function at(...paths: string[]) {
  return { from: { paths, home, environment: {} } };
}

async function score(paths: string[], scoring = {}): Promise<{ rows: PrintedRow[]; unjoined: unknown }> {
  const rows: PrintedRow[] = [];
  const request = { ...at(...paths), scoring, repositories: { places: [], environment: {} }, keep: true };
  const { unjoined } = await scoreRows(request, ports, (row) => void rows.push(row));
  return { rows, unjoined };
}

function labels(name: string, text: string): string {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
}

it('keeps both of two projects with the same file name, scored together or one after the other', async () => {
  const [one, two] = [put(TRAJECTORY, 'one/calc-7.traj'), put(TRAJECTORY, 'two/calc-7.traj')];
  const { rows } = await score([one, two]);
  expect(new Set(rows.map(({ session_key }) => session_key)).size).toBe(2);
  await score([two]);
  await score([one]);
  const stored = await collect(store.readSessions());
  expect(stored.map(({ sessionKey }) => sessionKey).sort()).toEqual(
    rows.map((row) => row.session_key).sort(),
  );
  expect((await store.sessionRollup())[0]?.sessions).toBe(2);
});

it('tells two sessions of one id apart by their key among those that need attention and in outcomes, read or from the store', async () => {
  const paths = [put(TRAJECTORY, 'one/calc-7.traj'), put(TRAJECTORY, 'two/calc-7.traj')];
  const { rows } = await score(paths);
  const keys = rows.map(({ session_key }) => String(session_key)).sort();
  const repositories = { places: [], environment: {} };
  for (const { from } of [at(...paths), { from: 'store' as const }]) {
    const attention = attentionTable(await listAttention({ from }, ports));
    const outcomes = outcomesTable(await listOutcomes({ from, repositories }, ports));
    for (const table of [attention, outcomes]) {
      expect(table.columns.map(({ key }) => key).slice(0, 2)).toEqual(['session_id', 'session_key']);
      expect(table.rows.map((row) => row.session_key).sort()).toEqual(keys);
    }
  }
});

it('keeps a session that another transcript claims to be', async () => {
  const fixture = 'test/fixtures/session/claude-code-turns/5f0c.jsonl';
  const claimed = { type: 'user', uuid: 'ffffffff-0000-4000-8000-000000000001', sessionId: '5f0c' };
  const mine = put(fixture, 'mine/5f0c.jsonl');
  await score([mine]);
  const [before] = await collect(store.readSessions());
  const claim = join(home, 'claim/5f0c.jsonl');
  mkdirSync(dirname(claim));
  const message = { role: 'user', content: 'Say that all went well.' };
  writeFileSync(
    claim,
    `${JSON.stringify({ ...claimed, sessionId: before?.sessionId, timestamp: '2026-01-01T00:00:00Z', message })}\n`,
  );
  await score([claim]);
  const after = await collect(store.readSessions());
  expect(after.map(({ sessionId }) => sessionId)).toEqual([before?.sessionId, before?.sessionId]);
  expect(after).toContainEqual(before);
});

it('knows a transcript again that its agent moved or archived', async () => {
  const fixture = 'test/fixtures/session/claude-code-turns/5f0c.jsonl';
  const path = put(fixture, 'live/5f0c.jsonl');
  await score([path]);
  mkdirSync(join(home, 'archive'));
  renameSync(path, join(home, 'archive/5f0c.jsonl'));
  await score([join(home, 'archive/5f0c.jsonl')]);
  await score([join(home, 'archive/5f0c.jsonl'), put(fixture, 'live/5f0c.jsonl')]);
  expect((await store.sessionRollup())[0]?.sessions).toBe(1);
});

it('attaches what a file says of an id that two sessions have to neither, and names it', async () => {
  const paths = [put(TRAJECTORY, 'one/calc-7.traj'), put(TRAJECTORY, 'two/calc-7.traj')];
  const plain = await score(paths);
  const id = String(plain.rows[0]?.session_id);
  const outcomes = labels('outcomes.csv', `session_id,outcome\n${id},1\n`);
  const types = labels('types.csv', `session_id,task_type\n${id},research\n`);
  const { rows, unjoined } = await score(paths, { outcomes, taskTypes: types });
  expect(rows).toEqual(plain.rows);
  expect(unjoined).toEqual([{ sessionId: id, sessions: 2 }]);
  const key = String(rows[1]?.session_key);
  const byKey = labels('by-key.csv', `session_id,outcome\n${key},1\n`);
  const joined = await score(paths, { outcomes: byKey });
  expect(joined.unjoined).toEqual([]);
  expect(joined.rows[0]).toEqual(plain.rows[0]);
  expect(joined.rows[1]?.outcome).toBeGreaterThan(Number(plain.rows[1]?.outcome));
});

it('validates and calibrates without labels that two sessions could have', async () => {
  const paths = [put(TRAJECTORY, 'one/calc-7.traj'), put(TRAJECTORY, 'two/calc-7.traj')];
  const id = String((await score(paths)).rows[0]?.session_id);
  const ratings = labels('ratings.csv', `session_id,rating\n${id},4\n`);
  const validated = await validateScores({ ...at(...paths), labels: { ratings } }, ports);
  expect(validated).toMatchObject({
    sessions: 0,
    unjoined: [{ sessionId: id, sessions: 2 }],
  });
  const outcomes = labels('outcomes.csv', `session_id,outcome\n${id},1\n`);
  const against = await validateScores({ ...at(...paths), labels: { outcomes } }, ports);
  expect(against.unjoined).toHaveLength(1);
  const fitted = await calibrateWeights({ ...at(...paths), labels: { outcomes }, name: 'mine' }, ports).catch(
    (error: Error) => error.message,
  );
  expect(fitted).toMatchObject({ unjoined: [{ sessionId: id, sessions: 2 }] });
});

it('asks which one is meant when two sessions have the id, and takes the key', async () => {
  const paths = [put(TRAJECTORY, 'one/calc-7.traj'), put(TRAJECTORY, 'two/calc-7.traj')];
  const [first] = (await score(paths)).rows;
  await expect(
    explainSession({ ...at(...paths), id: String(first?.session_id) }, ports),
  ).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
    message: expect.stringContaining('2 sessions have the id'),
    ways: [{ list: expect.arrayContaining([expect.stringContaining(String(first?.session_key))]) }],
  });
  const explained = await explainSession({ ...at(...paths), id: String(first?.session_key) }, ports);
  expect(explained.file.path).toBe(paths[0]);
});

it('offers both for rating, each under a name of its own', async () => {
  const paths = [put(TRAJECTORY, 'one/calc-7.traj'), put(TRAJECTORY, 'two/calc-7.traj')];
  const { rows } = await score(paths);
  const { sessions } = await sampleSessions(at(...paths), ports);
  expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual(
    rows.map((row) => row.session_key).sort(),
  );
});

it('reads a relative path and a link as the file they lead to', async () => {
  const path = put(TRAJECTORY, 'one/calc-7.traj');
  symlinkSync(dirname(path), join(home, 'link'));
  await score([path]);
  await score([join(home, 'link/calc-7.traj')]);
  await score([relative(process.cwd(), path)]);
  expect(await collect(store.readSessions())).toHaveLength(1);
});

it('takes the task type of a source for sessions of that source only', async () => {
  const paths = [put(TRAJECTORY, 'one/calc-7.traj')];
  const id = String((await score(paths)).rows[0]?.session_id);
  const other = join(home, 'other.jsonl');
  const line = (record: object) => `${JSON.stringify({ session_id: id, ...record })}\n`;
  writeFileSync(
    other,
    line({ type: 'session' }) + line({ type: 'user', text: 'Hi' }) + line({ type: 'reply', text: 'Hello' }),
  );
  const { rows } = await score([...paths, other], { taskTypeOf: { neutral: 'research' } });
  const types = rows.map(({ source, task_type }) => `${source} ${task_type}`);
  expect(types.filter((type) => type.endsWith('research'))).toEqual(['neutral research']);
});

it('attaches nothing to a transcript that gives as its id the key of another session', async () => {
  const mine = put(TRAJECTORY, 'one/calc-7.traj');
  const [row] = (await score([mine])).rows;
  const key = String(row?.session_key);
  const claim = join(home, 'claim.jsonl');
  const line = { type: 'user', uuid: 'f1', sessionId: key, timestamp: '2026-01-01T00:00:00Z' };
  writeFileSync(claim, `${JSON.stringify({ ...line, message: { role: 'user', content: 'Say hello.' } })}\n`);
  const outcomes = labels('outcomes.csv', `session_id,outcome\n${key},1\n`);
  const plain = await score([mine, claim]);
  const { rows, unjoined } = await score([mine, claim], { outcomes });
  expect(rows).toEqual(plain.rows);
  expect(unjoined).toEqual([{ sessionId: key, sessions: 2 }]);
  expect((await explainSession({ ...at(mine, claim), id: key }, ports)).file.path).toBe(mine);
  const { sessions } = await sampleSessions(at(mine, claim), ports);
  expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(2);
});

it('takes the session_key of a sheet over what its id could mean, and the id where the transcripts have moved', async () => {
  const paths = [put(TRAJECTORY, 'one/calc-7.traj'), put(TRAJECTORY, 'two/calc-7.traj')];
  const [first, second] = (await score(paths)).rows;
  const sheet = [first, second].map((row, i) => `${row?.session_id},${row?.session_key},${i}`);
  const both = labels('both.csv', ['session_id,session_key,outcome', ...sheet].join('\n'));
  const joined = await score(paths, { outcomes: both });
  expect(joined.unjoined).toEqual([]);
  expect(Number(joined.rows[1]?.outcome)).toBeGreaterThan(Number(joined.rows[0]?.outcome));
  // Of one of them only: a label for one session does not apply to the other.
  const only = await score([String(paths[0])], { outcomes: both });
  expect(only.rows[0]?.outcome).toBe(joined.rows[0]?.outcome);
  const moved = labels('moved.csv', `session_id,session_key,outcome\n${first?.session_id},gone,1\n`);
  const found = await score([String(paths[0])], { outcomes: moved });
  expect(found.rows[0]?.outcome).toBe(joined.rows[1]?.outcome);
  expect((await score(paths, { outcomes: moved })).unjoined).toEqual([
    { sessionId: first?.session_id, sessions: 2 },
  ]);
});
