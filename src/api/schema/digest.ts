import { z } from 'zod';
import { metricKey } from '../../measure/metric.ts';
import type { QualitySummary } from '../../session/summary.ts';
import { from } from '../wire.ts';
import { head, measurement } from './parts.ts';
import { listedSession } from './session-list.ts';

type Coverage = Partial<NonNullable<QualitySummary['coverage']>> & { readonly reason?: string };
const NO_SESSION: Coverage = { reason: 'there is no session' };

export const sessionSummary = z.strictObject({
  n: z.number().describe('Sessions'),
  q: z
    .strictObject({
      median: z.number(),
      good_share: z.number().describe('Good or excellent, of those with a Q'),
      poor_share: z.number().describe('Poor or failed'),
      top_share: z.number().describe('Sessions at 0.9 and above'),
      verified_share: z.number().describe('Sessions whose result was verified'),
      verification_failed_share: z
        .number()
        .describe('Sessions whose last check failed, or that were reverted or rejected'),
      histogram: z.array(z.number()).length(10).describe('Sessions per tenth of the scale'),
    })
    .nullable()
    .describe('`null`: Q of no session could be measured'),
  cost: z
    .strictObject({
      total_usd: z.number(),
      mean_usd: z.number(),
      roi: z.number().nullable().describe('Mean Q / mean cost'),
      unknown: z.number().describe('Sessions whose cost is not known'),
      is_lower_bound: z
        .boolean()
        .describe('`true`: at least this, because less output was counted than is visible'),
    })
    .nullable()
    .describe('Over the sessions whose cost is known'),
  coverage: from(
    ({ coverage }: QualitySummary): Coverage => coverage ?? NO_SESSION,
    z
      .strictObject({
        median: z.number().nullable(),
        without_outcome: z.number().nullable(),
        low_share: z.number().nullable(),
        reason: z.string().optional().describe('Why they are `null`'),
      })
      .describe('How much of each session was measured; `null` where there is no session'),
  ),
  metrics: from(
    ({ metrics }: QualitySummary) =>
      Object.fromEntries(metrics.map(({ metric, measurement: one }) => [metricKey(metric.id), one])),
    z.record(z.string(), measurement).describe('Every metric of sessions, over all of them'),
  ),
});

/** What happened in a period, and in the one of the same length before it. */
export const digest = z.strictObject({
  ...head('assay-digest'),
  days: z.number(),
  until: z.iso.datetime(),
  current: sessionSummary,
  previous: sessionSummary,
  attention: from(
    'attention.listed',
    z.array(listedSession).describe('Sessions of the period that need attention, at most seven'),
  ),
  attention_in_all: from('attention.inAll', z.number()),
  risky_actions: z.number().describe('In the sessions of the period'),
});
