import { rect, text } from '@observablehq/plot';
import type { EarnedChart } from '../chart.ts';
import { earnedText } from '../chart-table.ts';
import { plain } from '../unsafe-text.ts';
import { COLOUR, type Drawing, drawing, fitLabel, pixelsOf, type Size } from './frame.ts';

type Drawn = EarnedChart['parts'][number] & {
  readonly y: number;
  readonly name: string;
  readonly said: string;
};

const ROW = 30;
const HALF_BAR = 0.3;
const BOX = {
  x1: 0,
  y1: ({ y }: Drawn) => y - HALF_BAR,
  y2: ({ y }: Drawn) => y + HALF_BAR,
  title: 'said',
} as const;

/** One row per part: the width of its box is its weight, the fill is what it earned. */
export function earnedDrawing(chart: EarnedChart, { width }: Size): Drawing {
  const rows = chart.parts.map((part, y): Drawn => {
    const name = plain(part.label);
    return { ...part, y, name, said: `${name}: ${earnedText(part)}` };
  });
  const widest = Math.max(0.01, ...rows.map(({ weight }) => weight));
  const marginLeft = Math.min(width / 3, 16 + Math.max(...rows.map(({ name }) => pixelsOf(name))));
  const marginRight = 12 + Math.max(...rows.map((row) => pixelsOf(earnedText(row))));
  return drawing(chart.title, {
    width,
    height: rows.length * ROW + 4,
    marginLeft,
    marginRight,
    marginTop: 2,
    marginBottom: 2,
    x: { domain: [0, widest], axis: null },
    y: { domain: [rows.length - 0.5, -0.5], axis: null },
    marks: [
      rect(rows, { ...BOX, x2: 'weight', fill: 'var(--sunken)', stroke: COLOUR.line }),
      rect(
        rows.filter(({ earned = 0 }) => earned > 0),
        { ...BOX, x2: 'earned', fill: 'var(--mark-good)' },
      ),
      text(rows, {
        x: () => 0,
        y: 'y',
        dx: -10,
        text: ({ name }: Drawn) => fitLabel(name, marginLeft - 14),
        textAnchor: 'end',
        fill: COLOUR.ink,
      }),
      text(rows, {
        x: 'weight',
        y: 'y',
        dx: 8,
        text: earnedText,
        textAnchor: 'start',
        fill: COLOUR.soft,
      }),
    ],
  });
}
