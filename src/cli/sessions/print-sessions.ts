import { encodeSessionRow } from '../../api/session-row.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import type { PrintedRow } from '../../session/columns.ts';
import type { Terminal } from '../command.ts';
import { waitForDrain } from '../wait-for-drain.ts';

export type RowFormat = 'csv' | 'jsonl' | 'json';

/** Small enough that its text is collected with the young objects. */
const ROWS_TOGETHER = 50;

type RowPrinter = {
  readonly add: (row: PrintedRow) => Promise<void>;
  /** There is always a header, or a list. */
  readonly end: () => Promise<void>;
};

/** A few rows at a time: there may be more than fit in memory, and a slow reader holds the others back. */
export function printRows(format: RowFormat, terminal: Terminal): RowPrinter {
  let some: PrintedRow[] = [];
  let isFirst = true;
  const print = async (text: string) => {
    terminal.print(text);
    await waitForDrain(process.stdout);
  };
  const flush = async () => {
    await print(await FORMATS[format].rows(some, isFirst));
    some = [];
    isFirst = false;
  };
  return {
    add: async (row) => {
      some.push(row);
      if (some.length === ROWS_TOGETHER) await flush();
    },
    end: async () => {
      if (some.length > 0 || isFirst) await flush();
      await print(FORMATS[format].end);
    },
  };
}

type Format = {
  readonly rows: (rows: readonly PrintedRow[], isFirst: boolean) => string | Promise<string>;
  readonly end: string;
};

const FORMATS: Readonly<Record<RowFormat, Format>> = {
  csv: {
    rows: async (rows, isFirst) => {
      const { renderCsv } = await import('../../report/csv.ts');
      const { sessionTable } = await import('../../session/views/overview.ts');
      const csv = renderCsv(sessionTable(rows));
      return isFirst ? csv : csv.slice(csv.indexOf('\n') + 1);
    },
    end: '',
  },
  jsonl: {
    rows: (rows) => rows.map((row) => `${escapeJson(JSON.stringify(encodeSessionRow(row)))}\n`).join(''),
    end: '',
  },
  json: {
    // The rows between the brackets of a list.
    rows: (rows, isFirst) =>
      rows.length === 0
        ? '['
        : `${isFirst ? '[' : ','}\n${escapeJson(JSON.stringify(rows.map(encodeSessionRow), null, 2)).slice(2, -2)}`,
    end: ']\n',
  },
};
