import { type Measurement, type Metric, type Unit, unmeasured, type Zones } from '../measure/metric.ts';
import type { Change, Comparison } from './compare.ts';
import type { Gate, OwnStandard } from './gate.ts';
import type { Trend } from './trend.ts';
import { type Direction, type Zone, zoneOfMeasurement } from './zone.ts';

export type JudgedMetric = {
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly better: Direction;
  readonly zones?: Zones;
  /** Where `zones` are somebody's own: the documented ones, or `null` where there are none. */
  readonly documented?: Zones | null;
  readonly measurement: Measurement;
  readonly zone?: Zone;
  /** Since the baseline, when there is one. */
  readonly change?: Change;
};

/**
 * One unit of work and what was found about it. A case that could not be read has an `error` and no metrics; one of which
 * a part failed has both.
 */
export type JudgedCase = {
  readonly id: string;
  readonly metrics: readonly JudgedMetric[];
  readonly zone?: Zone;
  readonly notes: readonly string[];
  /** A metric that counts is in the fail zone, and the policy calls that a failure. */
  readonly failed?: true;
  readonly error?: string;
};

/** What a number is valid for. Results with another scorer or truth are never compared silently. */
export type Validity = {
  readonly runId: string;
  readonly at: string;
  readonly scorer: string;
  /** Hash of the golden set or ground truth, where there is one. */
  readonly truthHash?: string;
  /** The name of the standard that it was held to, where the instrument has one. */
  readonly standard?: string;
  readonly cases: number;
  /** Cases left out: reason → how many. */
  readonly skipped: Readonly<Record<string, number>>;
};

export type Verdict = {
  readonly instrument: string;
  /** What was measured: an extractor with its prompt, a version of a review, a model. */
  readonly subject: string;
  readonly validity: Validity;
  readonly metrics: readonly JudgedMetric[];
  readonly cases: readonly JudgedCase[];
  readonly comparison?: Comparison;
  readonly trends: readonly Trend[];
  readonly gate: Gate;
  /** What of the standard is the user's own. */
  readonly standard?: OwnStandard;
  readonly notes: readonly string[];
};

/** As much of a metric as judging needs. */
export type Declaration = Pick<
  Metric<never>,
  'id' | 'title' | 'unit' | 'better' | 'zones' | 'pastLine' | 'documented'
>;

export function judgeMetrics(
  declarations: readonly Declaration[],
  measurements: Readonly<Record<string, Measurement>>,
  comparison?: Comparison,
): JudgedMetric[] {
  return declarations.map(({ id, title, unit, better, zones, pastLine, documented }) => {
    const measurement = measurements[id] ?? unmeasured('not computed');
    const zone = zoneOfMeasurement(measurement, zones, better, pastLine);
    const change = comparison?.changes[id];
    return {
      id,
      title,
      unit,
      better,
      measurement,
      ...(zones && { zones }),
      ...(documented !== undefined && { documented }),
      ...(zone && { zone }),
      ...(change && { change }),
    };
  });
}
