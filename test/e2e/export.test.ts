/** What `assay export` writes, opened with the database that people open it with. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EXPORT_KINDS } from '../../src/operations/export/kinds.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import {
  alert,
  alertEvent,
  approval,
  at,
  auditEntry,
  decomposition,
  feedback,
  rating,
  run,
  session,
} from '../../src/store/testing/records.ts';
import { commandFolder } from '../command-folder.ts';
import { DUCKDB, fetchTools } from '../fetched-tools.ts';

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;
type DuckDb = {
  readonly DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{
        runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Row[] }>;
        closeSync(): void;
      }>;
      closeSync(): void;
    }>;
  };
};

const tools = fetchTools(DUCKDB);
const folder = commandFolder();
const SESSIONS = 2500;

/** The names in a question are relative to the folder of the export. */
async function ask(...questions: readonly string[]): Promise<Row[][]> {
  const place = join(tools ?? '', 'node_modules/@duckdb/node-api/lib/index.js');
  const { DuckDBInstance } = (await import(pathToFileURL(place).href)) as DuckDb;
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const answers: Row[][] = [];
  for (const sql of questions) {
    const there = sql.replaceAll("'assay-export/", `'${folder.path}/assay-export/`);
    answers.push((await connection.runAndReadAll(there)).getRowObjectsJson());
  }
  connection.closeSync();
  instance.closeSync();
  return answers;
}

const overall = (value: number) => ({
  'decomposition/overall': { measured: true as const, value, low: value - 0.1, high: value + 0.1, n: 4 },
  'decomposition/concept-recall': { measured: false as const, reason: 'no golden case' },
});

function sessionOf(index: number) {
  const start = new Date(Date.UTC(2026, 0, 1) + index * 60_000 + 7).toISOString();
  return session(`s${index}`, `r${index}`, {
    startedAt: start,
    model: index % 3 === 0 ? 'ä "quoted", odd' : 'big',
    project: index % 2 === 0 ? '=SUM(A1)' : 'two\nlines',
    ...(index % 2 === 0 ? {} : { q: index / SESSIONS, tier: 'good', costUsd: 0.25, outcome: 0.9 }),
    ...(index % 5 === 0 ? { costAtLeast: 1 } : {}),
    ...(index === 1 ? {} : index < 4 ? { parentSessionId: 's1' } : {}),
  });
}

async function fill(store: Store): Promise<void> {
  await store.appendSessions(Array.from({ length: SESSIONS }, (_, index) => sessionOf(index)));
  await store.appendSessions([session('undated', 'r', {})]);
  await store.appendRuns([
    run('one', { instrument: 'decomposition', at: at(1), metrics: overall(0.5) }),
    run('two', {
      instrument: 'decomposition',
      at: at(2),
      metrics: overall(0.75),
      cases: [
        {
          caseId: 'one',
          zone: 'fail',
          metrics: overall(0.25),
          baseline: { 'decomposition/overall': { measured: true, value: 1, n: 1 } },
        },
      ],
    }),
  ]);
  await store.appendRatings([
    rating('1', { kind: 'session', subjectId: 's1', author: 'ann', rating: 2, at: at(1) }),
    rating('2', { kind: 'session', subjectId: 's1', author: 'ann', rating: 4, at: at(2) }),
    rating('3', { kind: 'session', subjectId: 's1', author: 'bob', rating: 5, note: '+1' }),
  ]);
  await store.appendApprovals([approval('p')]);
  await store.appendAlerts([alert('seen'), alert('fresh', { severity: 'critical', at: at(3) })]);
  await store.appendAlertEvents([alertEvent('e', { alertId: 'seen', at: at(600) })]);
  await store.appendFeedback([feedback('f', { score: 4 })]);
  await store.appendAudit([auditEntry('audit', { status: 201 })]);
  await store.appendDecompositions([
    decomposition('d1', {
      latencyMs: 100,
      predicates: { IS_A: 2, CAUSES: 1 },
      confidence: { n: 2, sum: 1.5, bins: new Array<number>(20).fill(0).with(15, 2) },
      experiment: { id: 'x', arm: 'candidate', keyHash: 'k' },
    }),
    decomposition('d2', { status: 'error', errorKind: 'timeout' }),
  ]);
}

async function exported(...words: string[]): Promise<ReturnType<typeof folder.assay>> {
  const store = await openStore(join(folder.path, 'all.db'));
  await fill(store);
  await store.close();
  const [truth, runs] = ['truth/webhook-relay.yaml', 'runs/review-1'].map((path) =>
    resolve('examples/workflow', path),
  );
  await folder.assay('workflow', 'score', '--truth', `${truth}`, '--runs', `${runs}`, '--store', 'all.db');
  return folder.assay('export', '--store', 'all.db', '--format', 'json', ...words);
}

describe.skipIf(tools === undefined)('an export as Parquet, in DuckDB', () => {
  it('has the tables and columns of the page, in their order, with their types', async () => {
    const { status, stderr, stdout } = await exported();
    expect(status, stderr).toBe(0);
    const tables = EXPORT_KINDS.flatMap((kind) => kind.tables);
    const { files } = JSON.parse(stdout) as { files: { table: string; rows: number }[] };
    expect(files.map(({ table }) => table)).toEqual(tables.map(({ name }) => name));
    const page = readFileSync('docs/export.md', 'utf8');
    const types = { text: 'VARCHAR', number: 'DOUBLE', time: 'TIMESTAMP', flag: 'BOOLEAN' };
    for (const { name, columns, key } of tables) {
      const [described = [], [counts] = []] = await ask(
        `DESCRIBE SELECT * FROM 'assay-export/${name}.parquet'`,
        `SELECT count(*) AS rows, count(DISTINCT (${key.join(', ')})) AS keys FROM 'assay-export/${name}.parquet'`,
      );
      expect(described.map((one) => [one.column_name, one.column_type])).toEqual(
        columns.map((column) => [column.key, types[column.type]]),
      );
      const section = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
      expect([...section.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, one, type]) => [one, type])).toEqual(
        columns.map((column) => [column.key, column.type]),
      );
      const rows = String(files.find(({ table }) => table === name)?.rows);
      expect(counts, name).toEqual({ rows, keys: rows });
      expect(Number(rows), `${name} is empty, so nothing was tried`).toBeGreaterThan(0);
    }
  });

  it('holds what the store holds: counts, sums, times, and null for what is unmeasured', async () => {
    expect((await exported()).status).toBe(0);
    const [sessions, odd, metrics, cases, alerts, requests] = await ask(
      `SELECT count(*)::INT AS n, count(q)::INT AS measured, round(sum(q), 6) AS q, sum(cost_usd) AS cost,
         count(*) FILTER (WHERE q = 0)::INT AS zeros, min(epoch_ms(started_at))::DOUBLE AS first, count(started_at)::INT AS dated
       FROM 'assay-export/sessions.parquet'`,
      `SELECT model, project, q, cost_usd, cost_usd_is_lower_bound FROM 'assay-export/sessions.parquet'
       WHERE session_key IN ('s0', 's5', 's3') ORDER BY session_key`,
      `SELECT metric, value, n, reason FROM 'assay-export/run_metrics.parquet' WHERE run_id = 'two' ORDER BY metric`,
      `SELECT value, baseline_value FROM 'assay-export/case_metrics.parquet' WHERE metric = 'decomposition/overall'`,
      `SELECT alert_id, state, state_by FROM 'assay-export/alerts.parquet' ORDER BY alert_id`,
      `SELECT request_id, concepts, mean_confidence, arm FROM 'assay-export/production_requests.parquet' ORDER BY request_id`,
    );
    const measured = Array.from({ length: SESSIONS / 2 }, (_, half) => (2 * half + 1) / SESSIONS);
    expect(sessions).toEqual([
      {
        n: SESSIONS + 1,
        measured: SESSIONS / 2,
        q: Number(measured.reduce((sum, q) => sum + q, 0).toFixed(6)),
        cost: (SESSIONS / 2) * 0.25,
        zeros: 0,
        first: Date.UTC(2026, 0, 1) + 7,
        dated: SESSIONS,
      },
    ]);
    const unmeasured = { q: null, cost_usd: null, cost_usd_is_lower_bound: null };
    expect(odd).toEqual([
      { model: 'ä "quoted", odd', project: '=SUM(A1)', ...unmeasured },
      {
        model: 'ä "quoted", odd',
        project: 'two\nlines',
        q: 3 / SESSIONS,
        cost_usd: 0.25,
        cost_usd_is_lower_bound: false,
      },
      { model: 'big', project: 'two\nlines', q: 5 / SESSIONS, cost_usd: 0.25, cost_usd_is_lower_bound: true },
    ]);
    expect(metrics).toEqual([
      { metric: 'decomposition/concept-recall', value: null, n: null, reason: 'no golden case' },
      { metric: 'decomposition/overall', value: 0.75, n: 4, reason: null },
    ]);
    expect(cases).toEqual([{ value: 0.25, baseline_value: 1 }]);
    expect(alerts).toEqual([
      { alert_id: 'fresh', state: 'open', state_by: null },
      { alert_id: 'seen', state: 'acknowledged', state_by: 'somebody' },
    ]);
    expect(requests).toEqual([
      { request_id: 'd1', concepts: null, mean_confidence: 0.75, arm: 'candidate' },
      { request_id: 'd2', concepts: null, mean_confidence: null, arm: null },
    ]);
  });

  it('has files that can be asked where a store has nothing', async () => {
    expect((await folder.assay('store', 'migrate', '--store', 'none.db')).status).toBe(0);
    expect((await folder.assay('export', '--store', 'none.db', '--kind', 'sessions')).stdout).toContain(
      'no rows',
    );
    const [answer] = await ask("SELECT count(*)::INT AS n, avg(q) AS q FROM 'assay-export/sessions.parquet'");
    expect(answer).toEqual([{ n: 0, q: null }]);
  });

  it('answers every question of docs/sql.md', async () => {
    expect((await exported()).status).toBe(0);
    const page = readFileSync('docs/sql.md', 'utf8');
    const questions = [...page.matchAll(/^## (.+)\n[\s\S]*?```sql\n([\s\S]*?)```/gm)];
    expect(questions.length).toBeGreaterThanOrEqual(10);
    const answers = await ask(...questions.map(([, , sql = '']) => sql));
    const by = new Map(questions.map(([, title = ''], index) => [title, answers[index] ?? []]));
    for (const [title, rows] of by) expect(rows.length, `"${title}" finds nothing`).toBeGreaterThan(0);
    expect(by.get('Open alerts')).toMatchObject([{ severity: 'critical' }]);
    expect(by.get('The trend of the golden cases')).toMatchObject([
      { value: 0.5, change: null },
      { value: 0.75, change: 0.25 },
    ]);
    expect(by.get('Do raters agree?')).toMatchObject([
      { rater: 'ann', other_rater: 'bob', mean_distance: 1 },
    ]);
    expect(by.get('Outcomes')).toMatchObject([{ done: '1250', unknown: '1251' }]);
    expect(by.get('Cases that keep failing')).toContainEqual(
      expect.objectContaining({ case_id: 'one', failed: '1' }),
    );
    expect(by.get('Sessions with their sub-agents')).toMatchObject([
      { session_key: 's1', known_cost_usd: 0.5 },
    ]);
    expect(by.get('How long alerts stay unanswered')).toMatchObject([
      { fired: '2', answered: '1', median_minutes: 10 },
    ]);
  });
});

describe('assay export', () => {
  it('takes kinds and a period, and puts formulas out of action in CSV', async () => {
    const words = ['--as', 'csv', '--kind', 'sessions,ratings', '--since', '2026-01-01T00:01:00Z'];
    const { status, stdout, stderr } = await exported('numbers', ...words, '--until', '2026-01-01T00:05:00Z');
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'assay-export',
      as: 'csv',
      files: [
        { table: 'sessions', path: 'numbers/sessions.csv', rows: 4 },
        { table: 'ratings', path: 'numbers/ratings.csv', rows: 0 },
      ],
    });
    const csv = readFileSync(join(folder.path, 'numbers/sessions.csv'), 'utf8');
    expect(csv).toContain(",'=SUM(A1),");
    expect(csv).toContain(',two␊lines,');
  });

  it('says null of every column that a line of JSON has nothing for', async () => {
    expect((await exported('--as', 'jsonl', '--kind', 'sessions')).status).toBe(0);
    const lines = readFileSync(join(folder.path, 'assay-export/sessions.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(SESSIONS + 1);
    const keys = EXPORT_KINDS[0]?.tables[0]?.columns.map(({ key }) => key);
    for (const line of lines) expect(Object.keys(JSON.parse(line))).toEqual(keys);
    const undated = lines.map((line) => JSON.parse(line)).find((one) => one.session_key === 'undated');
    expect(undated).toMatchObject({ started_at: null, q: null, runs: 1, cost_usd_is_lower_bound: null });
  });
});
