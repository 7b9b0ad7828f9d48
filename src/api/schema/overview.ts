import { z } from 'zod';
import { metricKey } from '../../measure/metric.ts';
import { from } from '../wire.ts';
import { alert } from './alert.ts';
import { runSummary } from './decomposition.ts';
import { sessionSummary } from './digest.ts';
import { head, measurement } from './parts.ts';
import { listedGroup, listedSession } from './session-list.ts';

const instrument = z.strictObject({
  headline: from(
    ({ headline }: { readonly headline: string }) => metricKey(headline),
    z.string().describe('Key of the metric that stands for the others'),
  ),
  runs: z.array(runSummary).describe('Newest first'),
});

/** The three instruments at a glance: their state, what needs attention, and what changed since the period before. */
export const overview = z.strictObject({
  ...head('assay-overview'),
  days: from('sessions.digest.days', z.number().describe('Length of the period')),
  until: z.iso.datetime().describe('Its end'),
  sessions: z.strictObject({
    stored: z.number().describe('In the store, of any age'),
    until: z.iso
      .datetime()
      .describe('End of their period: that of all, or the newest session where the last days have none'),
    current: from('digest.current', sessionSummary),
    previous: from('digest.previous', sessionSummary.describe('The period of the same length before it')),
    risky_actions: from('digest.riskyActions', z.number().describe('In the sessions of the period')),
    attention: from(
      'digest.attention.listed',
      z.array(listedSession).describe('Sessions that need attention, at most seven'),
    ),
    attention_in_all: from('digest.attention.inAll', z.number()),
    daily: z.array(listedGroup).describe('By day, oldest first; days without a session are left out'),
  }),
  decomposition: instrument,
  workflow: instrument,
  attention: z.strictObject({
    alerts: z.array(alert).describe('Open ones, newest first'),
    runs: z.array(runSummary).describe('The newest of each series, where it did not pass'),
  }),
  changed: z
    .array(
      z.strictObject({
        instrument: z.string(),
        subject: z.string(),
        metric: from(({ metric }: { readonly metric: string }) => metricKey(metric), z.string()),
        before: measurement.describe('Of the last run before the period'),
        after: measurement.describe('Of the last run in it'),
      }),
    )
    .describe('Series of runs that have one in the period and one before it'),
});
