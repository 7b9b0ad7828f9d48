/** Questions about runs. A run is one row, so that it is there whole or not at all. */
import { contentHash } from '../canonical.ts';
import type { CaseResult, RunQuery, RunRecord, RunSummary, SeriesPoint, SeriesQuery } from '../store.ts';
import { type Engine, type Row, Where } from './engine.ts';
import { limitOf, narrowByTime } from './records.ts';
import { bodyOf, damaged, isAsInColumns, parseJson, RUN, recordColumns, valuesOf } from './tables.ts';

const SUMMARY_COLUMNS = recordColumns(RUN);
/** In the order of `runValues`. */
export const RUN_COLUMNS = `${SUMMARY_COLUMNS}, cases`;

/** Its body is the run without its cases. */
type RunBody = RunSummary & { readonly hasErrors: boolean };

export function runValues({ cases, ...run }: RunRecord): { values: (string | null)[]; cases: string } {
  const hasErrors = cases.some(({ error }) => error !== undefined);
  const body: RunBody = { ...run, caseCount: cases.length, hasErrors };
  return { values: valuesOf(RUN, body, contentHash({ ...run, cases })), cases: JSON.stringify(cases) };
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
    const measurement = Object.hasOwn(metrics, query.metric) ? metrics[query.metric] : undefined;
    if (measurement === undefined) continue;
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
    .when(query.withoutErrors === true, "has_errors = 'false'");
  return narrowByTime(where, { ...query, order: 'newest' }, 'run_id');
}

function summaryOf({ address }: Engine, row: Row): RunSummary {
  const body = bodyOf<RunBody>(address, RUN, row);
  if (!isAsInColumns(RUN, body, row)) throw damaged(address, RUN.name, 'body');
  const { hasErrors: _, ...summary } = body;
  return summary;
}

function runOf(engine: Engine, row: Row): RunRecord {
  const { address, dialect } = engine;
  const [hash, cases] = row.slice(RUN.fields.length + 1);
  const { caseCount: _, ...header } = summaryOf(engine, row);
  const text = dialect.unpack(cases);
  if (text === undefined) throw damaged(address, RUN.name, 'cases');
  const run = { ...header, cases: parseJson(address, RUN.name, 'cases', text) as unknown as CaseResult[] };
  if (contentHash(run) !== hash) throw damaged(address, RUN.name, 'contentHash');
  return run;
}
