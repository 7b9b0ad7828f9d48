import type { Measurement, Metric } from './metric.ts';

/**
 * One case as ingest delivers it: evidence, or the reason why there is none. `fault`: why a part of it failed; what was
 * asked of that part counts as not found, and the case is measured and an error all the same.
 */
export type Examined<Case> =
  | {
      readonly id: string;
      readonly evidence: Case;
      readonly notes: readonly string[];
      readonly fault?: string;
    }
  | { readonly id: string; readonly error: string };

export type Ingested<Case> = { readonly truthHash?: string; readonly cases: readonly Examined<Case>[] };

/** Metric id → measurement, in the order of the metrics. */
export type Measurements = Readonly<Record<string, Measurement>>;

export type Measured = {
  readonly suite: Measurements;
  readonly perCase: Readonly<Record<string, Measurements>>;
};

/** The metrics that belong to a result of these cases. */
export function metricsFor<Case>(
  metrics: readonly Metric<Case>[],
  cases: readonly Examined<Case>[],
): readonly Metric<Case>[] {
  return metrics.filter(
    ({ onlyWhereMeasured, compute }) =>
      onlyWhereMeasured === undefined ||
      cases.some((one) => 'evidence' in one && compute([one.evidence]).measured),
  );
}

export function measureAll<Case>(metrics: readonly Metric<Case>[], cases: readonly Case[]): Measurements {
  return Object.fromEntries(metrics.map((metric) => [metric.id, metric.compute(cases)]));
}

/** The n of a suite counts cases, also when there is only one: what that case divided by is the n of the case. */
function measureSuite<Case>(metrics: readonly Metric<Case>[], cases: readonly Case[]): Measurements {
  const suite = measureAll(metrics, cases);
  if (cases.length !== 1) return suite;
  return Object.fromEntries(
    Object.entries(suite).map(([id, one]) => [id, one.measured ? { ...one, n: 1 } : one]),
  );
}

export function measureCases<Case>(
  metrics: readonly Metric<Case>[],
  cases: readonly Examined<Case>[],
): Measured {
  const examined = cases.flatMap((one) => ('evidence' in one ? [one] : []));
  return {
    suite: measureSuite(
      metrics,
      examined.map((one) => one.evidence),
    ),
    perCase: Object.fromEntries(examined.map(({ id, evidence }) => [id, measureAll(metrics, [evidence])])),
  };
}
