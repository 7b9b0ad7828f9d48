/** Summary of many sessions: quality, cost, and how much of it is measured. */

import { LOW_COVERAGE } from '../measure/confidence.ts';
import type { Measurement, Metric } from '../measure/metric.ts';
import { mean, median } from '../stats/descriptive.ts';
import { sessionMetrics } from './catalog.ts';
import type { SessionRecord } from './columns.ts';
import type { MeasuredSession } from './measured-session.ts';
import { groupRoi } from './pricing/roi.ts';

export type MeasuredMetric = { readonly metric: Metric<MeasuredSession>; readonly measurement: Measurement };

export type QualitySummary = {
  readonly n: number;
  /** Undefined: no session has a Q. */
  readonly q?: {
    readonly median: number;
    readonly goodShare: number;
    readonly poorShare: number;
    /** The share at 0.9 and above: where most sessions are, Q hardly distinguishes them. */
    readonly topShare: number;
    /** The shares of verified results, and of those that failed verification. */
    readonly verifiedShare: number;
    readonly verificationFailedShare: number;
    /** Sessions per tenth of the scale. */
    readonly histogram: readonly number[];
  };
  /** Over sessions with a known cost; undefined when there are none. */
  readonly cost?: {
    readonly totalUsd: number;
    readonly meanUsd: number;
    /** Mean Q / mean cost over the sessions with both. */
    readonly roi?: number;
    readonly unknown: number;
    /** For some of them, only a lower bound is known. */
    readonly isLowerBound: boolean;
  };
  /** Undefined: there is no session. */
  readonly coverage?: { readonly median: number; readonly withoutOutcome: number; readonly lowShare: number };
  /** Every metric of sessions, in report order. */
  readonly metrics: readonly MeasuredMetric[];
};

/** Allows for rounding errors of sums at a bound. */
const TOLERANCE = 1e-9;
export const TOP = 0.9;
const GOOD = new Set(['excellent', 'good']);
const POOR = new Set(['poor', 'failed']);

export function summarise(sessions: readonly SessionRecord[]): QualitySummary {
  const share = (test: (session: SessionRecord) => boolean, of = sessions) =>
    of.filter(test).length / of.length;
  const scored = sessions.filter((session) => session.q !== undefined);
  const qs = scored.flatMap((session) => session.q ?? []);
  const middle = median(qs);
  const coverage = median(sessions.map((session) => session.coverage));
  return {
    n: sessions.length,
    ...(middle !== undefined && {
      q: {
        median: middle,
        goodShare: share((session) => GOOD.has(session.tier ?? ''), scored),
        poorShare: share((session) => POOR.has(session.tier ?? ''), scored),
        topShare: share((session) => (session.q ?? 0) >= TOP - TOLERANCE, scored),
        verifiedShare: share(({ verified }) => verified === 'yes', scored),
        verificationFailedShare: share(({ verified }) => verified === 'failed', scored),
        histogram: tenths(qs),
      },
    }),
    ...costOf(sessions),
    ...(coverage !== undefined && {
      coverage: {
        median: coverage,
        withoutOutcome: share((session) => session.outcome === undefined),
        lowShare: share(({ coverage: own }) => own < LOW_COVERAGE),
      },
    }),
    metrics: sessionMetrics().map((metric) => ({ metric, measurement: metric.compute(sessions) })),
  };
}

function tenths(qs: readonly number[]): number[] {
  const counts = new Array<number>(10).fill(0);
  for (const q of qs) {
    const bin = Math.min(9, Math.floor(q * 10));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

function costOf(sessions: readonly SessionRecord[]): Pick<QualitySummary, 'cost'> {
  const costs = sessions.flatMap((session) => session.costUsd ?? []);
  const meanUsd = mean(costs);
  if (meanUsd === undefined) return {};
  const roi = groupRoi(sessions);
  return {
    cost: {
      totalUsd: meanUsd * costs.length,
      meanUsd,
      ...(roi.measured && { roi: roi.value }),
      unknown: sessions.length - costs.length,
      isLowerBound: sessions.some((session) => session.costAtLeast === 1),
    },
  };
}
