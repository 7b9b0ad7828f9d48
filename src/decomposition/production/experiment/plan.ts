/** What an experiment is to find out, written down before the first request. Nothing of it is changed afterwards. */

import { z } from 'zod';
import type { Ledger, LedgerEntry } from '../../prompts/ledger.ts';
import { EXPERIMENT_VERDICTS, type ExperimentReading } from './judge-experiment.ts';

/** What the arms are compared by: each between 0 and 1, higher is better. */
const PRIMARY_METRICS = ['acceptable', 'thumbs', 'verified-quotes', 'confidence'] as const;

export const PLAN_DEFAULTS = {
  share: 0.5,
  primary: 'acceptable',
  confidence: 0.95,
  smallestEffect: 0.05,
  // A point of errors is what the documented alert calls critical; the others are a fifth or more of the targets.
  guards: { errors: 0.01, latencyMs: 500, costUsd: 0.01 },
} as const;

/** How much worse the candidate may be before it is stopped, whatever the primary metric says. */
const guardsSchema = z.strictObject({
  /** Share of requests. */
  errors: z.number().min(0).max(1),
  latencyMs: z.number().min(0),
  costUsd: z.number().min(0),
});

export const planSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{0,79}$/, 'consists of lower-case letters, digits, dots and hyphens'),
  control: z.string().min(1),
  candidate: z.string().min(1),
  /** Of the keys, those that get the candidate. */
  share: z.number().min(0.05).max(0.95),
  primary: z.enum(PRIMARY_METRICS),
  confidence: z.number().min(0.8).max(0.999),
  /** Smaller differences do not matter: an experiment that excludes all larger ones is over. */
  smallestEffect: z.number().gt(0).max(1),
  guards: guardsSchema,
});

export type Guards = Readonly<z.output<typeof guardsSchema>>;
export type AbPlan = Readonly<z.output<typeof planSchema>>;

/** What is done with the candidate: nobody needs to look up what a verdict means for it. */
export const EXPERIMENT_DECISIONS = ['adopt the candidate', 'keep the control', 'undecided'] as const;

export const outcomeSchema = z.strictObject({
  id: z.string().min(1),
  verdict: z.enum(EXPERIMENT_VERDICTS),
  decision: z.enum(EXPERIMENT_DECISIONS),
  requests: z.number().int().min(0),
  keys: z.tuple([z.number().int(), z.number().int()]),
  known: z.tuple([z.number().int(), z.number().int()]),
  /** Candidate − control of the primary metric; absent where an arm was empty. */
  difference: z.number().optional(),
  low: z.number(),
  high: z.number(),
});

type ExperimentOutcome = Readonly<z.output<typeof outcomeSchema>>;

export type KnownExperiment = {
  readonly plan: AbPlan;
  readonly startedAt: string;
  readonly startedBy: string;
  readonly stopped?: {
    readonly at: string;
    readonly who: string;
    readonly reasons: readonly string[];
    readonly outcome: ExperimentOutcome;
  };
};

export type ExperimentStatus = KnownExperiment & { readonly reading: ExperimentReading };

export function experimentsIn({ entries }: Ledger): KnownExperiment[] {
  return entries
    .flatMap((entry): KnownExperiment[] => {
      if (entry.action !== 'experiment started' || entry.experiment === undefined) return [];
      const stop = entries.find(({ outcome }) => outcome?.id === entry.experiment?.id);
      return [
        {
          plan: entry.experiment,
          startedAt: entry.at,
          startedBy: entry.who,
          ...(stop && { stopped: stoppedBy(stop) }),
        },
      ];
    })
    .toReversed();
}

function stoppedBy({ at, who, reasons, outcome }: LedgerEntry): NonNullable<KnownExperiment['stopped']> {
  return { at, who, reasons, outcome: outcome as ExperimentOutcome };
}
