import type { Column, Row } from '../../report/document.ts';
import type { FileReading } from '../../session/evidence.ts';
import { wordOfRoi } from '../../session/pricing/session-roi.ts';
import type { ScoredSession } from '../../session/score-session.ts';

/** One row per session, in the order that joins and spreadsheets rely on: new columns go to the end. */
export const SESSION_COLUMNS: readonly Column[] = [
  { key: 'session_id', header: 'session_id', style: 'name' },
  { key: 'parent_session_id', header: 'parent_session_id', style: 'name' },
  { key: 'source', header: 'source', style: 'text' },
  { key: 'agent', header: 'agent', style: 'text' },
  { key: 'task_type', header: 'task_type', style: 'text' },
  { key: 'model', header: 'model', style: 'name' },
  { key: 'started_at', header: 'started_at', style: 'text' },
  { key: 'ended_at', header: 'ended_at', style: 'text' },
  { key: 'q', header: 'q', style: 'score' },
  { key: 'tier', header: 'tier', style: 'text' },
  { key: 'special_case', header: 'special_case', style: 'text' },
  { key: 'completion', header: 'completion', style: 'score' },
  { key: 'execution', header: 'execution', style: 'score' },
  { key: 'efficiency', header: 'efficiency', style: 'score' },
  { key: 'outcome', header: 'outcome', style: 'score' },
  { key: 'coverage', header: 'coverage', style: 'score' },
  { key: 'input_tokens', header: 'input_tokens', style: 'count' },
  { key: 'output_tokens', header: 'output_tokens', style: 'count' },
  { key: 'cache_read_tokens', header: 'cache_read_tokens', style: 'count' },
  { key: 'cache_write_tokens', header: 'cache_write_tokens', style: 'count' },
  { key: 'turns', header: 'turns', style: 'count' },
  { key: 'tool_calls', header: 'tool_calls', style: 'count' },
  { key: 'tool_errors', header: 'tool_errors', style: 'count' },
  { key: 'compactions', header: 'compactions', style: 'count' },
  { key: 'cost_usd', header: 'cost_usd', style: 'usd' },
  { key: 'roi', header: 'roi', style: 'text' },
  { key: 'runs', header: 'runs', style: 'count' },
  { key: 'skipped_lines', header: 'skipped_lines', style: 'count' },
  { key: 'scorer_version', header: 'scorer_version', style: 'text' },
  { key: 'confidence', header: 'confidence', style: 'text' },
  { key: 'task_type_reason', header: 'task_type_reason', style: 'text' },
  { key: 'delegation_quality', header: 'delegation_quality', style: 'score' },
  { key: 'total_cost_usd', header: 'total_cost_usd', style: 'usd' },
  { key: 'weights', header: 'weights', style: 'text' },
  { key: 'baseline_set', header: 'baseline_set', style: 'text' },
  { key: 'prices', header: 'prices', style: 'text' },
  { key: 'path', header: 'path', style: 'name' },
];

export type Found = {
  readonly session: ScoredSession;
  readonly file: FileReading;
};

/** What a file that is no transcript at all is counted under. */
export const NO_TRANSCRIPT = 'not a transcript';

/** How many lines of a file could not be used. */
export function skippedLines(file: FileReading): number {
  return Object.entries(file.skipped).reduce(
    (sum, [reason, { count }]) => (reason === NO_TRANSCRIPT ? sum : sum + count),
    0,
  );
}

export function sessionCells({ session, file }: Found, totalCostUsd?: number): Row {
  return {
    session_id: session.sessionId,
    parent_session_id: session.parentSessionId,
    source: session.source,
    agent: session.agent,
    task_type: session.taskType,
    model: session.model,
    started_at: isoTime(session.startedAt),
    ended_at: isoTime(session.endedAt),
    q: session.q,
    tier: session.tier,
    special_case: session.specialCase,
    completion: session.categories.completion,
    execution: session.categories.execution,
    efficiency: session.categories.efficiency,
    outcome: session.categories.outcome,
    coverage: session.coverage,
    input_tokens: session.usage?.input,
    output_tokens: session.usage?.output,
    cache_read_tokens: session.usage?.cacheRead,
    cache_write_tokens: session.usage?.cacheWrite,
    turns: session.turns,
    tool_calls: session.toolCalls,
    tool_errors: session.toolErrors,
    compactions: session.compactions,
    cost_usd: session.costUsd,
    roi: wordOfRoi(session.roi),
    runs: session.runs.length,
    skipped_lines: skippedLines(file),
    scorer_version: session.scorerVersion,
    confidence: session.lowConfidence ? 'low' : 'normal',
    task_type_reason: session.taskTypeReason,
    delegation_quality: session.delegation.value,
    total_cost_usd: totalCostUsd,
    weights: session.weights,
    baseline_set: session.baselineSet,
    prices: session.prices,
    path: file.path,
  };
}

export function isoTime(at: number | undefined): string | undefined {
  return at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();
}
