import type { Document } from '../report/document.ts';
import { renderDocument } from '../report/format.ts';
import { escapeJson } from '../report/unsafe-text.ts';
import type { Arguments, Option, Terminal } from './command.ts';

/** How a command prints a table that has a document around it for people. */
export const FORMAT_OPTION: Option = {
  type: 'string',
  choices: ['table', 'json', 'jsonl', 'csv', 'markdown', 'html'],
  default: 'table',
  doc: 'How to print it',
};

/** The same for results that are more than one table. */
export const DOCUMENT_FORMAT_OPTION: Option = {
  type: 'string',
  choices: ['table', 'json', 'markdown', 'html'],
  default: 'table',
  doc: 'How to print it',
};

export const ALL_OPTION: Option = { type: 'boolean', doc: 'Show every row of long tables' };

/** Machines get the data, people the document. */
export async function printDocument(
  args: Arguments,
  terminal: Terminal,
  data: unknown,
  document: () => Document,
): Promise<void> {
  const { format, all } = args.values;
  if (format === 'json') {
    terminal.print(`${escapeJson(JSON.stringify(data, null, 2))}\n`);
    return;
  }
  const { width, colour } = terminal;
  const options = { width, colour, all: all === true };
  terminal.print(await renderDocument(document(), format as 'table' | 'markdown' | 'html', options));
}
