import type { Column } from './table.tsx';

export type SortBy = { readonly key: string; readonly direction: 'ascending' | 'descending' };

const WORDS = new Intl.Collator('en', { numeric: true });

/** By the value of a column; unmeasured comes last. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Pick<Column<Row>, 'key' | 'value'>[],
  sort: SortBy | undefined,
): readonly Row[] {
  const column = columns.find(({ key }) => key === sort?.key);
  if (sort === undefined || column === undefined) return rows;
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [x, y] = [column.value(a) ?? undefined, column.value(b) ?? undefined];
    if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
    return (
      sign * (typeof x === 'number' && typeof y === 'number' ? x - y : WORDS.compare(String(x), String(y)))
    );
  });
}
