import type { z } from 'zod';
import { metricKey } from '../../measure/metric.ts';
import { isoTime } from '../../session/iso-time.ts';
import type { Digest } from '../../session/results.ts';
import type { QualitySummary } from '../../session/summary.ts';
import type { digest as schema, sessionSummary } from '../schema/digest.ts';
import { encodeMeasurement } from './measurement.ts';

export function encodeDigest(digest: Digest): z.infer<typeof schema> {
  const { days, until, current, previous, flagBelow, flagged, flaggedInAll } = digest;
  return {
    format: 'assay-digest',
    version: 1,
    days,
    until: isoTime(until) ?? '',
    current: encodeSummary(current),
    previous: encodeSummary(previous),
    flag_below: flagBelow,
    flagged: flagged.map(({ sessionId }) => sessionId),
    flagged_in_all: flaggedInAll,
  };
}

export function encodeSummary({
  n,
  q,
  cost,
  coverage,
  metrics,
}: QualitySummary): z.infer<typeof sessionSummary> {
  return {
    n,
    q:
      q === undefined
        ? null
        : {
            median: q.median,
            good_share: q.goodShare,
            poor_share: q.poorShare,
            top_share: q.topShare,
            unproven_share: q.unprovenShare,
            histogram: [...q.histogram],
          },
    cost:
      cost === undefined
        ? null
        : {
            total_usd: cost.totalUsd,
            mean_usd: cost.meanUsd,
            roi: cost.roi ?? null,
            unknown: cost.unknown,
            is_lower_bound: cost.isLowerBound,
          },
    coverage:
      coverage === undefined
        ? { median: null, without_outcome: null, low_share: null, reason: 'there is no session' }
        : {
            median: coverage.median,
            without_outcome: coverage.withoutOutcome,
            low_share: coverage.lowShare,
          },
    metrics: Object.fromEntries(
      metrics.map(({ metric, measurement }) => [metricKey(metric.id), encodeMeasurement(measurement)]),
    ),
  };
}
