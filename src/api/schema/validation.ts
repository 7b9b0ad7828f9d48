import { z } from 'zod';
import { estimate } from '../../measure/metric.ts';
import type { SuccessReport } from '../../session/calibration/success-report.ts';
import { from } from '../wire.ts';
import { head, measurement } from './parts.ts';
import { taskType } from './task-type.ts';

const skipped = z.record(z.string(), z.number()).describe('Left out: reason → how many');

export const ratingValidation = z.strictObject({
  ...head('assay-validation'),
  against: z.literal('ratings'),
  sessions: z.number().describe('With a Q and at least one rating'),
  ratings: z.number(),
  skipped,
  target: z.number(),
  pearson: from('overall.pearson', measurement),
  spearman: from('overall.spearman', measurement),
  per_type: z.array(
    z.strictObject({ task_type: taskType, n: z.number(), pearson: measurement, spearman: measurement }),
  ),
  verdict: z.strictObject({
    verdict: z.enum(['agrees', 'does not agree', 'too few to tell']),
    because: z.string(),
    needed: z.number().nullable().describe('Rated sessions that would decide it'),
  }),
  bias: z.array(
    z.strictObject({
      task_type: taskType,
      n: z.number(),
      value: z.number(),
      low: from('interval.low', z.number().nullable()),
      high: from('interval.high', z.number().nullable()),
      p: z.number().nullable(),
      verdict: z.enum(['overvalued', 'undervalued', 'no bias shown', 'too few to tell']),
      because: z.string(),
    }),
  ),
  rated_twice: z.number().describe('Sessions that two people or more have rated'),
  raters: measurement.describe('Agreement between raters of the same sessions, Krippendorff’s alpha'),
  precision: z.strictObject({
    width: z.number().describe('Wanted, to either side of r'),
    sessions: z.number().describe('Rated sessions it takes'),
  }),
});

type Bin = SuccessReport['reliability'][number];

/** P(success), each outcome predicted by a model that saw neither it nor the others of its task. */
export const successReport = z.strictObject({
  n: z.number().describe('Known outcomes'),
  successes: z.number(),
  brier: measurement.describe('Mean squared distance from what happened; 0 is perfect'),
  brier_of_base_rate: measurement.describe('Of a forecast that says the share of successes of every session'),
  reliability: z.array(
    z.strictObject({
      from: from('low', z.number().describe('P(success) of this bin')),
      to: from('high', z.number()),
      mean_predicted: z.number(),
      observed: from(
        ({ observed, n, interval }: Bin) => estimate(observed, n, interval),
        measurement.describe('Share that succeeded'),
      ),
    }),
  ),
});

const outcomeValidation = z.strictObject({
  ...head('assay-validation'),
  against: z.literal('outcomes'),
  sessions: z.number(),
  successes: z.number(),
  skipped,
  tasks: z.number().nullable().describe('Tasks the intervals are over; null where no task is named'),
  auc: measurement.describe('Over all sessions together'),
  auc_within_sources: from(
    'withinSources',
    measurement.describe('Mean of the sources’ own areas, weighted m·n / (m + n)'),
  ),
  auc_by_source: from('bySource', measurement.describe('By the mean Q of its source alone')),
  per_type: z.array(z.strictObject({ task_type: taskType, auc: measurement })),
  per_source: z.array(z.strictObject({ source: z.string(), auc: measurement })),
  success: successReport,
});

/** Q held against what people or the world say of sessions. */
export const validation = z.discriminatedUnion('against', [ratingValidation, outcomeValidation]);
