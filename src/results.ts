/** What operations give that speak of more than one instrument. The wire encodes it, programs read it as it is. */
import type { RunFacts } from './decomposition/suite-run.ts';
import type { Gate } from './judge/gate.ts';
import type { JudgedMetric } from './judge/verdict.ts';
import type { Measurement } from './measure/metric.ts';
import type { Digest, ListedGroup, ListedSession } from './session/results.ts';
import type { RunSummary, TrackedAlert } from './store/store.ts';

export type ListedRun = Omit<RunSummary, 'metrics' | 'verdict' | 'facts'> & {
  readonly metrics: readonly JudgedMetric[];
  readonly gate: Gate;
  /** What was run, where the instrument says so. */
  readonly names?: RunFacts;
};

export type InstrumentOverview = {
  /** The metric that stands for the others. */
  readonly headline: string;
  /** Newest first. */
  readonly runs: readonly ListedRun[];
};

/** The last run of a series in the period, beside the last one before the period. */
export type RunChange = {
  readonly instrument: string;
  readonly subject: string;
  readonly metric: string;
  readonly before: Measurement;
  readonly after: Measurement;
};

export type Overview = {
  readonly until: number;
  readonly sessions: {
    readonly kept: number;
    /** The end of their period: that of all, or the newest session where the last days have none. */
    readonly until: number;
    readonly digest: Digest;
    readonly daily: readonly ListedGroup[];
  };
  readonly decomposition: InstrumentOverview;
  readonly workflow: InstrumentOverview;
  readonly attention: {
    readonly alerts: readonly TrackedAlert[];
    readonly sessions: readonly ListedSession[];
    /** The newest of each series, where it did not pass. */
    readonly runs: readonly ListedRun[];
  };
  readonly changed: readonly RunChange[];
};
