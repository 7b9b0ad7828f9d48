import { type Action, carry, type Given } from './action.ts';
import type { Document } from './document.ts';
import { formatAmount } from './number.ts';
import type { TableFormat } from './tables/table-file.ts';

export type ExportResult = {
  readonly address: string;
  readonly as: TableFormat;
  readonly files: readonly {
    readonly table: string;
    readonly path: string;
    readonly rows: number;
    readonly bytes: number;
  }[];
};

export function exportDocument({ address, as, files }: ExportResult, given: Given): Document {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const written = `${formatAmount(rows, 'row')} of ${address} in ${formatAmount(files.length, 'file')}`;
  const status: Action = {
    operation: 'store status',
    options: { store: address, ...carry(given, ['config']) },
  };
  return {
    title: 'Export',
    answer: rows === 0 ? `${address} has nothing of this: the files have no rows.` : `${written}.`,
    blocks: [
      {
        kind: 'table',
        title: 'Files',
        columns: [
          { key: 'path', header: 'file', style: 'name', min: 30 },
          { key: 'rows', header: 'rows', style: 'count' },
          { key: 'bytes', header: 'bytes', style: 'count' },
        ],
        rows: files.map(({ path, rows, bytes }) => ({ path, rows, bytes })),
      },
    ],
    notes: [
      'What is unmeasured is null, and never 0; times are UTC.',
      ...(as === 'csv'
        ? ['A text that a spreadsheet would run as a formula has an apostrophe before it.']
        : []),
    ],
    next: [status],
  };
}
