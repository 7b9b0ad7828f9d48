/**
 * The columns of a session, each declared once. The output of `sessions score`, the columns of the store and the types
 * of both derive from this list. Joins and spreadsheets rely on order and names, so new columns go to the end.
 *
 *  A new column is one entry here and, when it is stored, one numbered step in the migrations of each backend.
 */
import { type CamelCase, camelCase } from '../letter-case.ts';
import { LOW_COVERAGE } from '../measure/confidence.ts';
import type { SuccessChance } from './calibration/success-model.ts';
import type { AgentRunFacts, SessionFacts } from './evidence.ts';
import type { ModelOpinion } from './model-judge/model-opinion.ts';
import { linesFromTranscript } from './outcomes/work-outcome.ts';
import type { TaskType } from './profiles/task-type.ts';
import { seenIn } from './receipts.ts';
import { keyOfSession } from './session-key.ts';
import { skippedLines } from './skipped-lines.ts';
import type { FullSession } from './stored-session.ts';
import { isoTime } from './time-zone.ts';
import type { Verified } from './verified.ts';

/** The input of a row. */
type ColumnSource = Pick<FullSession, 'session' | 'facts' | 'file'>;

type ColumnValue = string | number | boolean | undefined;

export type SessionColumn = {
  /** The printed and stored name; a stored row in memory has it in camel case. */
  readonly key: string;
  /** A time is stored and printed as `Date.toISOString` writes it. */
  readonly type: 'text' | 'number' | 'time' | 'flag';
  /** The cell style in reports. */
  readonly style: 'text' | 'name' | 'count' | 'score' | 'usd';
  /** Every session has it; without this it may be unmeasured. */
  readonly required?: true;
  /** Every scored session has it; a row from elsewhere may not. */
  readonly storedLater?: true;
  readonly doc: string;
  /** Its value in the store; absent for a column that is only printed, because it is derived from stored ones. */
  readonly read?: (one: ColumnSource) => ColumnValue;
  /** Words that a printed row has in place of a number. */
  readonly words?: readonly string[];
  /** The printed value, where it differs from the stored one. */
  readonly print?: (row: ColumnsAtPrint, more: PrintedWith) => ColumnValue;
};

/** The stored values that computed columns need at print time. */
type ColumnsAtPrint = {
  readonly coverage: number;
  readonly tier?: string;
  readonly q?: number;
  readonly costUsd?: number;
  readonly costAtLeast?: number;
  readonly roi?: number;
};

/** Values of a printed row that are not in the stored row. */
export type PrintedWith = {
  /** Its cost with all the sessions below it. */
  readonly totalCostUsd?: number | undefined;
  readonly opinion?: ModelOpinion | undefined;
  readonly chance?: SuccessChance | undefined;
};

export const SESSION_COLUMNS = [
  {
    key: 'session_id',
    type: 'text',
    style: 'name',
    required: true,
    doc: 'Id of the session, from its agent',
    read: ({ session }) => session.sessionId,
  },
  {
    key: 'parent_session_id',
    type: 'text',
    style: 'name',
    doc: 'The session that started this one',
    read: ({ session }) => session.parentSessionId,
  },
  {
    key: 'source',
    type: 'text',
    style: 'text',
    required: true,
    doc: 'Format that was read',
    read: ({ session }) => session.source,
  },
  {
    key: 'agent',
    type: 'text',
    style: 'text',
    doc: 'Agent or role, where the format names one',
    read: ({ session }) => session.agent,
  },
  {
    key: 'task_type',
    type: 'text',
    style: 'text',
    required: true,
    doc: 'Kind of work, which decides the weights',
    read: ({ session }) => session.taskType,
  },
  {
    key: 'model',
    type: 'text',
    style: 'name',
    doc: 'Model that wrote most messages',
    read: ({ session }) => session.model,
  },
  {
    key: 'started_at',
    type: 'time',
    style: 'text',
    doc: 'First recorded time, UTC',
    read: ({ session }) => isoTime(session.startedAt),
  },
  {
    key: 'ended_at',
    type: 'time',
    style: 'text',
    doc: 'Last recorded time, UTC',
    read: ({ session }) => isoTime(session.endedAt),
  },
  {
    key: 'q',
    type: 'number',
    style: 'score',
    doc: 'Quality, 0–1',
    read: ({ session }) => session.q,
  },
  {
    key: 'tier',
    type: 'text',
    style: 'text',
    doc: 'Excellent, good, acceptable, poor or failed',
    read: ({ session }) => session.tier,
  },
  {
    key: 'special_case',
    type: 'text',
    style: 'text',
    doc: 'Why Q is fixed instead of the weighted sum',
    read: ({ session }) => session.specialCase,
  },
  {
    key: 'completion',
    type: 'number',
    style: 'score',
    doc: 'Was the work finished? 0–1',
    read: ({ session }) => session.categories.completion,
  },
  {
    key: 'execution',
    type: 'number',
    style: 'score',
    doc: 'Did the steps work? 0–1',
    read: ({ session }) => session.categories.execution,
  },
  {
    key: 'efficiency',
    type: 'number',
    style: 'score',
    doc: 'Was the effort in proportion? 0–1',
    read: ({ session }) => session.categories.efficiency,
  },
  {
    key: 'outcome',
    type: 'number',
    style: 'score',
    doc: 'Did it change what it should? 0–1',
    read: ({ session }) => session.categories.outcome,
  },
  {
    key: 'coverage',
    type: 'number',
    style: 'score',
    required: true,
    doc: 'Share of the weight that was measured',
    read: ({ session }) => session.coverage,
  },
  {
    key: 'input_tokens',
    type: 'number',
    style: 'count',
    doc: 'Input tokens that were not cached',
    read: ({ session }) => session.usage?.input,
  },
  {
    key: 'output_tokens',
    type: 'number',
    style: 'count',
    doc: 'Output tokens',
    read: ({ session }) => session.usage?.output,
  },
  {
    key: 'cache_read_tokens',
    type: 'number',
    style: 'count',
    doc: 'Tokens read from a cache',
    read: ({ session }) => session.usage?.cacheRead,
  },
  {
    key: 'cache_write_tokens',
    type: 'number',
    style: 'count',
    doc: 'Tokens written to a cache',
    read: ({ session }) => session.usage?.cacheWrite,
  },
  {
    key: 'turns',
    type: 'number',
    style: 'count',
    doc: 'Messages of the user, or of the trigger that started it',
    read: ({ session }) => session.turns,
  },
  {
    key: 'tool_calls',
    type: 'number',
    style: 'count',
    doc: 'Tool calls',
    read: ({ session }) => session.toolCalls,
  },
  {
    key: 'tool_errors',
    type: 'number',
    style: 'count',
    doc: 'Failed tool calls',
    read: ({ session }) => session.toolErrors,
  },
  {
    key: 'compactions',
    type: 'number',
    style: 'count',
    doc: 'How often the context was compacted',
    read: ({ session }) => session.compactions,
  },
  {
    key: 'cost_usd',
    type: 'number',
    style: 'usd',
    doc: 'Cost, as stated or from prices',
    read: ({ session }) => session.costUsd,
  },
  {
    key: 'roi',
    type: 'number',
    style: 'text',
    doc: 'Q per dollar; `free` where the cost is known to be 0',
    read: ({ session }) => (session.roi.measured ? session.roi.value : undefined),
    words: ['free'],
    print: ({ q, costUsd, roi }) => (q !== undefined && costUsd === 0 ? 'free' : roi),
  },
  {
    key: 'runs',
    type: 'number',
    style: 'count',
    required: true,
    doc: 'Runs in the session',
    read: ({ session }) => session.runs.length,
  },
  {
    key: 'skipped_lines',
    type: 'number',
    style: 'count',
    required: true,
    doc: 'Skipped lines of its file',
    read: ({ file }) => skippedLines(file),
  },
  {
    key: 'scorer_version',
    type: 'text',
    style: 'text',
    required: true,
    doc: 'Version of the scorer',
    read: ({ session }) => session.scorerVersion,
  },
  {
    key: 'confidence',
    type: 'text',
    style: 'text',
    required: true,
    doc: '`low` where less than half of the weights was measured, otherwise `normal`',
    print: ({ coverage }) => (coverage < LOW_COVERAGE ? 'low' : 'normal'),
  },
  {
    key: 'task_type_reason',
    type: 'text',
    style: 'text',
    required: true,
    storedLater: true,
    doc: 'Why it has this task type',
    read: ({ session }) => session.taskTypeReason,
  },
  {
    key: 'delegation_quality',
    type: 'number',
    style: 'score',
    doc: 'Share of its sub-agents that succeeded',
    read: ({ session }) => session.delegation.value,
  },
  {
    key: 'total_cost_usd',
    type: 'number',
    style: 'usd',
    doc: 'Cost including all its sub-agents; its own cost until theirs is known',
    print: (_, { totalCostUsd }) => totalCostUsd,
  },
  {
    key: 'weights',
    type: 'text',
    style: 'text',
    required: true,
    storedLater: true,
    doc: 'Weights it was scored with',
    read: ({ session }) => session.weights,
  },
  {
    key: 'baseline_set',
    type: 'text',
    style: 'text',
    doc: 'Baselines its effort was compared with',
    read: ({ session }) => session.baselineSet,
  },
  {
    key: 'prices',
    type: 'text',
    style: 'text',
    required: true,
    storedLater: true,
    doc: 'Prices its cost was computed with',
    read: ({ session }) => session.prices,
  },
  {
    key: 'path',
    type: 'text',
    style: 'name',
    required: true,
    storedLater: true,
    doc: 'File it was read from',
    read: ({ file }) => file.path,
  },
  {
    key: 'project',
    type: 'text',
    style: 'name',
    doc: 'Folder it worked in, or the project name from its agent',
    read: ({ facts }) => facts.project,
  },
  {
    key: 'session_key',
    type: 'text',
    style: 'name',
    required: true,
    doc: 'Unique key, even if other sessions have the same id: a hash of source, place and id',
    read: ({ facts, file }) => keyOfSession(facts, file),
  },
  {
    key: 'work',
    type: 'text',
    style: 'text',
    doc: 'Outcome of its work in its repository: on-default, committed, not-committed, too-young or nothing-written',
    read: ({ session }) => session.work?.state,
  },
  {
    key: 'judged_on',
    type: 'text',
    style: 'name',
    doc: 'Head of the default branch when the outcome was read',
    read: ({ session }) => session.work?.head,
  },
  {
    key: 'cost_usd_is_lower_bound',
    type: 'flag',
    style: 'text',
    doc: '`true`: it cost at least this, because the transcript under-reports output tokens',
    print: ({ costUsd, costAtLeast }) => (costUsd === undefined ? undefined : costAtLeast === 1),
  },
  {
    key: 'judge_rating',
    type: 'number',
    style: 'count',
    doc: 'Latest rating by a model, 1–5 (`sessions judge`); not part of Q',
    print: (_, { opinion }) => opinion?.rating,
  },
  {
    key: 'judged_by',
    type: 'text',
    style: 'name',
    doc: 'The model of that rating, with the name and hash of its rubric',
    print: (_, { opinion }) => opinion?.author,
  },
  {
    key: 'verified',
    type: 'text',
    style: 'text',
    required: true,
    storedLater: true,
    doc: 'Whether the result was verified: `yes` (a passing check after the last change, a merge, an acceptance), `no`, or `failed` (a failing check, a revert, a rejection)',
    read: ({ session }) => session.verified,
  },
  {
    key: 'checks_passed',
    type: 'number',
    style: 'count',
    doc: 'Checks that passed: tests, builds, types, linters, CI, runs of the changed program',
    read: ({ facts }) => total(facts, ({ checks }) => checks.passed),
  },
  {
    key: 'checks_failed',
    type: 'number',
    style: 'count',
    doc: 'Checks that failed',
    read: ({ facts }) => total(facts, ({ checks }) => checks.failed),
  },
  {
    key: 'checks_impossible',
    type: 'number',
    style: 'count',
    doc: 'Checks that could not run: a missing module, no network, a wrong folder',
    read: ({ facts }) => total(facts, ({ checks }) => checks.impossible),
  },
  {
    key: 'risky_actions',
    type: 'number',
    style: 'count',
    doc: 'Actions that discarded work, weakened tests, disabled checks or skipped hooks',
    read: ({ facts }) => total(facts, ({ risks = [] }) => risks.length),
  },
  {
    key: 'lines_written',
    type: 'number',
    style: 'count',
    doc: 'Lines that it wrote and left in files; with a repository, only new ones',
    read: ({ session, facts }) => session.work?.linesWritten ?? linesFromTranscript(facts).linesWritten,
  },
  {
    key: 'lines_committed',
    type: 'number',
    style: 'count',
    doc: 'Of these, the lines that were committed, according to its repository',
    read: ({ session }) => session.work?.linesCommitted,
  },
  {
    key: 'verify_result',
    type: 'text',
    style: 'text',
    doc: "Result of the project's own check on its commits (`sessions verify`): fixed, kept green, broke, still red or could not check",
    read: ({ session }) => session.verification?.result,
  },
  {
    key: 'corrections',
    type: 'number',
    style: 'count',
    doc: 'How often you corrected it: in words, by rejecting a call with a reason, by stopping it, by reporting a failure',
    read: ({ facts }) => total(facts, ({ corrections }) => corrections),
  },
  {
    key: 'interruptions',
    type: 'number',
    style: 'count',
    doc: 'How often you stopped it',
    read: ({ facts }) => total(facts, ({ interrupts }) => interrupts),
  },
  {
    key: 'rejected_calls',
    type: 'number',
    style: 'count',
    doc: 'Tool calls that you or a rule rejected',
    read: ({ facts }) => total(facts, ({ tools }) => tools.denied),
  },
  {
    key: 'headline',
    type: 'text',
    style: 'text',
    required: true,
    storedLater: true,
    doc: 'The most important fact, with the line that proves it',
    read: ({ session, facts }) => seenIn(session, facts).statements[0].text,
  },
  {
    key: 'p_success',
    type: 'number',
    style: 'score',
    doc: 'Chance that it succeeded, learned from sessions with a known outcome; empty with fewer than ten. Not part of Q',
    print: (_, { chance }) => chance?.p,
  },
  {
    key: 'p_success_low',
    type: 'number',
    style: 'score',
    doc: 'Lower end of its 95% interval',
    print: (_, { chance }) => chance?.low,
  },
  {
    key: 'p_success_high',
    type: 'number',
    style: 'score',
    doc: 'Upper end of its 95% interval',
    print: (_, { chance }) => chance?.high,
  },
  {
    key: 'p_success_n',
    type: 'number',
    style: 'count',
    doc: 'Known outcomes behind it',
    print: (_, { chance }) => chance?.n,
  },
] as const satisfies readonly SessionColumn[];

function total({ runs }: SessionFacts, count: (run: AgentRunFacts) => number): number {
  return runs.reduce((sum, run) => sum + count(run), 0);
}

type Declared = (typeof SESSION_COLUMNS)[number];
type StoredDeclared = Extract<Declared, { readonly read: unknown }>;
type Required = Exclude<Extract<StoredDeclared, { readonly required: true }>, { readonly storedLater: true }>;
type ValueOf<C extends Declared> = C['key'] extends 'task_type'
  ? TaskType
  : C['key'] extends 'verified'
    ? Verified
    : C['type'] extends 'number'
      ? number
      : string;

/** The stored columns of a session. `undefined` is unmeasured. */
export type StoredColumns = {
  readonly [C in Required as CamelCase<C['key']>]: ValueOf<C>;
} & {
  readonly [C in Exclude<StoredDeclared, Required> as CamelCase<C['key']>]?: ValueOf<C>;
};

/** A session without its facts: enough to list, group and compare many of them. */
export type SessionRecord = StoredColumns & {
  /** 1: it cost at least `costUsd`. */
  readonly costAtLeast?: number;
};

/** The store has no flags, because they are derived from other columns. */
type StoredColumn = SessionColumn & {
  readonly type: Exclude<SessionColumn['type'], 'flag'>;
  readonly read: (one: ColumnSource) => ColumnValue;
};

const COLUMNS: readonly SessionColumn[] = SESSION_COLUMNS;

export const STORED_COLUMNS = COLUMNS.filter((column): column is StoredColumn => column.read !== undefined);

const NAMES = STORED_COLUMNS.map(({ key, read }) => [camelCase(key), read] as const);

export function storedColumns(one: ColumnSource): StoredColumns {
  const known: Record<string, ColumnValue> = {};
  for (const [name, read] of NAMES) {
    const value = read(one);
    if (value !== undefined) known[name] = value;
  }
  return known as StoredColumns;
}

export type PrintedRow = Readonly<Record<Declared['key'], ColumnValue>>;

export function printedRow(row: SessionRecord, more: PrintedWith): PrintedRow {
  const values = row as Readonly<Record<string, ColumnValue>>;
  const printed: Partial<Record<string, ColumnValue>> = {};
  for (const { key, print } of COLUMNS)
    printed[key] = print === undefined ? values[camelCase(key)] : print(row, more);
  return printed as PrintedRow;
}
