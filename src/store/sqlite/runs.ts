import type { SQLInputValue } from 'node:sqlite';
import { AssayError } from '../../errors.ts';
import type { Estimate, Measurement } from '../../measure/metric.ts';
import { contentHash } from '../canonical.ts';
import { checkLimit, checkPeriod, checkPosition } from '../query.ts';
import {
  CASE_FIELDS,
  type CaseHeader,
  type CheckedRun,
  ESTIMATE_FIELDS,
  RUN_FIELDS,
  type RunHeader,
} from '../run-fields.ts';
import type {
  Appended,
  CaseResult,
  RunQuery,
  RunRecord,
  RunSummary,
  SeriesPoint,
  SeriesQuery,
} from '../store.ts';
import { defineChecksum } from './checksum.ts';
import type { Connection, SqlRow } from './connection.ts';
import { assertSame } from './keyed-records.ts';
import { columnName, damaged, defineTable, fromRow, insertInto, toValues, Where } from './table.ts';

const RUNS = defineTable('run', RUN_FIELDS);
const CASES = defineTable('run_case', CASE_FIELDS);
const MEASUREMENTS = defineTable('measurement', ESTIMATE_FIELDS);

const INSERT_RUN = insertInto(RUNS, ['case_count', 'content_hash', 'checksum'], 'run_id');
const INSERT_CASE = insertInto(CASES, ['run', 'case_no']);
const OF_MEASUREMENT = ['run', 'case_no', 'metric', 'reason'];
const INSERT_MEASUREMENT = insertInto(MEASUREMENTS, ['checksum', ...OF_MEASUREMENT]);
const SELECT_MEASUREMENT = `SELECT ${OF_MEASUREMENT.join(', ')}, ${MEASUREMENTS.columns}, checksum FROM measurement`;

const runChecksum = defineChecksum([
  ...RUNS.fields.map(({ name }) => columnName(name)),
  'id',
  'case_count',
  'content_hash',
]);
const measurementChecksum = defineChecksum([
  ...OF_MEASUREMENT,
  ...MEASUREMENTS.fields.map(({ name }) => columnName(name)),
]);

const RUN_WIDTH = RUNS.fields.length;
/** Beside the fields of a run: its number, how many cases it has, and both checks. */
const OWN_COLUMNS = 4;
const SELECT_RUN = `SELECT ${RUNS.columns}, id, case_count, content_hash, checksum FROM run`;

/** The number of "case" under which the measurements of the run as a whole are filed. */
const WHOLE_RUN = 0;

/** Inside a transaction, which a case that cannot be kept undoes. */
export function appendRuns(
  connection: Connection,
  runs: readonly { readonly run: CheckedRun; readonly caseCount: number }[],
): Appended {
  let added = 0;
  for (const { run, caseCount } of runs) {
    // The hash is known when all cases have gone by.
    const { changes, id } = connection.run(INSERT_RUN, [caseCount, '', 0, ...toValues(RUNS, run)]);
    if (changes === 0) {
      assertSame(connection, 'run', 'run_id', run.runId, contentHash(run));
      continue;
    }
    added += 1;
    addMeasurements(connection, id, WHOLE_RUN, run.metrics);
    const hash = contentHash({ ...run, cases: addCases(connection, id, run.cases) });
    const checksum = runChecksum([...toValues(RUNS, run), id, caseCount, hash]);
    connection.run('UPDATE run SET content_hash = ?, checksum = ? WHERE id = ?', [hash, checksum, id]);
  }
  return { added, known: runs.length - added };
}

/** Each case goes into the store as it passes by. */
function* addCases(connection: Connection, run: number, cases: Iterable<CaseResult>): Generator<CaseResult> {
  let caseNo = 0;
  for (const item of cases) {
    caseNo += 1;
    connection.run(INSERT_CASE, [run, caseNo, ...toValues(CASES, item)]);
    addMeasurements(connection, run, caseNo, item.metrics);
    yield item;
  }
}

function addMeasurements(
  connection: Connection,
  run: number,
  caseNo: number,
  metrics: Readonly<Record<string, Measurement>>,
): void {
  for (const [metric, measurement] of Object.entries(metrics)) {
    const reason = measurement.measured ? null : measurement.reason;
    const values = [run, caseNo, metric, reason, ...toValues(MEASUREMENTS, measurement)];
    connection.run(INSERT_MEASUREMENT, [measurementChecksum(values), ...values]);
  }
}

export function listRuns(connection: Connection, query: RunQuery): RunSummary[] {
  return selectRuns(connection, query, checkLimit(query.limit)).map((row) => {
    const { id, caseCount } = ownColumns(connection, row);
    const metrics = readMetrics(connection, id, WHOLE_RUN).get(WHOLE_RUN) ?? {};
    return { ...fromRow<RunHeader>(connection, RUNS, row), metrics, caseCount };
  });
}

export function readRun(connection: Connection, runId: string): RunRecord | undefined {
  const row = connection.get(`${SELECT_RUN} WHERE run_id = ?`, [runId]);
  return row && toRun(connection, row);
}

export function latestRun(connection: Connection, query: RunQuery): RunRecord | undefined {
  const row = selectRuns(connection, query, checkLimit(query.limit) === 0 ? 0 : 1)[0];
  return row && toRun(connection, row);
}

export function series(connection: Connection, query: SeriesQuery): SeriesPoint[] {
  const where = runWhere(query).and('metric = ?', query.metric);
  // CROSS JOIN keeps SQLite from starting at the measurements: the runs come in order from their index.
  const sql = `
    SELECT ${RUNS.columns}, id, case_count, content_hash, run.checksum,
      ${OF_MEASUREMENT.join(', ')}, ${MEASUREMENTS.columns}, measurement.checksum
    FROM run CROSS JOIN measurement ON measurement.run = run.id AND case_no = ${WHOLE_RUN}
    ${where.sql} ORDER BY at DESC, run_id DESC LIMIT ?`;
  const rows = connection.all(sql, [...where.values, checkLimit(query.limit) ?? -1]);
  return rows.toReversed().map((row) => {
    const header = row.slice(0, RUN_WIDTH + OWN_COLUMNS);
    ownColumns(connection, header);
    const { runId, at, subject, scorer, truthHash } = fromRow<RunHeader>(connection, RUNS, header);
    const { measurement } = toMeasurement(connection, row.slice(RUN_WIDTH + OWN_COLUMNS));
    return { runId, at, subject, scorer, truthHash, measurement };
  });
}

function selectRuns(connection: Connection, query: RunQuery, limit: number | undefined): readonly SqlRow[] {
  const where = runWhere(query);
  const sql = `${SELECT_RUN}${where.sql} ORDER BY at DESC, run_id DESC LIMIT ?`;
  return connection.all(sql, [...where.values, limit ?? -1]);
}

function runWhere(query: RunQuery): Where {
  const { since, until } = checkPeriod(query);
  const where = new Where();
  if (query.after !== undefined) {
    const { at, key } = checkPosition(query.after);
    where.andAll('(at, run_id) < (?, ?)', [at, key]);
  }
  return where
    .and('at >= ?', since)
    .and('at < ?', until)
    .and('instrument = ?', query.instrument)
    .and('subject = ?', query.subject)
    .and('scorer = ?', query.scorer)
    .and('truth_hash = ?', query.truthHash)
    .inProjects('project', query.inProjects)
    .when(
      query.withoutErrors === true,
      'NOT EXISTS (SELECT 1 FROM run_case WHERE run_case.run = run.id AND error IS NOT NULL)',
    );
}

function toRun(connection: Connection, row: SqlRow): RunRecord {
  const { id, caseCount, hash } = ownColumns(connection, row);
  const metrics = readMetrics(connection, id);
  const run = {
    ...fromRow<RunHeader>(connection, RUNS, row),
    metrics: metrics.get(WHOLE_RUN) ?? {},
    cases: readCases(connection, id, metrics),
  };
  if (run.cases.length !== caseCount || contentHash(run) !== hash) throw damagedRun(connection, row);
  return run;
}

function ownColumns(connection: Connection, row: SqlRow): { id: number; caseCount: number; hash: unknown } {
  const [id, caseCount, hash, checksum] = row.slice(RUN_WIDTH);
  if (typeof id !== 'number' || typeof caseCount !== 'number' || checksum !== runChecksum(row.slice(0, -1)))
    throw damagedRun(connection, row);
  return { id, caseCount, hash };
}

type Metrics = Readonly<Record<string, Measurement>>;

function readCases(connection: Connection, run: number, metrics: ReadonlyMap<number, Metrics>): CaseResult[] {
  const sql = `SELECT ${CASES.columns} FROM run_case WHERE run = ? ORDER BY case_no`;
  return connection.all(sql, [run]).map((row, i) => {
    return { ...fromRow<CaseHeader>(connection, CASES, row), metrics: metrics.get(i + 1) ?? {} };
  });
}

/** The measurements of a run by case number. */
function readMetrics(connection: Connection, run: number, caseNo?: number): ReadonlyMap<number, Metrics> {
  const only = caseNo === undefined ? '' : ' AND case_no = ?';
  const sql = `${SELECT_MEASUREMENT} WHERE run = ?${only}`;
  const values: SQLInputValue[] = caseNo === undefined ? [run] : [run, caseNo];
  const entries = new Map<number, [string, Measurement][]>();
  for (const row of connection.all(sql, values)) {
    const { caseNo: number, metric, measurement } = toMeasurement(connection, row);
    const list = entries.get(number) ?? [];
    list.push([metric, measurement]);
    entries.set(number, list);
  }
  return new Map([...entries].map(([number, list]) => [number, Object.fromEntries(list)]));
}

type FiledMeasurement = {
  readonly caseNo: number;
  readonly metric: string;
  readonly measurement: Measurement;
};

/** From the columns of `SELECT_MEASUREMENT`. */
function toMeasurement(connection: Connection, row: SqlRow): FiledMeasurement {
  const [, caseNo, metric, reason, ...estimate] = row;
  const isWhole = row.at(-1) === measurementChecksum(row.slice(0, -1));
  if (typeof caseNo !== 'number' || typeof metric !== 'string' || !isWhole)
    throw damaged(connection, 'measurement', 'checksum');
  if (typeof reason === 'string') return { caseNo, metric, measurement: { measured: false, reason } };
  const values = fromRow<Omit<Estimate, 'measured'>>(connection, MEASUREMENTS, estimate);
  return { caseNo, metric, measurement: { measured: true, ...values } };
}

function damagedRun(connection: Connection, [runId]: SqlRow): AssayError {
  const named = JSON.stringify(String(runId));
  const message = `${connection.path} is damaged: the run ${named} is not what was stored`;
  return new AssayError('STORE_CORRUPT', message, {
    remedy: 'Take the store from a backup, or move it aside; a new store is made on the next run.',
  });
}

/** Of rows from before there were checksums: they are taken as they are. A table without rows may lack columns of today. */
export function addRunChecksums(connection: Connection): void {
  if (connection.get('SELECT 1 FROM run LIMIT 1') === undefined) return;
  for (const row of connection.all(SELECT_RUN)) {
    const id = row[RUN_WIDTH] ?? null;
    connection.run('UPDATE run SET checksum = ? WHERE id = ?', [runChecksum(row.slice(0, -1)), id]);
    for (const one of connection.all(`${SELECT_MEASUREMENT} WHERE run = ?`, [id]))
      connection.run('UPDATE measurement SET checksum = ? WHERE run = ? AND case_no = ? AND metric = ?', [
        measurementChecksum(one.slice(0, -1)),
        ...one.slice(0, 3),
      ]);
  }
}

/** Runs deleted in one transaction. */
const PRUNED_AT_ONCE = 100;

/** One step of a pruning, inside a transaction: how many runs went, with their cases. */
export function pruneRuns(connection: Connection, before: string): number {
  const old = connection.all(`SELECT id FROM run WHERE at < ? LIMIT ${PRUNED_AT_ONCE}`, [before]);
  for (const [id = null] of old) {
    connection.run('DELETE FROM measurement WHERE run = ?', [id]);
    connection.run('DELETE FROM run_case WHERE run = ?', [id]);
    connection.run('DELETE FROM run WHERE id = ?', [id]);
  }
  return old.length;
}
