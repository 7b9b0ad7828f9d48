import type { z } from 'zod';
import type { Measurement } from '../../measure/metric.ts';
import type { LowSession } from '../../session/low-session.ts';
import type { BaselineSet } from '../../session/profiles/baselines.ts';
import type { TaskType } from '../../session/profiles/task-type.ts';
import type {
  FittedBaselines,
  Flags,
  GroupRoi,
  Rescored,
  RoiResult,
  SentScores,
  Skipped,
  Sources,
} from '../../session/results.ts';
import type {
  lowSession,
  roiRow,
  sessionBaselineFit,
  sessionBaselines,
  sessionFlags,
  sessionRescored,
  sessionRoi,
  sessionSent,
  sessionSkipped,
  sessionSources,
} from '../schema/session-lists.ts';
import { encodeMeasurement } from './measurement.ts';

export function encodeFlags({ below, sessions, scored, flagged }: Flags): z.infer<typeof sessionFlags> {
  return {
    format: 'assay-session-flags',
    version: 1,
    below,
    sessions,
    scored,
    flagged: flagged.map(encodeLowSession),
  };
}

function encodeLowSession({
  key,
  sessionId,
  taskType,
  q,
  tier,
  costUsd,
  costIsLowerBound,
  why,
}: LowSession): z.infer<typeof lowSession> {
  return {
    session_id: sessionId,
    session_key: key,
    task_type: taskType,
    q,
    cost_usd: costUsd ?? null,
    why,
    tier: tier ?? null,
    cost_usd_is_lower_bound: costUsd === undefined ? null : costIsLowerBound,
  };
}

export function encodeRoi({ by, timezone = 'UTC', groups }: RoiResult): z.infer<typeof sessionRoi> {
  return {
    format: 'assay-session-roi',
    version: 1,
    by,
    timezone,
    groups: groups.map((group) => encodeGroup(by, group)),
  };
}

function encodeGroup(by: RoiResult['by'], group: GroupRoi): z.infer<typeof roiRow> {
  const { key, taskType, meanQ, interval, n, priced, meanCostUsd, totalCostUsd, roi } = group;
  const cost: Measurement =
    meanCostUsd === undefined
      ? { measured: false, reason: 'the cost of no session is known' }
      : { measured: true, value: meanCostUsd, n: priced };
  return {
    ...(by === 'task-type' ? { task_type: key } : { task_type: taskType ?? '', [by]: key }),
    q: encodeMeasurement({ measured: true, value: meanQ, n, ...interval }),
    cost_usd: encodeMeasurement(cost),
    total_cost_usd: totalCostUsd ?? null,
    cost_usd_is_lower_bound: group.costIsLowerBound === true,
    roi: encodeMeasurement(roi.measured ? { measured: true, value: roi.value, n: priced } : roi),
  };
}

export function encodeRescored({ sessions, rescored, wanted }: Rescored): z.infer<typeof sessionRescored> {
  return {
    format: 'assay-session-rescored',
    version: 1,
    sessions,
    rescored,
    scorer_version: wanted.scorerVersion,
    weights: wanted.weights,
    baseline_set: wanted.baselineSet,
    prices: wanted.prices,
  };
}

export function encodeSent({ sessions, unmeasured, targets }: SentScores): z.infer<typeof sessionSent> {
  return {
    format: 'assay-session-sent',
    version: 1,
    sessions,
    unmeasured,
    targets: targets.map(({ target, sent, sentBefore, refused, waiting, why = null }) => ({
      target,
      sent,
      sent_before: sentBefore,
      refused,
      waiting,
      why,
    })),
  };
}

export function encodeSources({ sources, formats }: Sources): z.infer<typeof sessionSources> {
  return {
    format: 'assay-session-sources',
    version: 1,
    sources: sources.map(({ source, agent, place, exists, files }) => ({
      source,
      agent,
      place,
      files: exists ? files.length : null,
    })),
    formats: formats.map(({ name, title, versions, files, shows, unmeasured }) => ({
      source: name,
      title,
      versions,
      files,
      shows: [...shows],
      unmeasured: [...unmeasured],
    })),
  };
}

export function encodeSkipped({ files, kinds }: Skipped): z.infer<typeof sessionSkipped> {
  return {
    format: 'assay-session-skipped',
    version: 1,
    files,
    skipped: kinds.map(({ path, reason, count, firstLine }) => ({
      path,
      reason,
      count,
      line: firstLine ?? null,
    })),
  };
}

export function encodeBaselines({ name, perType }: BaselineSet): z.infer<typeof sessionBaselines> {
  return {
    format: 'assay-session-baselines',
    version: 1,
    name,
    task_types: Object.entries(perType).map(([type, { tokenRatio, turns, idleCostUsd }]) => ({
      // The keys of a set are the task types.
      task_type: type as TaskType,
      token_ratio: tokenRatio ?? null,
      turns: turns ?? null,
      idle_cost_usd: idleCostUsd,
    })),
  };
}

const FIGURES = { tokenRatio: 'token_ratio', turns: 'turns', idleCostUsd: 'idle_cost_usd' } as const;

export function encodeFittedBaselines({
  set,
  figures,
  out,
}: FittedBaselines): z.infer<typeof sessionBaselineFit> {
  return {
    format: 'assay-session-baseline-fit',
    version: 1,
    name: set.name,
    out: out ?? null,
    figures: figures.map(({ taskType, figure, n, fitted }) => ({
      task_type: taskType,
      figure: FIGURES[figure],
      value: set.perType[taskType][figure] ?? null,
      runs: n,
      fitted,
    })),
  };
}
