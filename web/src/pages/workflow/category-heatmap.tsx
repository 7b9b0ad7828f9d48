import '../../parts/heat.css';
import { formatCount, formatPercent } from '../../../../src/report/number.ts';
import { Value } from '../../parts/measured.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { Heatmap, HeatmapCell } from './shapes.ts';

type Row = Heatmap['workflows'][number];

const TONE = { '✓': 'good', '~': 'caution', '✗': 'bad' } as const;

/** Kinds of error × workflows: k of n in every cell, empty where nothing of the kind is known. */
export function CategoryHeatmap({ heatmap }: { readonly heatmap: Heatmap }) {
  return (
    <>
      <Table
        caption="Errors found by category"
        rows={heatmap.workflows}
        rowKey={({ workflow }) => workflow}
        limit={20}
        columns={[
          {
            key: 'workflow',
            header: 'workflow',
            names: true,
            value: ({ workflow }) => workflow,
            show: ({ workflow }) => <div class="named">{workflow}</div>,
          },
          ...heatmap.categories.map(categoryColumn),
          {
            key: 'CC',
            header: 'CC',
            hint: 'Category coverage: of ten categories, those in which anything was found',
            numeric: true,
            value: ({ cc }) => cc.value,
            show: ({ cc }) => <Value of={cc.value} unit="percent" reason={cc.reason} />,
          },
          {
            key: 'CC_present',
            header: 'present',
            hint: 'The same over the categories that this ground truth has',
            numeric: true,
            value: ({ cc_present }) => cc_present.value,
            show: ({ cc_present }) => (
              <Value of={cc_present.value} unit="percent" reason={cc_present.reason} />
            ),
          },
        ]}
      />
      <p class="sub">
        ✓ over 75%, ~ 50% to 75%, ✗ under 50% of the errors found; * fewer than five errors known; an empty
        cell: no error of the kind is known. A blind spot is claimed from three tasks with the kind on.
      </p>
    </>
  );
}

function categoryColumn(category: string): Column<Row> {
  const at = ({ cells }: Row) => cells.find((cell) => cell.category === category);
  return {
    key: category,
    header: category,
    value: (row) => {
      const cell = at(row);
      return cell && `${found(cell.detected)}/${cell.errors}`;
    },
    show: (row) => <Cell cell={at(row)} />,
  };
}

function Cell({ cell }: { readonly cell: HeatmapCell | undefined }) {
  if (cell === undefined) return <span class="unseen">no error of this kind is known</span>;
  const { mark, detected, errors, rate, few_errors, blind_spot } = cell;
  const said = `${formatPercent(rate)} found${blind_spot === 'yes' ? ', a blind spot' : ''}`;
  return (
    <span class={`heat-cell count-cell fill-soft-${TONE[mark]}`} data-hint={said}>
      <i class={`tone-${TONE[mark]}`}>{mark}</i> {found(detected)}/{errors}
      {few_errors && '*'}
    </span>
  );
}

/** A mean over runs: two digits where it is no whole number. */
export function found(detected: number): string {
  return Number.isInteger(detected) ? formatCount(detected) : String(Number(detected.toFixed(2)));
}
