/** Which blocks of a document share a row of a page. */
import type { Chart } from '../chart.ts';
import type { Block, ChartBlock, TableBlock, View } from '../view.ts';

/** Where the tiles say it, a list need not. */
export function blocksOf({ blocks, tiles = [] }: View): readonly Block[] {
  return tiles.length === 0 ? blocks : blocks.filter((block) => block.kind !== 'list' || !block.tiled);
}

export type Group =
  | Exclude<Block, ChartBlock>
  | {
      readonly kind: 'figure';
      readonly chart: Chart;
      readonly values?: TableBlock;
      /** Its exact values are not shown next to it. */
      readonly folds: boolean;
    }
  | { readonly kind: 'figures'; readonly charts: readonly Chart[] };

/**
 * Nothing is shown twice: a table of metrics draws its own intervals, and a chart of a table has the table in its fold.
 * Charts side by side can be compared.
 */
export function groups(blocks: readonly Block[]): Group[] {
  const result: Group[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (block.kind !== 'chart') result.push(block);
    else if (isSmall(block.chart) && last?.kind === 'figures')
      result.splice(-1, 1, { kind: 'figures', charts: [...last.charts, block.chart] });
    else if (isSmall(block.chart)) result.push({ kind: 'figures', charts: [block.chart] });
    else if (block.repeats && block.chart.kind === 'heatmap' && last?.kind === 'table')
      result.splice(-1, 1, {
        kind: 'figure',
        chart: block.chart,
        values: last,
        folds: true,
      });
    else if (!(block.repeats && last?.kind === 'metrics'))
      result.push({
        kind: 'figure',
        chart: block.chart,
        folds: !(block.repeats && block.chart.kind === 'earned'),
      });
  }
  return result;
}

function isSmall({ kind }: Chart): boolean {
  return kind === 'series' || kind === 'histogram' || kind === 'scatter';
}
