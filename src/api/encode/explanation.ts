import type { z } from 'zod';
import type { Usage } from '../../session/event.ts';
import { isoTime } from '../../session/iso-time.ts';
import type { Explanation } from '../../session/results.ts';
import type { ScoredCategory, ScoredRun, ScoredSignal } from '../../session/score.ts';
import type { ScoredSession } from '../../session/score-session.ts';
import type { explanation as schema } from '../schema/explanation.ts';

type ExplanationWire = z.infer<typeof schema>;
type RunWire = ExplanationWire['runs'][number];
type CategoryWire = RunWire['categories']['outcome'];

export function encodeExplanation({ session, file, moments, quotes }: Explanation): ExplanationWire {
  return {
    format: 'assay-explanation',
    version: 1,
    ...identityOf(session),
    path: file.path,
    ...scoreOf(session),
    usage: encodeUsage(session.usage),
    turns: session.turns,
    tool_calls: session.toolCalls,
    tool_errors: session.toolErrors,
    compactions: session.compactions,
    ...costOf(session),
    delegation: { ...session.delegation, value: session.delegation.value ?? null },
    runs: session.runs.map(encodeRun),
    weighted_by: session.weightedBy,
    runs_left_out: session.runsLeftOut,
    weights: session.weights,
    baseline_set: session.baselineSet,
    prices: session.prices,
    scorer_version: session.scorerVersion,
    judge_rating: session.opinion?.rating ?? null,
    judged_by: session.opinion?.author ?? null,
    ...(quotes && { quotes: quotes.map(({ line, who, text }) => ({ line, who, text })) }),
    ...(moments && { moments: moments.map(({ line, what, q }) => ({ line, what, q })) }),
  };
}

function identityOf(session: ScoredSession) {
  return {
    session_id: session.sessionId,
    parent_session_id: session.parentSessionId ?? null,
    source: session.source,
    agent: session.agent ?? null,
  };
}

function scoreOf(session: ScoredSession) {
  const { completion, execution, efficiency, outcome } = session.categories;
  return {
    task_type: session.taskType,
    task_type_reason: session.taskTypeReason,
    model: session.model ?? null,
    models: [...session.models],
    started_at: isoTime(session.startedAt) ?? null,
    ended_at: isoTime(session.endedAt) ?? null,
    q: session.q ?? null,
    tier: session.tier ?? null,
    special_case: session.specialCase ?? null,
    coverage: session.coverage,
    low_confidence: session.lowConfidence,
    categories: {
      completion: completion ?? null,
      execution: execution ?? null,
      efficiency: efficiency ?? null,
      outcome: outcome ?? null,
    },
  };
}

function costOf({ costUsd, costReason, roi }: ScoredSession) {
  return {
    cost_usd: costUsd ?? null,
    cost_reason: costReason,
    roi: roi.measured ? roi.value : roi.free ? ('free' as const) : null,
    ...(!roi.measured && { roi_reason: roi.reason }),
  };
}

function encodeRun(run: ScoredRun): RunWire {
  const { completion, execution, efficiency, outcome } = run.categories;
  const { costUsd, from, reason } = run.cost;
  return {
    q: run.q ?? null,
    tier: run.tier ?? null,
    task_type: run.taskType,
    task_type_reason: run.taskTypeReason,
    special_case: run.specialCase ?? null,
    special_case_reason: run.specialCaseReason,
    coverage: run.coverage,
    low_confidence: run.lowConfidence,
    categories: {
      completion: encodeCategory(completion),
      execution: encodeCategory(execution),
      efficiency: encodeCategory(efficiency),
      outcome: encodeCategory(outcome),
    },
    cost: {
      cost_usd: costUsd ?? null,
      from,
      reason,
    },
    usage: encodeUsage(run.usage),
  };
}

function encodeCategory(category: ScoredCategory): CategoryWire {
  const { value = null, coverage, weight, contribution, signals } = category;
  return { value, coverage, weight, contribution, signals: signals.map(encodeSignal) };
}

function encodeSignal({ id, reading, weight, cost }: ScoredSignal): CategoryWire['signals'][number] {
  if (!reading.measured) return { id, value: null, reason: reading.reason, lines: [], weight, cost };
  return { id, value: reading.value, because: reading.because, lines: [...reading.lines], weight, cost };
}

function encodeUsage(usage: Usage | undefined): ExplanationWire['usage'] {
  if (usage === undefined) return null;
  const { input, output, cacheRead, cacheWrite } = usage;
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite };
}
