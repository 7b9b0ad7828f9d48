/**
 * The weight of each category per task type, and of each signal in its category. Separate from the scorer, so that
 * settings need not load it.
 */
import type { TaskType } from './profiles/task-type.ts';

export type CategoryWeights = {
  readonly completion: number;
  readonly execution: number;
  readonly efficiency: number;
  readonly outcome: number;
};

/** A named set of weights: the documented one, or one calibrated on ratings or outcomes. */
export type SessionWeights = {
  readonly name: string;
  readonly profiles: Readonly<Record<TaskType, CategoryWeights>>;
  /** Signal id → weight within its category, where it differs from the documented one. */
  readonly signals?: Readonly<Record<string, number>>;
  /** The user's custom weights, in words. */
  readonly own?: readonly string[];
};

export const DOCUMENTED_PROFILES: Readonly<Record<TaskType, CategoryWeights>> = {
  coding: { completion: 0.15, execution: 0.2, efficiency: 0.15, outcome: 0.5 },
  operations: { completion: 0.2, execution: 0.3, efficiency: 0.3, outcome: 0.2 },
  research: { completion: 0.25, execution: 0.15, efficiency: 0.2, outcome: 0.4 },
  chat: { completion: 0.4, execution: 0.2, efficiency: 0.25, outcome: 0.15 },
  discovery: { completion: 0.3, execution: 0.15, efficiency: 0.2, outcome: 0.35 },
  heartbeat: { completion: 0.3, execution: 0.25, efficiency: 0.35, outcome: 0.1 },
};

/** Category → signal → its weight in the category; they sum to 1. */
export const SIGNAL_WEIGHTS = {
  completion: { 'ended-normally': 1 / 3, 'substantive-output': 1 / 3, 'user-corrections': 1 / 3 },
  execution: {
    'tool-success-rate': 0.5,
    'first-attempt-success': 0.25,
    'error-recovery': 0.15,
    'subagent-success': 0.1,
  },
  efficiency: {
    'token-efficiency': 0.25,
    'turn-efficiency': 0.25,
    compactions: 0.25,
    'model-appropriateness': 0.25,
  },
  outcome: { 'artifact-produced': 0.3, 'state-changed': 0.4, 'downstream-acceptance': 0.3 },
} as const;

/** Custom weights in a configuration; those not named are the documented ones. */
export type OwnSessionWeights = {
  readonly profiles: SessionWeights['profiles'];
  readonly signals: Readonly<Record<keyof typeof SIGNAL_WEIGHTS, Readonly<Record<string, number>>>>;
};

export const DOCUMENTED_WEIGHTS: SessionWeights = { name: 'documented', profiles: DOCUMENTED_PROFILES };
