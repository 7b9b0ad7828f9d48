import { encode } from '../../api/wire.ts';
import { readStore } from '../../operations/store/read-store.ts';
import { storeStatusView } from '../../report/store-views.ts';
import { defineCommand, STORE_OPTIONS, TABLE_FORMAT_OPTION } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'store status',
  summary: 'Show what a store contains: records and dates of each kind, schema, and last deletions',
  options: { format: TABLE_FORMAT_OPTION, ...STORE_OPTIONS },
  examples: ['assay store status', 'assay store status --store clickhouse://db.example:8123/assay'],
  notes: ['Read-only: it neither creates nor migrates a store.'],
  run: async (args, terminal) => {
    const { store } = await readSettings(args, terminal);
    const status = await withPorts(args, terminal, (ports) => readStore(store.address, ports), 'all');
    await printResult(args, terminal, {
      document: () => storeStatusView(status, args.given),
      json: async () => encode((await import('../../api/schema/store.ts')).storeStatus, status),
    });
    return 0;
  },
});
