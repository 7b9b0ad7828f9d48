import { encode } from '../../api/wire.ts';
import { AssayError } from '../../errors.ts';
import { copyStore, isWholeCopy } from '../../operations/store/copy-store.ts';
import { storeCopyView } from '../../report/store-views.ts';
import { defineCommand, TABLE_FORMAT_OPTION } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';

export const command = defineCommand({
  name: 'store copy',
  summary: 'Copy everything from one store into another, and verify it by counts and checksums',
  options: {
    from: {
      type: 'path',
      required: true,
      value: 'STORE',
      doc: 'The store to copy from: a file or clickhouse://…',
    },
    to: {
      type: 'path',
      required: true,
      value: 'STORE',
      doc: 'The store to copy to; created if missing',
    },
    format: TABLE_FORMAT_OPTION,
  },
  examples: [
    'assay store copy --from scores.db --to clickhouse://db.example:8123/assay',
    'assay store copy --from clickhouse://db.example:8123/assay --to backup.db',
  ],
  notes: [
    'An interrupted copy continues where it stopped when you run it again; nothing is stored twice.',
    'Exit codes: 0 the target has all of the source, 1 something differs, 3 could not run.',
  ],
  audited: () => '',
  run: async (args, terminal) => {
    const { from, to } = args.values;
    if (from === to) throw new AssayError('USAGE', '--from and --to are the same store');
    const copy = await withPorts({ values: {} }, terminal, (ports) => copyStore({ from, to }, ports), 'all');
    const isWhole = isWholeCopy(copy);
    await printResult(args, terminal, {
      document: () => storeCopyView(copy, isWhole, args.given),
      json: async () => encode((await import('../../api/schema/store.ts')).storeCopy, { ...copy, isWhole }),
    });
    return isWhole ? 0 : 1;
  },
});
