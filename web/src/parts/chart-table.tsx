import type { Drawn } from '../charts/draw.ts';
import { Table } from './table.tsx';

/** The values that a chart shows, for those who want them exactly or cannot see it. */
export function ChartTable({ table }: { readonly table: Drawn['table'] }) {
  const rows = table.rows.map((cells, index) => ({ index, cells }));
  return (
    <details>
      <summary>Exact values</summary>
      <Table
        caption={table.title ?? 'Values'}
        rows={rows}
        rowKey={({ index }) => String(index)}
        columns={table.columns.map(({ header, align }, place) => ({
          key: header === '' ? 'name' : header,
          header,
          names: place === 0,
          numeric: align === 'point',
          value: ({ cells }: (typeof rows)[number]) => cells[place]?.text,
        }))}
      />
    </details>
  );
}
