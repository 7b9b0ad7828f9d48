/** A run is one row, so that it is there whole or not at all: its metrics as a map, its cases as a list. */
import type { Measurement } from '../../measure/metric.ts';
import { contentHash } from '../canonical.ts';
import { type CheckedRun, RUN_FIELDS, type RunHeader } from '../run-fields.ts';
import type {
  Appended,
  CaseResult,
  RunQuery,
  RunRecord,
  RunSummary,
  SeriesPoint,
  SeriesQuery,
} from '../store.ts';
import type { Connection, RowValues } from './connection.ts';
import { appendRows, limitOf, narrowByTime } from './keyed-records.ts';
import { columnName, damaged, fromRow, readJson, toValues } from './table.ts';
import { Where } from './where.ts';

const HEADER = RUN_FIELDS.map(({ name }) => columnName(name));
const COLUMNS = [...HEADER, 'metrics', 'cases', 'case_count', 'has_errors', 'content_hash'];

export async function appendRuns(
  connection: Connection,
  runs: readonly { readonly run: CheckedRun; readonly caseCount: number }[],
): Promise<Appended> {
  return appendRows(
    connection,
    'run',
    COLUMNS,
    runs.map(({ run, caseCount }) => rowOf(run, caseCount)),
  );
}

function rowOf(run: CheckedRun, caseCount: number): RowValues {
  const texts: string[] = [];
  let hasErrors = 0;
  const cases = passing(run.cases, (one) => {
    texts.push(JSON.stringify(one));
    if (one.error !== undefined) hasErrors = 1;
  });
  const hash = contentHash({ ...run, cases });
  const metrics = Object.fromEntries(
    Object.entries(run.metrics).map(([name, measurement]) => [name, JSON.stringify(measurement)]),
  );
  return [...toValues(RUN_FIELDS, run), metrics, texts, caseCount, hasErrors, hash];
}

function* passing<T>(items: Iterable<T>, look: (item: T) => void): Generator<T> {
  for (const item of items) {
    look(item);
    yield item;
  }
}

export async function listRuns(connection: Connection, query: RunQuery): Promise<RunSummary[]> {
  const where = runWhere(query);
  const sql = `SELECT ${HEADER.join(', ')}, metrics, case_count FROM run FINAL${where.sql}
    ORDER BY at DESC, run_id DESC${limitOf(query.limit)}`;
  const rows = await connection.all(sql, where.values);
  return rows.map((row) => ({
    ...headerOf(connection, row),
    metrics: metricsOf(connection, row[HEADER.length]),
    caseCount: Number(row[HEADER.length + 1]),
  }));
}

export async function readRun(connection: Connection, runId: string): Promise<RunRecord | undefined> {
  return firstRun(connection, new Where().and('run_id = ?', 'String', runId));
}

export async function latestRun(connection: Connection, query: RunQuery): Promise<RunRecord | undefined> {
  limitOf(query.limit);
  return query.limit === 0 ? undefined : firstRun(connection, runWhere(query));
}

async function firstRun(connection: Connection, where: Where): Promise<RunRecord | undefined> {
  return (await readRuns(connection, where, 1))[0];
}

/** Whole, newest first. */
export async function readRuns(connection: Connection, where: Where, limit?: number): Promise<RunRecord[]> {
  const sql = `SELECT ${HEADER.join(', ')}, metrics, cases, content_hash FROM run FINAL${where.sql}
    ORDER BY at DESC, run_id DESC${limitOf(limit)}`;
  return (await connection.all(sql, where.values)).map((row) => runOf(connection, row));
}

function runOf(connection: Connection, row: RowValues): RunRecord {
  const [metrics, cases, hash] = row.slice(HEADER.length);
  const run = {
    ...headerOf(connection, row),
    metrics: metricsOf(connection, metrics),
    cases: (cases as readonly string[]).map(
      (text) => readJson(connection.place, 'run', 'cases', text) as CaseResult,
    ),
  };
  if (contentHash(run) !== hash) throw damaged(connection.place, 'run', 'contentHash');
  return run;
}

export async function series(connection: Connection, query: SeriesQuery): Promise<SeriesPoint[]> {
  const where = runWhere(query).and('mapContains(metrics, ?)', 'String', query.metric);
  const sql = `SELECT ${HEADER.join(', ')}, metrics FROM run FINAL${where.sql}
    ORDER BY at DESC, run_id DESC${limitOf(query.limit)}`;
  const rows = await connection.all(sql, where.values);
  return rows.toReversed().map((row) => {
    const { runId, at, subject, scorer, truthHash } = headerOf(connection, row);
    const measurement = metricsOf(connection, row[HEADER.length])[query.metric];
    if (measurement === undefined) throw damaged(connection.place, 'run', 'metrics');
    return { runId, at, subject, scorer, truthHash, measurement };
  });
}

function runWhere(query: RunQuery): Where {
  const where = new Where();
  narrowByTime(where, { ...query, order: 'newest' }, 'run_id');
  return where
    .and('instrument = ?', 'String', query.instrument)
    .and('subject = ?', 'String', query.subject)
    .and('scorer = ?', 'String', query.scorer)
    .and('truth_hash = ?', 'String', query.truthHash)
    .when(query.withoutErrors === true, 'has_errors = 0');
}

function headerOf({ place }: Connection, row: RowValues): RunHeader {
  return fromRow<RunHeader>(place, 'run', RUN_FIELDS, row);
}

function metricsOf({ place }: Connection, metrics: unknown): Readonly<Record<string, Measurement>> {
  const entries = Object.entries(metrics as Readonly<Record<string, string>>);
  return Object.fromEntries(
    entries.map(([name, text]) => [name, readJson(place, 'run', 'metrics', text) as Measurement]),
  );
}
