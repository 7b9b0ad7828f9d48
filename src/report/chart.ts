/** Charts as plain data. `chart-svg.ts` draws them; the dashboard will draw the same data in the browser. */

import type { Zone } from '../judge/zone.ts';
import type { Unit } from '../measure/metric.ts';
import type { Fraction } from './view.ts';

export type Chart = IntervalsChart | SeriesChart | HistogramChart | ScatterChart | HeatmapChart | EarnedChart;

type Titled = {
  /** Says what to see in it. */
  readonly title: string;
};

/** One dot with its interval per row. */
export type IntervalsChart = Titled & {
  readonly kind: 'intervals';
  readonly unit: Unit;
  readonly rows: readonly {
    readonly label: string;
    readonly value: number;
    readonly low?: number;
    readonly high?: number;
    readonly zone?: Zone;
    /** A tick on this row: where the metric should be. */
    readonly target?: number;
    readonly lowerIsBetter?: boolean;
    /** How value and interval are written where the row has another unit than the scale. */
    readonly text?: string;
  }[];
  readonly lines?: readonly { readonly label: string; readonly value: number }[];
};

/** Values over time, one line per series, labelled directly. */
export type SeriesChart = Titled & {
  readonly kind: 'series';
  readonly unit: Unit;
  readonly series: readonly {
    readonly label: string;
    readonly points: readonly {
      readonly at: string;
      readonly value: number;
      readonly low?: number;
      readonly high?: number;
    }[];
  }[];
  readonly lines?: readonly { readonly label: string; readonly value: number }[];
  /** Moments that may explain a change; a table beside the chart says more about them. */
  readonly marks?: readonly { readonly at: string; readonly label: string; readonly text: string }[];
  /** The scale begins at zero: amounts are seen against nothing. */
  readonly fromZero?: true;
};

/** How often values fall into equal bins; bars start at zero. */
export type HistogramChart = Titled & {
  readonly kind: 'histogram';
  readonly unit: Unit;
  readonly label: string;
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number }[];
};

/** Points with optional intervals upwards, and the line through the ones nothing beats. */
export type ScatterChart = Titled & {
  readonly kind: 'scatter';
  readonly x: { readonly label: string; readonly unit: Unit; readonly scale?: 'linear' | 'log' };
  /** `range`: all that there can be, for a scale that people know by its ends. */
  readonly y: { readonly label: string; readonly unit: Unit; readonly range?: readonly [number, number] };
  readonly points: readonly {
    readonly label: string;
    /** Named on demand only. */
    readonly quiet?: boolean;
    readonly x: number;
    readonly y: number;
    readonly low?: number;
    readonly high?: number;
    readonly group?: string;
  }[];
  readonly frontier?: readonly { readonly x: number; readonly y: number }[];
  /** What the points are means of, faint behind them. */
  readonly dots?: readonly { readonly x: number; readonly y: number }[];
};

/** A share per cell: so many of so many, or a value with a word for it; a cell without a value stays empty. */
export type HeatmapChart = Titled & {
  readonly kind: 'heatmap';
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  readonly cells: readonly {
    readonly row: string;
    readonly column: string;
    readonly value?: number;
    readonly fraction?: Fraction;
    readonly text?: string;
  }[];
  readonly legend: string;
};

/** The parts of a whole: the weight of each, and how much of it was earned. */
export type EarnedChart = Titled & {
  readonly kind: 'earned';
  readonly parts: readonly {
    readonly label: string;
    readonly weight: number;
    /** Absent where it is unmeasured. */
    readonly earned?: number;
  }[];
};
