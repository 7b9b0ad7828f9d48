/** A table of words, as every format of a result has it, with what a page adds: sorting, links, exports. */
import type { ComponentChildren } from 'preact';
import { UNMEASURED } from '../../../src/report/number.ts';
import type { TextCell, TextTable } from '../../../src/report/text-table.ts';
import { cellOf, type Row, type TableBlock } from '../../../src/report/view.ts';
import { splitMark } from '../../../src/report/zone-mark.ts';
import { Hint, Pill, Unmeasured } from './measured.tsx';
import { Table } from './table.tsx';

export type ViewOptions = {
  /** Where a row leads, by the title of its table. */
  readonly href?: (row: Row, title: string) => string | undefined;
  /** Columns that a page shows in its own way, by key; nothing is shown where it gives nothing. */
  readonly show?: Readonly<Record<string, (row: Row) => ComponentChildren>>;
  /** The title of the table that `j` and `k` walk. */
  readonly main?: string;
};

type Line = { readonly index: number; readonly cells: readonly TextCell[]; readonly row: Row };

/** `block`: what the words were made of, so that exports have its keys and plain values. */
export function TextTableView({
  table,
  block,
  href,
  show = {},
  main,
}: ViewOptions & { readonly table: TextTable; readonly block?: TableBlock | undefined }) {
  const lines = table.rows.map((cells, index): Line => ({ index, cells, row: block?.rows[index] ?? {} }));
  const to = (line: Line) => href?.(line.row, table.title);
  return (
    <Table
      caption={table.title}
      rows={lines}
      rowKey={({ index }) => String(index)}
      limit={table.limit}
      href={to}
      main={main === table.title}
      columns={table.columns.map(({ title, align, shorten }, place) => {
        const key = block?.columns[place]?.key ?? (title === '' ? `column ${place + 1}` : title);
        const own = Object.hasOwn(show, key) ? show[key] : undefined;
        return {
          key,
          title,
          names: place === 0,
          numeric: align === 'point',
          value: ({ cells, row }: Line) =>
            cells[place]?.sort ?? (cellOf(row, key) === undefined ? textOf(cells[place]) : undefined),
          show: (line: Line) => {
            if (own !== undefined) return own(line.row);
            const address = place === 0 ? to(line) : undefined;
            const shown = <CellWords cell={line.cells[place]} isText={place > 0 && shorten === 'end'} />;
            return address === undefined ? shown : <a href={address}>{shown}</a>;
          },
        };
      })}
    />
  );
}

function textOf(cell: TextCell | undefined): string | undefined {
  return cell === undefined || cell.text === UNMEASURED ? undefined : cell.text.trim();
}

/** A column of sentences needs room. */
const SENTENCE_CHARS = 24;

function CellWords({
  cell,
  isText,
}: {
  readonly cell: TextCell | undefined;
  /** Sentences rather than a name. */
  readonly isText: boolean;
}) {
  if (cell === undefined) return null;
  const { text, tone, hint } = cell;
  if (text === UNMEASURED) return <Unmeasured reason={hint} />;
  if (hint !== undefined) return <Hint text={hint}>{text}</Hint>;
  const marked = splitMark(text);
  if (marked !== undefined) return <Pill tone={tone ?? marked.tone}>{text}</Pill>;
  if (tone !== undefined) return <span class={`keep tone-${tone}`}>{text}</span>;
  if (text.length <= SENTENCE_CHARS)
    return <span class={text.startsWith('  ') ? 'keep below' : 'keep'}>{text}</span>;
  return <div class={isText ? 'words' : 'named'}>{text}</div>;
}
