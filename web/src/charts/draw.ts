/** The plotting library, loaded when the first chart is shown. */
import type { Chart } from '../../../src/report/chart.ts';
import { chartDrawing } from '../../../src/report/chart-drawing.ts';
import { chartTable } from '../../../src/report/chart-table.ts';
import { drawInto } from '../../../src/report/plot/frame.ts';

export type Drawn = { readonly svg: Element; readonly table: ReturnType<typeof chartTable> };

export function draw(chart: Chart, width: number): Drawn {
  const svg = drawInto(document, chartDrawing(chart, { width }));
  if (!(svg instanceof Element)) throw new TypeError('the chart is no element of this page');
  return { svg, table: chartTable(chart) };
}
