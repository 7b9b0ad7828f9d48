import type { Document, TableBlock } from '../report/document.ts';
import type { Arguments, Terminal } from './command.ts';
import { printDocument } from './print-report.ts';

type WireRow = Readonly<Record<string, unknown>>;

export type PrintedRows = {
  /** As they leave as JSON. */
  readonly rows: readonly WireRow[];
  /** The same for CSV. */
  readonly table: TableBlock;
  readonly document: () => Document;
};

/** Machines get every row, people the document. */
export async function printRows(
  args: Arguments,
  terminal: Terminal,
  { rows, table, document }: PrintedRows,
): Promise<void> {
  const { format } = args.values;
  if (format === 'csv') {
    const { renderCsv } = await import('../report/csv.ts');
    terminal.print(renderCsv(table));
  } else if (format === 'jsonl') {
    const { escapeJson } = await import('../report/unsafe-text.ts');
    terminal.print(rows.map((row) => `${escapeJson(JSON.stringify(row))}\n`).join(''));
  } else await printDocument(args, terminal, rows, document);
}
