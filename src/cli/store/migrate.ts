import { encodeStoreMigration } from '../../api/encode/store.ts';
import { migrateStore } from '../../operations/store/migrate-store.ts';
import { storeMigrationDocument } from '../../report/store-documents.ts';
import type { Command } from '../command.ts';
import { givenOf } from '../given.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { STORE_OPTIONS } from './options.ts';

export const command: Command = {
  name: 'store migrate',
  summary: 'Bring a store to the schema of this version, or make it, and say what was done',
  options: STORE_OPTIONS,
  examples: ['assay store migrate', 'assay store migrate --store clickhouse://db.example:8123/assay'],
  run: async (args, terminal) => {
    const { store } = await readSettings(args, terminal);
    const migration = await migrateStore(store.address);
    await printResult(args, terminal, {
      document: () => storeMigrationDocument(migration, givenOf(args, STORE_OPTIONS)),
      json: () => encodeStoreMigration(migration),
    });
    return 0;
  },
};
