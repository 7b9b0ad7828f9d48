/** What an experiment is to find out, written down before the first request. Nothing of it is changed afterwards. */

/** What the arms are compared by: each between 0 and 1, higher is better. */
export const PRIMARY_METRICS = ['acceptable', 'thumbs', 'verified-quotes', 'confidence'] as const;
export type PrimaryMetric = (typeof PRIMARY_METRICS)[number];

/** How much worse the candidate may be before it is stopped, whatever the primary metric says. */
export type Guards = {
  /** Share of requests. */
  readonly errors: number;
  readonly latencyMs: number;
  readonly costUsd: number;
};

export type ExperimentPlan = {
  readonly id: string;
  /** Names of prompt versions. */
  readonly control: string;
  readonly candidate: string;
  /** Of the keys, those that get the candidate. */
  readonly share: number;
  readonly primary: PrimaryMetric;
  readonly confidence: number;
  /** Smaller differences do not matter: an experiment that excludes all larger ones is over. */
  readonly smallestEffect: number;
  readonly guards: Guards;
};

export const PLAN_DEFAULTS = {
  share: 0.5,
  primary: 'acceptable',
  confidence: 0.95,
  smallestEffect: 0.05,
  // A point of errors is what the documented alert calls critical; the others are a fifth or more of the targets.
  guards: { errors: 0.01, latencyMs: 500, costUsd: 0.01 },
} as const satisfies Omit<ExperimentPlan, 'id' | 'control' | 'candidate'>;
