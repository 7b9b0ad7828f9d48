import type { Document, TableBlock } from '../report/document.ts';
import type { DocumentFormat } from '../report/format.ts';
import { renderJsonl } from '../report/jsonl.ts';
import { escapeJson } from '../report/unsafe-text.ts';
import type { Arguments, Terminal } from './command.ts';

/** A result in every shape that a format may ask for; each is made only when it is. */
export type Printable = {
  readonly document: () => Document;
  readonly json: () => object;
  /** One object per line. */
  readonly jsonl?: () => readonly object[];
  readonly csv?: () => TableBlock | Promise<TableBlock>;
  readonly junit?: () => Promise<string>;
  /** Where Markdown follows a template of its own. */
  readonly markdown?: () => string;
};

/** A list as it leaves as JSON, its rows a line each, and the same as a table for CSV. */
export function listWith<Key extends string>(
  wire: { readonly [K in Key]: readonly object[] },
  rows: Key,
  table: TableBlock,
): Pick<Printable, 'json' | 'jsonl' | 'csv'> {
  return { json: () => wire, jsonl: () => wire[rows], csv: () => table };
}

/** People get the document, programs the data, CI its report. */
export async function printResult(args: Arguments, terminal: Terminal, result: Printable): Promise<void> {
  terminal.print(await textOfResult(args, terminal, result));
}

async function textOfResult(
  { values }: Arguments,
  { width, colour }: Terminal,
  { document, json, jsonl, csv, junit, markdown }: Printable,
): Promise<string> {
  const { format, all } = values;
  if (format === 'json') return `${escapeJson(JSON.stringify(json(), null, 2))}\n`;
  if (format === 'jsonl' && jsonl) return renderJsonl(jsonl());
  if (format === 'csv' && csv) return (await import('../report/csv.ts')).renderCsv(await csv());
  if (format === 'junit' && junit) return junit();
  if (format === 'markdown' && markdown) return markdown();
  const { renderDocument } = await import('../report/format.ts');
  return renderDocument(document(), format as DocumentFormat, { width, colour, all: all === true });
}
