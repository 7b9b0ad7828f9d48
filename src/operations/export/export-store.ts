import { inspectStore, storeExists } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { missingStore } from '../store/check-store.ts';
import { EXPORT_KINDS } from './kinds.ts';
import type { ExportKind, ExportPeriod, ExportRow, ExportTable } from './table.ts';

/** Where the rows of a table go. */
export type TableSink = {
  readonly write: (rows: readonly ExportRow[]) => void;
  /** Gives its size in bytes. */
  readonly finish: () => number;
  readonly discard: () => void;
};

export type StoreExportRequest = {
  /** All of them when absent. */
  readonly kinds?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly open: (table: ExportTable) => Promise<TableSink>;
};

type ExportedTable = { readonly table: string; readonly rows: number; readonly bytes: number };

export type Export = {
  /** The store it is from, as a person would type it. */
  readonly address: string;
  readonly tables: readonly ExportedTable[];
};

/** Exports everything in a store, one table after the other, one page in memory at a time. */
export async function exportStore(request: StoreExportRequest, ports: Ports): Promise<Export> {
  const { kinds, since, until } = request;
  const asked: ExportPeriod = {
    period: { since, until },
    now: ports.now().toISOString(),
  };
  const store = await ports.store('looking');
  // Of a mistyped one, empty files would take the place of good ones.
  if (!storeExists(store.address)) throw missingStore(await inspectStore(store.address));
  const tables: ExportedTable[] = [];
  for (const kind of EXPORT_KINDS.filter((one) => kinds?.includes(one.kind) ?? true))
    tables.push(...(await exportKind(kind, asked, { store, open: request.open, ports })));
  return { address: store.address, tables };
}

async function exportKind(
  kind: ExportKind,
  asked: ExportPeriod,
  {
    store,
    open,
    ports,
  }: { readonly store: Store; readonly open: StoreExportRequest['open']; readonly ports: Ports },
): Promise<readonly ExportedTable[]> {
  const sinks: TableSink[] = [];
  const counts = kind.tables.map(() => 0);
  try {
    for (const table of kind.tables) sinks.push(await open(table));
    for await (const records of kind.read(store, asked)) {
      ports.signal.throwIfAborted();
      for (const [index, table] of kind.tables.entries()) {
        const rows = records.flatMap((record) => table.rows(record));
        sinks[index]?.write(rows);
        counts[index] = (counts[index] ?? 0) + rows.length;
      }
      ports.progress({ what: kind.kind, done: counts[0] ?? 0, unit: 'records' });
    }
  } catch (error) {
    for (const sink of sinks) sink.discard();
    throw error;
  }
  return kind.tables.map(({ name }, index) => ({
    table: name,
    rows: counts[index] ?? 0,
    bytes: sinks[index]?.finish() ?? 0,
  }));
}
