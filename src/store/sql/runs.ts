/** Questions about runs. A run is one row: its metrics and its cases are JSON. */
import type { Measurement } from '../../measure/metric.ts';
import { contentHash } from '../canonical.ts';
import type { CheckedRun, RunHeader } from '../run-fields.ts';
import type { CaseResult, RunQuery, RunRecord, RunSummary, SeriesPoint, SeriesQuery } from '../store.ts';
import { type Engine, type Row, Where } from './engine.ts';
import { limitOf, narrowByTime } from './records.ts';
import { columnsOf, damaged, fromRow, parseJson, RUN, toValues } from './tables.ts';

const SUMMARY_COLUMNS = columnsOf(RUN.fields);
const WIDTH = RUN.fields.length;
/** In the order of `runValues`. */
export const RUN_COLUMNS = `${SUMMARY_COLUMNS}, cases, content_hash`;

type RunRow = RunHeader & {
  readonly metrics: Readonly<Record<string, Measurement>>;
  readonly caseCount: number;
  readonly hasErrors: number;
};

export type RunValues = {
  readonly columns: readonly (string | number | null)[];
  readonly cases: string;
  readonly hash: string;
};

/** The cases can be read once: they are checked, hashed and written as they pass by. */
export function runValues({ run, caseCount }: { run: CheckedRun; caseCount: number }): RunValues {
  const texts: string[] = [];
  let hasErrors = 0;
  const cases = passing(run.cases, (one) => {
    texts.push(JSON.stringify(one));
    if (one.error !== undefined) hasErrors = 1;
  });
  const hash = contentHash({ ...run, cases });
  return {
    columns: toValues(RUN.fields, { ...run, caseCount, hasErrors }),
    cases: `[${texts.join(',')}]`,
    hash,
  };
}

function* passing<T>(items: Iterable<T>, look: (item: T) => void): Generator<T> {
  for (const item of items) {
    look(item);
    yield item;
  }
}

export async function listRuns(engine: Engine, query: RunQuery): Promise<RunSummary[]> {
  const where = runWhere(engine, query);
  const rows = await engine.all(selectRuns(engine, SUMMARY_COLUMNS, where, query.limit), where.values);
  return rows.map((row) => summaryOf(engine, row));
}

export async function latestRun(engine: Engine, query: RunQuery): Promise<RunRecord | undefined> {
  limitOf(query.limit);
  if (query.limit === 0) return undefined;
  return (await readRuns(engine, runWhere(engine, query), 1))[0];
}

/** Whole, newest first. */
export async function readRuns(engine: Engine, where: Where, limit?: number): Promise<RunRecord[]> {
  const rows = await engine.all(selectRuns(engine, RUN_COLUMNS, where, limit), where.values);
  return rows.map((row) => runOf(engine, row));
}

export async function readRun(engine: Engine, runId: string): Promise<RunRecord | undefined> {
  return (await readRuns(engine, new Where(engine.dialect).and('run_id = ?', runId), 1))[0];
}

export async function series(engine: Engine, query: SeriesQuery): Promise<SeriesPoint[]> {
  limitOf(query.limit);
  const most = query.limit ?? Number.POSITIVE_INFINITY;
  const where = runWhere(engine, query);
  const points: SeriesPoint[] = [];
  if (most === 0) return points;
  for await (const row of engine.iterate(
    selectRuns(engine, SUMMARY_COLUMNS, where, undefined),
    where.values,
  )) {
    const { runId, at, subject, scorer, truthHash, metrics } = summaryOf(engine, row);
    if (!Object.hasOwn(metrics, query.metric)) continue;
    const measurement = metrics[query.metric] as Measurement;
    points.push({ runId, at, subject, scorer, truthHash, measurement });
    if (points.length === most) break;
  }
  return points.reverse();
}

function selectRuns({ dialect }: Engine, columns: string, where: Where, limit: number | undefined): string {
  return `SELECT ${columns} FROM ${dialect.current('run')}${where.sql} ORDER BY at DESC, run_id DESC${limitOf(limit)}`;
}

function runWhere({ dialect }: Engine, query: RunQuery): Where {
  const where = new Where(dialect)
    .and('instrument = ?', query.instrument)
    .and('subject = ?', query.subject)
    .and('scorer = ?', query.scorer)
    .and('truth_hash = ?', query.truthHash)
    .when(query.withoutErrors === true, 'has_errors = 0');
  return narrowByTime(where, { ...query, order: 'newest' }, 'run_id');
}

function summaryOf({ address }: Engine, row: Row): RunSummary {
  const { hasErrors: _, ...summary } = fromRow<RunRow>(address, RUN, row);
  return summary;
}

function runOf(engine: Engine, row: Row): RunRecord {
  const { address, dialect } = engine;
  const [cases, hash] = row.slice(WIDTH);
  const { caseCount: _, ...header } = summaryOf(engine, row);
  const text = dialect.unpack(cases);
  if (text === undefined) throw damaged(address, RUN.name, 'cases');
  const run = { ...header, cases: parseJson(address, RUN.name, 'cases', text) as CaseResult[] };
  if (contentHash(run) !== hash) throw damaged(address, RUN.name, 'contentHash');
  return run;
}
