import { z } from 'zod';
import { measurement } from '../measurement.ts';
import { run } from '../run.ts';
import { label, reading, reasons, values } from './parts.ts';

const partialCredit = z.object({
  dr: z.object({ '0': z.number().nullable(), '0.5': z.number().nullable(), '1': z.number().nullable() }),
});

const edge = z.object({
  finding: z.string(),
  error: z.string(),
  strength: z.enum(['Y', 'P']),
  criteria: z.array(z.string()),
  chosen: z.boolean(),
});

/** One review run with what became of every finding and error. */
export const reviewRun = z.object({
  run: z.string(),
  model: z.string().nullable(),
  metrics: values,
  reasons,
  counts: z.record(z.string(), z.number()),
  partial_credit: partialCredit,
  depth: z.object({ confirmed_findings: z.number(), with_depth: z.number() }),
  concerns: z.array(
    z.object({
      id: z.string(),
      layer: z.string(),
      points: z.number(),
      methods: z.number(),
      ce: measurement,
    }),
  ),
  matches: z.array(edge),
  candidates: z.array(edge),
  candidates_left_out: z.number().optional(),
  missed: z.array(z.string()),
  findings: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      class: z.string(),
      error: z.string().nullable(),
      trap: z.string().optional(),
      labels: z.array(label).optional(),
      quote_not_in_document: z.literal(true).optional(),
      disputed: z.literal(true).optional(),
      label_against_criteria: z.literal(true).optional(),
    }),
  ),
});

const overRuns = measurement.safeExtend({
  sd: measurement.describe('Between runs'),
  rs: measurement.describe('Run stability: 1 − SD / mean'),
});

const pair = z.object({
  authors: z.array(z.string()),
  n: z.number(),
  agreement: measurement,
  cohen_kappa: measurement,
});

const detectionInterval = <Covers extends string>(covers: Covers) =>
  measurement.safeExtend({ covers: z.literal(covers) });

/** All runs of one workflow on one task. */
export const reviewScore = z.object({
  task: z.string(),
  truth_hash: z.string(),
  truth_version: z.string(),
  matcher_version: z.string().nullable(),
  workflow: z.string().nullable(),
  runs: z.array(reviewRun),
  across_runs: z
    .record(z.string(), z.union([overRuns, measurement]))
    .describe('By metric; without a spread where only several runs have it'),
  oes: measurement,
  detection_intervals: z
    .object({
      over_runs: detectionInterval('run noise only'),
      over_errors: detectionInterval('choice of errors and run noise'),
    })
    .describe('95%, of the detection rate'),
  stability: z.enum(['STABLE', 'MODERATE', 'UNSTABLE']).nullable(),
  stability_reason: z.string().optional().describe('Why it is `null`'),
  stability_untold: z
    .array(z.object({ metric: z.string(), reason: z.string() }))
    .describe('Tracked metrics whose stability could not be told'),
  partial_credit: partialCredit,
  labels: z.object({
    authors: z.array(z.string()),
    labelled_findings: z.number(),
    settled_by_a_third: z.number(),
    disputed: z.number(),
    against_criteria: z.number(),
    krippendorff_alpha: measurement,
    fleiss_kappa: measurement.describe('Of three authors or more, over what all of them labelled'),
    pairs: z.array(pair),
  }),
});

/** `workflow score --format json`: the shared shape of a run, and the score beside it. */
export const scoredReviews = run.safeExtend({ ...reviewScore.shape, ...reading });

/** One line of `--format jsonl`, and one row of CSV. */
export const scoreRow = z.object({
  workflow: z.string(),
  task: z.string(),
  run: z.string(),
  metric: z.string(),
  value: z.number().nullable(),
  reason: z.string().nullable(),
});
