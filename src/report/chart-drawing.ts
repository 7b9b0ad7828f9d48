/** Every kind of chart as a drawing. */
import type { Chart } from './chart.ts';
import { earnedDrawing } from './plot/earned.ts';
import type { Drawing, Size } from './plot/frame.ts';
import { heatmapDrawing } from './plot/heatmap.ts';
import { histogramDrawing } from './plot/histogram.ts';
import { intervalsDrawing } from './plot/intervals.ts';
import { scatterDrawing } from './plot/scatter.ts';
import { seriesDrawing } from './plot/series.ts';

/** A phone gets its own drawing: the letters of a scaled one would be too small. */
const NARROW_WIDTH = 500;

export function chartDrawing(chart: Chart, options: { readonly width: number }): Drawing {
  const size: Size = { width: options.width, narrow: options.width < NARROW_WIDTH };
  switch (chart.kind) {
    case 'intervals':
      return intervalsDrawing(chart, size);
    case 'series':
      return seriesDrawing(chart, size);
    case 'histogram':
      return histogramDrawing(chart, size);
    case 'scatter':
      return scatterDrawing(chart, size);
    case 'heatmap':
      return heatmapDrawing(chart, size);
    case 'earned':
      return earnedDrawing(chart, size);
  }
}
