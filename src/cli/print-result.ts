import type { ViewFormat } from '../report/format.ts';
import { inPieces, renderJson, renderJsonl } from '../report/json.ts';
import type { TableBlock, View } from '../report/view.ts';
import type { Terminal } from './command.ts';
import { waitForDrain } from './wait-for-drain.ts';

/** What says how a result is printed. */
export type PrintArguments = { readonly values: { readonly format?: string; readonly all?: boolean } };

/** A result in every shape that a format may ask for; each is made only when it is. */
export type Printable = {
  readonly document: () => View;
  /** Lists in it may be any iterable: their items are printed one by one. */
  readonly json: () => object | Promise<object>;
  /** One object per line. */
  readonly jsonl?: () => Iterable<object> | Promise<Iterable<object>>;
  readonly csv?: () => TableBlock | Promise<TableBlock>;
  readonly junit?: () => Promise<Iterable<string>>;
  /** Markdown with its own template. */
  readonly markdown?: () => string;
};

/** A list as it leaves as JSON, its rows a line each, and the same as a table for CSV. */
export function listWith<Key extends string>(
  wire: () => Promise<{ readonly [K in Key]: readonly object[] }>,
  rows: Key,
  table: TableBlock,
): Pick<Printable, 'json' | 'jsonl' | 'csv'> {
  return { json: wire, jsonl: async () => (await wire())[rows], csv: () => table };
}

/** People get the document, programs the data, CI its report. */
export async function printResult(
  args: PrintArguments,
  terminal: Terminal,
  result: Printable,
): Promise<void> {
  for (const piece of await piecesOfResult(args, terminal, result)) {
    terminal.print(piece);
    // There may be more than fits in memory, and a slow reader holds the rest back.
    await waitForDrain(process.stdout);
  }
}

async function piecesOfResult(
  args: PrintArguments,
  terminal: Terminal,
  result: Printable,
): Promise<Iterable<string>> {
  const { format } = args.values;
  if (format === 'json') return renderJson(await result.json());
  if (format === 'jsonl' && result.jsonl) return inPieces(renderJsonl(await result.jsonl()));
  if (format === 'csv' && result.csv)
    return inPieces((await import('../report/csv.ts')).csvPieces(await result.csv()));
  if (format === 'junit' && result.junit) return inPieces(await result.junit());
  return [await textOfResult(args, terminal, result)];
}

async function textOfResult(
  { values }: PrintArguments,
  { width, colour }: Terminal,
  { document, markdown }: Printable,
): Promise<string> {
  const { format, all } = values;
  if (format === 'markdown' && markdown) return markdown();
  const { renderView } = await import('../report/format.ts');
  return renderView(document(), format as ViewFormat, { width, colour, all: all === true });
}
