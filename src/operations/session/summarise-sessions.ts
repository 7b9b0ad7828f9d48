import { meanOfMoments } from '../../measure/over-cases.ts';
import { sessionMetrics } from '../../session/catalog.ts';
import { roiOf } from '../../session/pricing/roi.ts';
import type { Category } from '../../session/signals/signal.ts';
import { type MeasuredMetric, type QualitySummary, summarise, TOP } from '../../session/summary.ts';
import { quantileOfBins, type SessionRollup } from '../../store/rollup.ts';
import type { SelectedSessions } from './selected-sessions.ts';

export async function summaryOf(selected: SelectedSessions): Promise<QualitySummary> {
  const each = await selected.each();
  return each === undefined ? summaryOfSums(await selected.total()) : summarise(each);
}

/** What `summarise` would say of the sessions; medians are at most 0.0025 (Q) and 0.01 (coverage) beside the exact ones. */
export function summaryOfSums(total: SessionRollup): QualitySummary {
  const { sessions, q, tiers, categories, histograms } = total;
  const [qs, coverages] = [histograms?.q ?? [], histograms?.coverage ?? []];
  const middle = quantileOfBins(qs, 0.5);
  const coverage = quantileOfBins(coverages, 0.5);
  return {
    n: sessions,
    ...(middle !== undefined && {
      q: {
        median: middle,
        goodShare: (tiers.excellent + tiers.good) / q.n,
        poorShare: (tiers.poor + tiers.failed) / q.n,
        topShare: share(qs, TOP, 1) / q.n,
        unprovenShare: (tiers['excellent?'] + tiers['good?']) / q.n,
        histogram: Array.from({ length: TENTHS }, (_, i) => share(qs, i / TENTHS, (i + 1) / TENTHS)),
      },
    }),
    ...costOf(total),
    ...(coverage !== undefined && {
      coverage: {
        median: coverage,
        withoutOutcome: 1 - categories.outcome.n / sessions,
        lowShare: total.lowConfidence / sessions,
      },
    }),
    metrics: metricsOf(total),
  };
}

const TENTHS = 10;

/** How many lie from one value to below another; both are ends of bins. */
function share(bins: readonly number[], from: number, to: number): number {
  const [first, last] = [from, to].map((value) => Math.round(value * bins.length));
  return bins.slice(first, last).reduce((sum, count) => sum + count, 0);
}

function costOf({ sessions, cost, priced }: SessionRollup): Pick<QualitySummary, 'cost'> {
  if (cost.n === 0) return {};
  const { n, sum } = priced.q;
  const roi = n === 0 ? undefined : roiOf(sum / n, priced.sumUsd / n);
  return {
    cost: {
      totalUsd: cost.sumUsd,
      meanUsd: cost.sumUsd / cost.n,
      ...(roi?.measured && { roi: roi.value }),
      unknown: sessions - cost.n,
      isLowerBound: cost.atLeast > 0,
    },
  };
}

function metricsOf({ sessions, q, categories }: SessionRollup): MeasuredMetric[] {
  return sessionMetrics().map((metric) => {
    const name = metric.id.replace('session/', '') as Category | 'q';
    // What a session without it says.
    const absent = metric.compute([{}]);
    const why = absent.measured ? '' : absent.reason;
    return { metric, measurement: meanOfMoments(name === 'q' ? q : categories[name], sessions, why) };
  });
}
