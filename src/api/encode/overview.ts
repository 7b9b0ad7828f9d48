import type { z } from 'zod';
import { metricKey } from '../../measure/metric.ts';
import type { InstrumentOverview, Overview } from '../../results.ts';
import { isoTime } from '../../session/iso-time.ts';
import { runSummary } from '../schema/decomposition.ts';
import type { overview as schema } from '../schema/overview.ts';
import { encode } from '../wire.ts';
import { encodeAlert } from './alert.ts';
import { encodeSummary } from './digest.ts';
import { encodeMeasurement } from './measurement.ts';
import { encodeGroup, encodeListed } from './session-list.ts';

export function encodeOverview(overview: Overview): z.infer<typeof schema> {
  const { until, sessions, attention, changed } = overview;
  const { digest } = sessions;
  return {
    format: 'assay-overview',
    version: 1,
    days: digest.days,
    until: isoTime(until) ?? '',
    sessions: {
      kept: sessions.kept,
      until: isoTime(sessions.until) ?? '',
      current: encodeSummary(digest.current),
      previous: encodeSummary(digest.previous),
      flag_below: digest.flagBelow,
      flagged: digest.flaggedInAll,
      daily: sessions.daily.map(encodeGroup),
    },
    decomposition: encodeInstrument(overview.decomposition),
    workflow: encodeInstrument(overview.workflow),
    attention: {
      alerts: attention.alerts.map(encodeAlert),
      sessions: attention.sessions.map(encodeListed),
      runs: attention.runs.map((one) => encode(runSummary, one)),
    },
    changed: changed.map(({ instrument, subject, metric, before, after }) => ({
      instrument,
      subject,
      metric: metricKey(metric),
      before: encodeMeasurement(before),
      after: encodeMeasurement(after),
    })),
  };
}

function encodeInstrument({ headline, runs }: InstrumentOverview) {
  return { headline: metricKey(headline), runs: runs.map((one) => encode(runSummary, one)) };
}
