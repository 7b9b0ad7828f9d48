import { z } from 'zod';
import { measurement } from '../measurement.ts';
import { reading } from './parts.ts';

export const leaderboardRow = z.object({
  workflow: z.string(),
  tasks: z.number(),
  runs: z.number(),
  f1: measurement,
  dr: measurement,
  precision: measurement,
  unjudged: z.number(),
  better_than: z.number(),
  worse_than: z.number(),
});

export const leaderboardPair = z.object({
  better: z.string(),
  worse: z.string(),
  tasks: z.number(),
  difference: z.number(),
  p: z.number(),
  holm: z.number(),
});

/** `workflow leaderboard --format json`. */
export const workflowLeaderboard = z.object({
  format: z.literal('assay-workflow-leaderboard'),
  version: z.literal(1),
  name: z.string(),
  identity: z.enum(['findings', 'counts only']),
  intervals: z.literal('95% over tasks: choice of tasks and run noise'),
  tasks: z.array(z.string()),
  workflows: z.array(leaderboardRow),
  pairs: z.array(leaderboardPair),
  incomplete: z.array(z.object({ workflow: z.string(), missing: z.number() })),
  ...reading,
});
