/** Which metrics go along with what people say of the same outputs. */
import type { Correlation } from '../../stats/correlation.ts';
import { holm } from '../../stats/holm.ts';
import { spearman } from '../../stats/spearman.ts';

/** One output of which both is known. */
export type RatedOutput = {
  readonly id: string;
  /** 0 (bad) to 1 (good), the mean of what was said. */
  readonly satisfaction: number;
  /** Metric id → its value for this output; what was not measured is absent. */
  readonly metrics: Readonly<Record<string, number>>;
};

export type MetricCorrelation = {
  readonly metric: string;
  /** Outputs with both. */
  readonly n: number;
  /** By ranks: ratings have few values, and only their order can be trusted. Absent without three or without spread. */
  readonly correlation: Correlation | undefined;
  /** Corrected for as many metrics as could be told (Holm). */
  readonly adjustedP: number | undefined;
};

/** One for each of `metrics`, measured or not, in their order. */
export function correlate(
  outputs: readonly RatedOutput[],
  metrics: readonly string[],
): readonly MetricCorrelation[] {
  const told = metrics.map((metric) => {
    const pairs = outputs.flatMap(({ satisfaction, metrics: { [metric]: value } }) =>
      value === undefined ? [] : [{ value, satisfaction }],
    );
    const correlation = spearman(
      pairs.map(({ value }) => value),
      pairs.map(({ satisfaction }) => satisfaction),
    );
    return { metric, n: pairs.length, correlation };
  });
  const adjusted = holm(
    told.flatMap(({ correlation }) => (correlation === undefined ? [] : [correlation.p])),
  );
  let next = 0;
  return told.map((one) => ({
    ...one,
    adjustedP: one.correlation === undefined ? undefined : adjusted[next++],
  }));
}
