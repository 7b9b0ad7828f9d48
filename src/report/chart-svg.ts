/**
 * Charts as SVG text. Loading the plotting library takes more than 0.1 s, so only `html.ts` imports this file, on
 * demand.
 */
import { DOMImplementation, XMLSerializer } from '@xmldom/xmldom';
import type { Chart } from './chart.ts';
import { chartDrawing } from './chart-drawing.ts';
import { drawInto } from './plot/frame.ts';

/** One document serves all charts: it is only a factory of elements. */
const factory = new DOMImplementation().createDocument('http://www.w3.org/1999/xhtml', 'html', null);

/** The same chart gives the same bytes: no ids, no counters, no clock. */
export function chartSvg(chart: Chart, options: { readonly width: number }): string {
  return new XMLSerializer().serializeToString(drawInto(factory, chartDrawing(chart, options)) as never);
}
