import type { z } from 'zod';
import type { Measurement } from '../../measure/metric.ts';
import { metricKey } from '../../measure/metric.ts';
import { isoTime } from '../../session/iso-time.ts';
import type { Digest, ListedGroup, ListedSession } from '../../session/results.ts';
import type { TrackedAlert } from '../../store/store.ts';
import type { overview as schema } from '../schema/overview.ts';
import { encodeAlert } from './alert.ts';
import { encodeSummary } from './digest.ts';
import { encodeMeasurement } from './measurement.ts';
import { encodeRunSummary, type ListedWire } from './run-summary.ts';
import { encodeGroup, encodeListed } from './session-list.ts';

type Instrument = { readonly headline: string; readonly runs: readonly ListedWire[] };

type Overview = {
  readonly until: number;
  readonly sessions: {
    readonly kept: number;
    readonly until: number;
    readonly digest: Digest;
    readonly daily: readonly ListedGroup[];
  };
  readonly decomposition: Instrument;
  readonly workflow: Instrument;
  readonly attention: {
    readonly alerts: readonly TrackedAlert[];
    readonly sessions: readonly ListedSession[];
    readonly runs: readonly ListedWire[];
  };
  readonly changed: readonly {
    readonly instrument: string;
    readonly subject: string;
    readonly metric: string;
    readonly before: Measurement;
    readonly after: Measurement;
  }[];
};

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
      runs: attention.runs.map(encodeRunSummary),
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

function encodeInstrument({ headline, runs }: Instrument) {
  return { headline: metricKey(headline), runs: runs.map(encodeRunSummary) };
}
