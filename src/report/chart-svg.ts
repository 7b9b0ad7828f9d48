/**
 * Charts as SVG text. Loading the plotting library takes a good tenth of a second, so only `html.ts` imports this
 * file, and that one is imported when HTML is asked for.
 */
import type { Chart } from './chart.ts';
import { earnedSvg } from './plot/earned.ts';
import type { Size } from './plot/frame.ts';
import { heatmapSvg } from './plot/heatmap.ts';
import { histogramSvg } from './plot/histogram.ts';
import { intervalsSvg } from './plot/intervals.ts';
import { scatterSvg } from './plot/scatter.ts';
import { seriesSvg } from './plot/series.ts';

/** A phone gets its own drawing: a wide one scaled down would have letters nobody can read. */
const NARROW_WIDTH = 500;

export function chartSvg(chart: Chart, options: { readonly width: number }): string {
  const size: Size = { width: options.width, narrow: options.width < NARROW_WIDTH };
  switch (chart.kind) {
    case 'intervals':
      return intervalsSvg(chart, size);
    case 'series':
      return seriesSvg(chart, size);
    case 'histogram':
      return histogramSvg(chart, size);
    case 'scatter':
      return scatterSvg(chart, size);
    case 'heatmap':
      return heatmapSvg(chart, size);
    case 'earned':
      return earnedSvg(chart, size);
  }
}
