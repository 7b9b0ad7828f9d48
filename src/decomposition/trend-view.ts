/** How the metrics of a series moved, as a chart and a table show it. */
import type { Trend } from '../judge/trend.ts';
import type { Unit } from '../measure/metric.ts';
import type { HistorySeries } from './history.ts';

/** A run, or a week with the mean of its runs. */
export type TrendViewPoint = {
  readonly at: string;
  readonly value: number;
  readonly runId?: string;
  readonly week?: string;
  readonly runs?: number;
};

export type TrendView = {
  readonly series: HistorySeries;
  /** Over runs, whatever is drawn: three runs in a row may lie in one week. */
  readonly trends: readonly Trend[];
  /** Metric id → what is drawn. */
  readonly points: ReadonlyMap<string, readonly TrendViewPoint[]>;
};

export type SuiteTrends = {
  /** The file of the history. */
  readonly history: string;
  readonly weekly: boolean;
  readonly metrics: readonly { readonly id: string; readonly title: string; readonly unit: Unit }[];
  readonly views: readonly TrendView[];
  /** Series of the history that are not among these. */
  readonly others: number;
};
