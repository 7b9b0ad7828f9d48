/**
 * Every table of the dashboard: sorted by its heads, walked with `j` and `k`, opened with Enter, cut after some rows,
 * and exported whole. Columns are data: what a cell is worth (sorting, export) and how it is shown.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../../../src/report/number.ts';
import {
  addressOf,
  asProblem,
  type Problem,
  problemOf,
  type Query,
  token,
  withToken,
} from '../api/client.ts';
import { useKeys } from '../shell/keys.ts';
import { csvOf, download, type Exported, saveAs } from './download.ts';
import { type SortBy, sorted } from './sorted.ts';

export type Column<Row> = {
  readonly key: string;
  readonly title: string;
  /** What it is worth: sorted and exported. `null` is unmeasured. */
  readonly value: (row: Row) => string | number | boolean | null | undefined;
  /** How it is shown; the value itself without this. */
  readonly show?: (row: Row) => ComponentChildren;
  readonly numeric?: boolean;
  /** The column that names the row. */
  readonly names?: boolean;
  readonly hint?: string;
  /** Only in the export. */
  readonly unseen?: boolean;
};

export type TableProps<Row> = {
  /** What it shows, for those who cannot see the heading above it; also the name of exported files. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Where Enter on a row leads; the naming column should link there too. */
  readonly href?: (row: Row) => string | undefined;
  /** So many rows are shown until the reader asks for all of them. */
  readonly limit?: number;
  readonly empty?: ComponentChildren;
  /** Takes `j` and `k`: the main table of a page. */
  readonly main?: boolean;
  /** Rows that just came. */
  readonly fresh?: ReadonlySet<string>;
  /** Where the server has more rows: the address of all of them, as `<path>.csv` and `<path>.json`. */
  readonly whole?: { readonly path: string; readonly query: Query };
  /** Told when the reader's pointer or focus is on the table: nothing should move then. */
  readonly onBusy?: (busy: boolean) => void;
};

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, limit = 10, main = false } = props;
  const [sort, setSort] = useState<SortBy>();
  const [all, setAll] = useState(false);
  const body = useRef<HTMLTableSectionElement>(null);
  const seen = columns.filter(({ unseen }) => unseen !== true);
  const ordered = sorted(rows, columns, sort);
  const shown = all ? ordered : ordered.slice(0, limit);
  useKeys(
    main ? { j: () => nextRow(body.current, 1)?.focus(), k: () => nextRow(body.current, -1)?.focus() } : {},
  );
  const busy = useBusy(props.onBusy);
  if (rows.length === 0) return <>{props.empty ?? <p class="sub">Nothing to show.</p>}</>;
  return (
    <div class="table" {...busy}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and must do so from the keyboard. */}
      <section class="scroll" tabIndex={0} aria-label={caption}>
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {seen.map((column) => (
                <Head
                  key={column.key}
                  column={column}
                  sort={sort}
                  {...(rows.length > 2 && { onSort: setSort })}
                />
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {shown.map((row) => (
              <Row key={rowKey(row)} row={row} columns={seen} table={props} />
            ))}
          </tbody>
        </table>
      </section>
      <div class="table-foot">
        {rows.length > limit && (
          <button type="button" class="link" onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${formatCount(rows.length)}`}
            <span class="unseen">: {caption}</span>
          </button>
        )}
        {props.whole === undefined ? (
          <Export caption={caption} columns={columns} rows={ordered} />
        ) : (
          <ExportWhole caption={caption} {...props.whole} />
        )}
      </div>
    </div>
  );
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly sort: SortBy | undefined;
  readonly onSort?: (sort: SortBy) => void;
}) {
  const { key, title, numeric, hint } = column;
  const now = sort?.key === key ? sort.direction : undefined;
  const first = numeric ? 'descending' : 'ascending';
  // A head without words names nothing.
  if (title === '') return <td />;
  const next = now === first ? (first === 'ascending' ? 'descending' : 'ascending') : first;
  return (
    <th scope="col" class={numeric ? 'num' : undefined} aria-sort={now} data-hint={hint}>
      {onSort === undefined ? (
        title
      ) : (
        <button type="button" onClick={() => onSort({ key, direction: next })}>
          {title}
        </button>
      )}
    </th>
  );
}

function Row<Row>({
  row,
  columns,
  table,
}: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly table: TableProps<Row>;
}) {
  const to = table.href?.(row);
  return (
    <tr
      class={table.fresh?.has(table.rowKey(row)) ? 'fresh' : undefined}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
        if (to !== undefined) event.currentTarget.querySelector<HTMLElement>('a')?.click();
      }}
    >
      {columns.map(({ key, value, show, numeric, names }) => {
        const content = show === undefined ? (value(row) ?? '–') : show(row);
        const look = numeric ? 'num' : undefined;
        return names ? (
          <th key={key} scope="row" class={look}>
            {content}
          </th>
        ) : (
          <td key={key} class={look}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

function Export<Row>({
  caption,
  columns,
  rows,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}) {
  const keys = columns.map(({ key }) => key);
  const values = (): Exported[] =>
    rows.map((row) => Object.fromEntries(columns.map(({ key, value }) => [key, value(row) ?? null])));
  const name = fileName(caption);
  return (
    <span class="export">
      <button
        type="button"
        class="link"
        aria-label={`CSV: ${caption}`}
        onClick={() => download(`${name}.csv`, 'text/csv', csvOf(keys, values()))}
      >
        CSV
      </button>
      <button
        type="button"
        class="link"
        aria-label={`JSON: ${caption}`}
        onClick={() =>
          download(`${name}.json`, 'application/json', `${JSON.stringify(values(), undefined, 2)}\n`)
        }
      >
        JSON
      </button>
    </span>
  );
}

function fileName(caption: string): string {
  return caption
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function ExportWhole({
  caption,
  path,
  query,
}: {
  readonly caption: string;
  readonly path: string;
  readonly query: Query;
}) {
  return (
    <span class="export">
      {(['csv', 'json'] as const).map((format) => (
        <SaveLink
          key={format}
          path={`${path}.${format}`}
          query={query}
          name={`${fileName(caption)}.${format}`}
          label={`${format.toUpperCase()}: ${caption}`}
          look="link"
        >
          {format.toUpperCase()}
        </SaveLink>
      ))}
    </span>
  );
}

/** The pointer or the focus is on it. */
function useBusy(onBusy: ((busy: boolean) => void) | undefined) {
  const state = useRef({ pointer: false, focus: false });
  const tell = (change: Partial<{ pointer: boolean; focus: boolean }>) => {
    Object.assign(state.current, change);
    onBusy?.(state.current.pointer || state.current.focus);
  };
  // Only when the table goes.
  useEffect(() => () => onBusy?.(false), []);
  if (onBusy === undefined) return {};
  return {
    onPointerEnter: () => tell({ pointer: true }),
    onPointerLeave: () => tell({ pointer: false }),
    onFocusIn: () => tell({ focus: true }),
    onFocusOut: (event: FocusEvent) => tell({ focus: isUnder(event.relatedTarget, event.currentTarget) }),
  };
}

/** Which row `j` or `k` leads to: from the one that has the focus, or from the first. */
function nextRow(body: HTMLTableSectionElement | null, step: 1 | -1): HTMLTableRowElement | undefined {
  const rows = [...(body?.rows ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  if (at === -1) return rows[step === 1 ? 0 : rows.length - 1];
  return rows[Math.max(0, Math.min(rows.length - 1, at + step))];
}

function isUnder(element: EventTarget | null, above: EventTarget | null): boolean {
  return element instanceof Node && above instanceof Node && above.contains(element);
}

/**
 * A link that saves an answer as a file. A plain link could carry a token only in its address, which logs and histories
 * store, so the page fetches the file itself.
 */
export function SaveLink({
  path,
  query,
  name,
  label,
  look,
  children,
}: {
  readonly path: string;
  readonly query?: Query;
  /** Of the file. */
  readonly name: string;
  /** For screen readers. */
  readonly label?: string;
  readonly look: 'chip' | 'link';
  readonly children: ComponentChildren;
}) {
  const [problem, setProblem] = useState<Problem>();
  const address = addressOf(path, query);
  const fetched = (event: Event) => {
    if (token.value === '') return;
    event.preventDefault();
    setProblem(undefined);
    saveFrom(address, name).catch((fault: unknown) => setProblem(asProblem(fault)));
  };
  return (
    <>
      {problem !== undefined && (
        <span class="sub tone-bad" role="alert">
          ✗ {problem.message}
        </span>
      )}
      <a class={look} href={address} download={name} aria-label={label} onClick={fetched}>
        {children}
      </a>
    </>
  );
}

async function saveFrom(address: string, name: string): Promise<void> {
  const response = await fetch(address, { headers: withToken() });
  if (!response.ok) throw await problemOf(response);
  saveAs(name, await response.blob());
}
