/** What an export is made of: kinds of records, and the tables that each of them fills. */
import type { Position, Store } from '../../store/store.ts';

export type ExportValue = string | number | boolean | undefined;

/** In the order of the columns. */
export type ExportRow = readonly ExportValue[];

export type ExportColumn = {
  readonly key: string;
  /** A time is as `Date.toISOString` writes it. */
  readonly type: 'text' | 'number' | 'time' | 'flag';
  /** Every row has it; without this it may be absent, which is never 0. */
  readonly required?: true;
  readonly doc: string;
};

/** Its name, columns and their order are what queries rely on: new columns go to the end. */
export type ExportTable = {
  readonly name: string;
  readonly doc: string;
  /** The columns that tell a row from all others. */
  readonly key: readonly string[];
  readonly columns: readonly ExportColumn[];
};

export type ExportPeriod = {
  /** At or after `since` and before `until`. */
  readonly period: { readonly since?: string; readonly until?: string };
  readonly now: string;
};

/** Records that are read together, and the tables they fill. */
export type ExportKind = {
  readonly kind: string;
  /** The time that a period is asked of. */
  readonly time: string;
  readonly tables: readonly ExportTable[];
  /** Some records at a time: of each table, in their order, the rows these give. */
  readonly batches: (store: Store, asked: ExportPeriod) => AsyncGenerator<readonly (readonly ExportRow[])[]>;
};

export type ReadColumn<Item> = ExportColumn & { readonly read: (item: Item) => ExportValue };

type FilledTable<Record> = ExportTable & { readonly rows: (record: Record) => readonly ExportRow[] };

/** A table whose rows are items of a record. */
export function tableOf<Record, Item>(
  table: Omit<ExportTable, 'columns'> & {
    readonly items: (record: Record) => readonly Item[];
    readonly columns: readonly ReadColumn<Item>[];
  },
): FilledTable<Record> {
  const { items, columns, ...about } = table;
  return {
    ...about,
    columns: columns.map(({ read: _, ...column }) => column),
    rows: (record) => items(record).map((item) => columns.map(({ read }) => read(item))),
  };
}

export function kindOf<Record>(kind: {
  readonly kind: string;
  readonly time: string;
  readonly tables: readonly FilledTable<Record>[];
  readonly read: (store: Store, asked: ExportPeriod) => AsyncGenerator<readonly Record[]>;
}): ExportKind {
  const { tables, read, ...about } = kind;
  return {
    ...about,
    tables: tables.map(({ rows: _, ...table }) => table),
    batches: async function* (store, asked) {
      for await (const records of read(store, asked))
        yield tables.map((table) => records.flatMap((record) => table.rows(record)));
    },
  };
}

/** Records held at a time. */
export const PAGE = 1000;

type Paged = { readonly order: 'newest'; readonly limit: number; readonly after?: Position };

/** Newest first, page by page: what is written meanwhile comes before the first page, and is left out. */
export async function* inPages<Record extends { readonly at: string }>(
  page: (query: Paged) => Promise<readonly Record[]>,
  keyOf: (record: Record) => string,
): AsyncGenerator<readonly Record[]> {
  for (let after: Position | undefined; ; ) {
    const records = await page({ order: 'newest', limit: PAGE, ...(after && { after }) });
    if (records.length > 0) yield records;
    const last = records.at(-1);
    if (last === undefined || records.length < PAGE) return;
    after = { at: last.at, key: keyOf(last) };
  }
}
