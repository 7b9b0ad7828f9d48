import { join, resolve } from 'node:path';
import { encode } from '../api/wire.ts';
import { exportStore, type StoreExportRequest } from '../operations/export/export-store.ts';
import { EXPORT_KINDS } from '../operations/export/kinds.ts';
import { exportView } from '../report/store-views.ts';
import { openTableFile, TABLE_FORMATS } from '../report/tables/table-file.ts';
import { defineCommand, isoTime, STORE_OPTIONS } from './command.ts';
import { openPorts } from './open-ports.ts';
import { printResult } from './print-result.ts';

const KINDS = EXPORT_KINDS.map(({ kind }) => kind);

export const command = defineCommand({
  name: 'export',
  summary: 'Export everything in a store as tables, for DuckDB, pandas or a spreadsheet',
  positionals: { usage: '[FOLDER]', max: 1 },
  options: {
    as: { type: 'choice', choices: TABLE_FORMATS, default: 'parquet', doc: 'Format of the files' },
    kind: { type: 'list', choices: KINDS, value: 'KIND,…', doc: 'Only these kinds (default: everything)' },
    since: { type: 'time', value: 'WHEN', doc: 'Only records since then: 7d, 24h, 2w or a date' },
    until: {
      type: 'time',
      end: true,
      value: 'WHEN',
      doc: 'Only records before then; a date includes that whole day',
    },
    timezone: { type: 'timezone', value: 'ZONE', doc: 'Time zone of dates (default: that of this machine)' },
    format: {
      type: 'choice',
      choices: ['table', 'json'],
      default: 'table',
      doc: 'How to print the summary',
    },
    ...STORE_OPTIONS,
  },
  examples: ['assay export', 'assay export numbers --as csv --kind sessions,runs --since 30d'],
  notes: [
    `Kinds: ${KINDS.join(', ')}. FOLDER defaults to assay-export; files of the same names are replaced.`,
    'docs/export.md describes every table and column, docs/sql.md has example queries.',
  ],
  run: async (args, terminal) => {
    const folder = args.positionals[0] ?? 'assay-export';
    const { as, kind, since, until } = args.values;
    const nameOf = (table: string) => join(folder, `${table}.${as}`);
    const request: StoreExportRequest = {
      kinds: kind,
      since: isoTime(since),
      until: isoTime(until),
      open: ({ name, columns }) => openTableFile(resolve(terminal.cwd, nameOf(name)), as, columns),
    };
    const ports = openPorts(args, terminal, 'all');
    const { address, tables } = await exportStore(request, ports).finally(ports.close);
    const files = tables.map((one) => ({ ...one, path: nameOf(one.table) }));
    await printResult(args, terminal, {
      document: () => exportView({ address, as, files }, args.given),
      json: async () => encode((await import('../api/schema/store.ts')).storeExport, { address, as, files }),
    });
    return 0;
  },
});
