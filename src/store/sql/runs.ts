/** Questions about runs. A run is one row, so that it is there whole or not at all. */
import { hash as digest } from 'node:crypto';
import { canonicalJson } from '../canonical.ts';
import type { CaseResult, RunQuery, RunRecord, RunSummary } from '../store.ts';
import { type Engine, type Row, Where } from './engine.ts';
import { limitOf, narrowByTime } from './records.ts';
import { damaged, parseJson, RUN, recordColumns, recordOf, valuesOf } from './tables.ts';

const SUMMARY_COLUMNS = recordColumns(RUN);
/** In the order of `runValues`. */
export const RUN_COLUMNS = `${SUMMARY_COLUMNS}, cases`;

/** What is stored of a run apart from its cases. */
type RunBody = RunSummary & { readonly hasErrors: boolean; readonly casesHash: string };

export function runValues({ cases, ...run }: RunRecord): { values: (string | null)[]; cases: string } {
  const text = canonicalJson(cases);
  const hasErrors = cases.some(({ error }) => error !== undefined);
  const body: RunBody = { ...run, caseCount: cases.length, hasErrors, casesHash: digest('sha256', text) };
  return { values: valuesOf(RUN, body), cases: text };
}

export async function listRuns(engine: Engine, query: RunQuery): Promise<RunSummary[]> {
  const where = runWhere(engine, query);
  const rows = await engine.all(selectRuns(engine, SUMMARY_COLUMNS, where, query.limit), where.values);
  return rows.map((row) => summaryOf(engine, row));
}

/** Whole, newest first. */
export async function readRuns(engine: Engine, where: Where, limit?: number): Promise<RunRecord[]> {
  const rows = await engine.all(selectRuns(engine, RUN_COLUMNS, where, limit), where.values);
  return rows.map((row) => runOf(engine, row));
}

export async function readRun(engine: Engine, runId: string): Promise<RunRecord | undefined> {
  return (await readRuns(engine, new Where(engine.dialect).and('run_id = ?', runId), 1))[0];
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
  const { hasErrors: _, casesHash: __, ...summary } = recordOf<RunBody>(address, RUN, row);
  return summary;
}

function runOf({ address, dialect }: Engine, row: Row): RunRecord {
  const { caseCount: _, hasErrors: __, casesHash, ...run } = recordOf<RunBody>(address, RUN, row);
  const text = dialect.unpack(row.at(-1));
  if (text === undefined || digest('sha256', text) !== casesHash) throw damaged(address, RUN.name, 'cases');
  return { ...run, cases: parseJson(address, RUN.name, 'cases', text) as unknown as CaseResult[] };
}
