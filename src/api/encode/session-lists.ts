import type { z } from 'zod';
import type { SessionSource } from '../../session/ingest/files/find-sources.ts';
import { isoTime } from '../../session/iso-time.ts';
import type { LowSession } from '../../session/low-session.ts';
import {
  evidenceOf,
  type SurvivalDays,
  tellableFrom,
  type WorkOutcome,
} from '../../session/outcomes/work-outcome.ts';
import type { BaselineSet } from '../../session/profiles/baselines.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type {
  FittedBaselines,
  Flags,
  GroupRoi,
  Outcomes,
  RoiResult,
  Skipped,
} from '../../session/results.ts';
import type {
  baselineRow,
  fittedRow,
  lowSession,
  outcomeRow,
  roiRow,
  skippedRow,
  sourceRow,
} from '../schema/session-lists.ts';

type Row<Schema extends z.ZodType> = z.infer<Schema>;

export function encodeFlags({ flagged }: Flags): Row<typeof lowSession>[] {
  return flagged.map(encodeLowSession);
}

function encodeLowSession({ sessionId, taskType, q, costUsd, why }: LowSession): Row<typeof lowSession> {
  return { session_id: sessionId, task_type: taskType, q, cost_usd: costUsd ?? null, why };
}

export function encodeRoi({ by, groups }: RoiResult): Row<typeof roiRow>[] {
  return groups.map((group) => ({
    ...(by === 'task-type' ? { task_type: group.key } : { task_type: group.taskType ?? '', [by]: group.key }),
    sessions: group.n,
    mean_q: group.meanQ,
    q_low: group.interval?.low ?? null,
    q_high: group.interval?.high ?? null,
    mean_cost_usd: group.meanCostUsd ?? null,
    total_cost_usd: group.totalCostUsd ?? null,
    roi: encodeRoiValue(group),
  }));
}

function encodeRoiValue({ roi }: GroupRoi): number | 'free' | null {
  if (roi.measured) return roi.value;
  return roi.free ? 'free' : null;
}

export function encodeSources(sources: readonly SessionSource[]): Row<typeof sourceRow>[] {
  return sources.map(({ agent, place, exists, files }) => ({
    agent,
    place,
    files: exists ? files.length : null,
  }));
}

export function encodeSkipped({ kinds }: Skipped): Row<typeof skippedRow>[] {
  return kinds.map(({ path, reason, count, firstLine }) => ({
    path,
    reason,
    count,
    line: firstLine ?? null,
  }));
}

export function encodeOutcomes({ outcomes }: Outcomes): Row<typeof outcomeRow>[] {
  return outcomes.map(encodeOutcome);
}

function encodeOutcome(one: WorkOutcome): Row<typeof outcomeRow> {
  const share = (days: SurvivalDays): number | null => {
    const survival = one.survival[days];
    return 'share' in survival ? survival.share : null;
  };
  return {
    session_id: one.sessionId,
    repository: one.repository ?? null,
    lines_written: one.linesWritten ?? null,
    lines_committed: one.linesCommitted ?? null,
    lines_on_default: one.linesOnDefault ?? null,
    lines_surviving: one.linesSurviving ?? null,
    survival_1d: share(1),
    survival_7d: share(7),
    survival_30d: share(30),
    commits: one.commits.map(({ sha }) => sha),
    // Of what was not looked at nothing is known.
    reverted: one.head === undefined ? null : one.reverted,
    state: one.state,
    reason: one.reason ?? null,
    tellable_from: isoTime(tellableFrom(one))?.slice(0, 10) ?? null,
    evidence: evidenceOf(one),
    judged_on: one.head ?? null,
    known_until: isoTime(one.knownUntil) ?? null,
  };
}

export function encodeBaselines({ perType }: BaselineSet): Row<typeof baselineRow>[] {
  return Object.entries(perType).map(([type, { tokenRatio, turns, idleCostUsd }]) => ({
    // The keys of a set are the task types.
    task_type: type as TaskType,
    token_ratio: tokenRatio,
    turns,
    idle_cost_usd: idleCostUsd,
  }));
}

const FIGURES = { tokenRatio: 'token_ratio', turns: 'turns', idleCostUsd: 'idle_cost_usd' } as const;

export function encodeFittedBaselines({ set, figures }: FittedBaselines): Row<typeof fittedRow>[] {
  return figures.map(({ taskType, figure, n, fitted }) => ({
    task_type: taskType,
    figure: FIGURES[figure],
    value: set.perType[taskType][figure],
    runs: n,
    fitted,
  }));
}
