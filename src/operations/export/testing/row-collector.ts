import type { TableSink } from '../export-store.ts';
import type { ExportRow, ExportTable } from '../table.ts';

/** Collects the rows of an export and the state of each table. */
export class RowCollector {
  readonly rows = new Map<string, ExportRow[]>();
  readonly finished: string[] = [];
  readonly discarded: string[] = [];

  readonly open = async ({ name }: ExportTable): Promise<TableSink> => {
    const held: ExportRow[] = [];
    this.rows.set(name, held);
    return {
      write: (rows) => {
        held.push(...rows);
      },
      finish: () => {
        this.finished.push(name);
        return held.length;
      },
      discard: () => {
        this.discarded.push(name);
      },
    };
  };
}
