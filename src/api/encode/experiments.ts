import type { z } from 'zod';
import type { AbArm } from '../../decomposition/production/experiment/assign.ts';
import type {
  AbPlan,
  ExperimentStatus,
  KnownExperiment,
} from '../../decomposition/production/experiment/plan.ts';
import { distrustWords, verdictSentence } from '../../decomposition/views/experiment-words.ts';
import type { experiment, experimentArm, experimentList, experimentStarted } from '../schema/experiments.ts';

export function encodeExperiment(status: ExperimentStatus): z.infer<typeof experiment> {
  const { plan, startedAt, startedBy, stopped, reading } = status;
  const { primary, guards, distrust, verdict, mayNeed } = reading;
  return {
    format: 'assay-experiment',
    version: 1,
    plan: encodePlan(plan),
    started_at: startedAt,
    started_by: startedBy,
    requests: reading.exposures,
    keys: byArm(reading.keys),
    known: byArm(primary.n),
    means: meansByArm(primary.means),
    difference: primary.difference ?? null,
    ...primary.interval,
    p: primary.p,
    guards: guards.map(({ guard, means, low, high, margin, crossed }) => ({
      guard: GUARD_KEYS[guard],
      means: meansByArm(means),
      low,
      high,
      allowed: margin,
      crossed,
    })),
    distrust: distrust.map(distrustWords),
    verdict,
    says: verdictSentence(reading),
    may_need: mayNeed ?? null,
    stopped:
      stopped === undefined
        ? null
        : {
            at: stopped.at,
            who: stopped.who,
            decision: stopped.outcome.decision,
            reasons: [...stopped.reasons],
          },
  };
}

const GUARD_KEYS = { errors: 'errors', latencyMs: 'latency_ms', costUsd: 'cost_usd' } as const;

export function encodeExperiments(all: readonly ExperimentStatus[]): z.infer<typeof experimentList> {
  return { format: 'assay-experiment-list', version: 1, experiments: all.map(encodeExperiment) };
}

export function encodeExperimentStarted({
  plan,
  startedAt,
  startedBy,
}: KnownExperiment): z.infer<typeof experimentStarted> {
  return {
    format: 'assay-experiment-started',
    version: 1,
    plan: encodePlan(plan),
    started_at: startedAt,
    started_by: startedBy,
  };
}

type Assigned = {
  readonly promptVersion: string;
  readonly experiment: { readonly id: string; readonly arm: AbArm; readonly keyHash: string };
};

export function encodeArm({
  promptVersion,
  experiment: { id, arm, keyHash },
}: Assigned): z.infer<typeof experimentArm> {
  return {
    format: 'assay-experiment-arm',
    version: 1,
    prompt_version: promptVersion,
    experiment: { id, arm, key_hash: keyHash },
  };
}

function encodePlan({ smallestEffect, guards, ...plan }: AbPlan) {
  const { errors, latencyMs, costUsd } = guards;
  return {
    ...plan,
    smallest_effect: smallestEffect,
    guards: { errors, latency_ms: latencyMs, cost_usd: costUsd },
  };
}

function byArm([control, candidate]: readonly [number, number]) {
  return { control, candidate };
}

function meansByArm([control, candidate]: readonly [number | undefined, number | undefined]) {
  return { control: control ?? null, candidate: candidate ?? null };
}
