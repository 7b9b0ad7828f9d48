/** What an experiment had found when it was stopped, as the ledger of prompts keeps it. */
import { z } from 'zod';
import { EXPERIMENT_VERDICTS } from './verdicts.ts';

/** What is done with the candidate: nobody needs to look up what a verdict means for it. */
export const EXPERIMENT_DECISIONS = ['adopt the candidate', 'keep the control', 'undecided'] as const;

export const outcomeSchema = z.strictObject({
  id: z.string().min(1),
  verdict: z.enum(EXPERIMENT_VERDICTS),
  decision: z.enum(EXPERIMENT_DECISIONS),
  requests: z.number().int().min(0),
  /** Control and candidate. */
  keys: z.tuple([z.number().int(), z.number().int()]),
  /** How many of them had a known outcome. */
  known: z.tuple([z.number().int(), z.number().int()]),
  /** Candidate − control of the primary metric; absent where an arm was empty. */
  difference: z.number().optional(),
  low: z.number(),
  high: z.number(),
});

export type ExperimentOutcome = Readonly<z.output<typeof outcomeSchema>>;
