import { encode } from '../../api/wire.ts';
import { migrateStore } from '../../operations/store/migrate-store.ts';
import { storeMigrationView } from '../../report/store-views.ts';
import { defineCommand, STORE_OPTIONS, TABLE_FORMAT_OPTION } from '../command.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'store migrate',
  summary: 'Migrate a store to the schema of this version, or create it',
  options: { format: TABLE_FORMAT_OPTION, ...STORE_OPTIONS },
  examples: ['assay store migrate', 'assay store migrate --store clickhouse://db.example:8123/assay'],
  audited: () => '',
  run: async (args, terminal) => {
    const { store } = await readSettings(args, terminal);
    const migration = await migrateStore(store.address);
    await printResult(args, terminal, {
      document: () => storeMigrationView(migration, args.given),
      json: async () => encode((await import('../../api/schema/store.ts')).storeMigration, migration),
    });
    return 0;
  },
});
