/** What an export is made of: kinds of records, and the tables that each of them fills. */
import type { z } from 'zod';
import { snakeCase } from '../../letter-case.ts';
import type { Position, Store } from '../../store/store.ts';

export type ExportValue = string | number | boolean | undefined;

/** In the order of the columns. */
export type ExportRow = readonly ExportValue[];

export type ExportColumn<Item = never> = {
  readonly key: string;
  /** A time is as `Date.toISOString` writes it. */
  readonly type: 'text' | 'number' | 'time' | 'flag';
  /** Every row has it; without this it may be absent, which is never 0. */
  readonly required?: boolean | undefined;
  readonly doc: string;
  readonly read: (item: Item) => ExportValue;
};

/** Its name, columns and their order are what queries rely on: new columns go to the end. */
export type ExportTable<Record = never> = {
  readonly name: string;
  readonly doc: string;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  readonly columns: readonly ExportColumn[];
  readonly rows: (record: Record) => readonly ExportRow[];
};

export type ExportPeriod = {
  /** At or after `since` and before `until`. */
  readonly period: { readonly since?: string; readonly until?: string };
  readonly now: string;
};

/** Records that are read together, and the tables they fill. */
export type ExportKind<Record = never> = {
  readonly kind: string;
  /** The column that a period filters by. */
  readonly time: string;
  readonly tables: readonly ExportTable<Record>[];
  /** Some records at a time. */
  readonly read: (store: Store, asked: ExportPeriod) => AsyncIterable<readonly Record[]>;
};

/** A table whose rows are items of a record; by default the record itself. */
export function tableOf<Record, Item = Record>(table: {
  readonly name: string;
  readonly doc: string;
  readonly key: readonly string[];
  readonly items?: (record: Record) => readonly Item[];
  readonly columns: readonly ExportColumn<Item>[];
}): ExportTable<Record> {
  const { items = (record) => [record as unknown as Item], columns, ...about } = table;
  const rows = (record: Record) => items(record).map((item) => columns.map(({ read }) => read(item)));
  return { ...about, columns, rows };
}

/** Columns of fields that a schema declares, in this order. `at` is called after what happened then. */
export function columnsOf<Schema extends z.ZodObject, Item extends z.infer<Schema> = z.infer<Schema>>(
  schema: Schema,
  fields: readonly (keyof Schema['shape'] & string)[],
): [ExportColumn<Item>, ...ExportColumn<Item>[]] {
  const columns = fields.map((field): ExportColumn<Item> => {
    const declared = schema.shape[field] as z.ZodType;
    const isOptional = declared.type === 'optional';
    const inner = isOptional ? (declared as z.ZodOptional<z.ZodType>).unwrap() : declared;
    return {
      key: field === 'at' ? 'created_at' : snakeCase(field),
      type: inner.type === 'number' ? 'number' : 'format' in inner && inner.format ? 'time' : 'text',
      required: !isOptional,
      doc: declared.description ?? inner.description ?? '',
      read: (item) => item[field] as ExportValue,
    };
  });
  return columns as [ExportColumn<Item>, ...ExportColumn<Item>[]];
}

/** Records in memory at a time. */
export const PAGE = 1000;

type Paged = { readonly order: 'newest'; readonly limit: number; readonly after?: Position };

/** Newest first, page by page. Rows written during the export come before the first page and are not included. */
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
