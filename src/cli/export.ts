import { join, resolve } from 'node:path';
import { encodeExport } from '../api/encode/export.ts';
import { AssayError } from '../errors.ts';
import { exportStore, type StoreExportRequest } from '../operations/export/export-store.ts';
import { EXPORT_KINDS } from '../operations/export/kinds.ts';
import { exportDocument } from '../report/export-document.ts';
import { openTableFile, TABLE_FORMATS, type TableFormat } from '../report/tables/table-file.ts';
import { didYouMean } from '../suggest.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION } from './command.ts';
import { givenOf } from './given.ts';
import { openPorts } from './open-ports.ts';
import { printResult } from './print-result.ts';
import { ownStore } from './sessions/own-store.ts';
import { beforeOption, sinceOption } from './sessions/time-options.ts';
import { textOf } from './text-of.ts';

const KINDS = EXPORT_KINDS.map(({ kind }) => kind);

const OPTIONS = {
  as: { type: 'string', choices: TABLE_FORMATS, default: 'parquet', doc: 'What the files are' },
  kind: { type: 'string', value: 'KIND,…', list: true, doc: 'Only these kinds (default: everything)' },
  since: { type: 'string', value: 'WHEN', doc: 'Only what is from then on: 7d, 24h, 2w or a date' },
  until: { type: 'string', value: 'WHEN', doc: 'Only what is from before then; a date means all of its day' },
  timezone: { type: 'string', value: 'ZONE', doc: 'Time zone of dates (default: that of this machine)' },
  format: { type: 'string', choices: ['table', 'json'], default: 'table', doc: 'How to print what was done' },
  ...STORE_OPTION,
  ...CONFIG_OPTION,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'export',
  summary: 'Write everything a store has as tables, for DuckDB, pandas or a spreadsheet',
  positionals: { usage: '[FOLDER]', max: 1 },
  options: OPTIONS,
  examples: ['assay export', 'assay export numbers --as csv --kind sessions,runs --since 30d'],
  notes: [
    `Kinds: ${KINDS.join(', ')}. FOLDER is assay-export unless told; files of the same names are replaced.`,
    'docs/export.md has every table and column, docs/sql.md questions to ask of them.',
  ],
  run: async (args, terminal) => {
    const folder = args.positionals[0] ?? 'assay-export';
    const as = textOf(args, 'as') as TableFormat;
    const nameOf = (table: string) => join(folder, `${table}.${as}`);
    const request: StoreExportRequest = {
      ...kindsIn(args),
      ...periodIn(args),
      open: ({ name, columns }) => openTableFile(resolve(terminal.cwd, nameOf(name)), as, columns),
    };
    const ports = openPorts(args, terminal, ownStore);
    const { address, tables } = await exportStore(request, ports).finally(ports.close);
    const files = tables.map((one) => ({ ...one, path: nameOf(one.table) }));
    await printResult(args, terminal, {
      document: () => exportDocument({ address, as, files }, givenOf(args, OPTIONS)),
      json: () => encodeExport({ address, as, files }),
    });
    return 0;
  },
};

function kindsIn(args: Arguments): { readonly kinds?: readonly string[] } {
  const text = textOf(args, 'kind');
  if (text === undefined) return {};
  const kinds = text.split(',').map((name) => name.trim());
  for (const kind of kinds)
    if (!KINDS.includes(kind))
      throw new AssayError('USAGE', `--kind knows no kind "${kind}"${didYouMean(kind, KINDS)}`);
  return { kinds };
}

function periodIn(args: Arguments): { readonly since?: string; readonly until?: string } {
  const [since, until] = [sinceOption(args, Date.now()), beforeOption(args, Date.now())];
  return {
    ...(since !== undefined && { since: new Date(since).toISOString() }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  };
}
