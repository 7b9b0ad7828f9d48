import { encode } from '../../api/wire.ts';
import { checkStore } from '../../operations/store/check-store.ts';
import { storeCheckView } from '../../report/store-views.ts';
import { defineCommand, STORE_OPTIONS, TABLE_FORMAT_OPTION } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'store check',
  summary: 'Check everything in a store, and report what is damaged or missing',
  options: { format: TABLE_FORMAT_OPTION, ...STORE_OPTIONS },
  examples: ['assay store check', 'assay store check --store backup/assay.db --format json'],
  notes: ['Exit codes: 0 intact, 1 something is damaged, 3 could not run.'],
  run: async (args, terminal) => {
    const { store } = await readSettings(args, terminal);
    const check = await withPorts(args, terminal, (ports) => checkStore(store.address, ports), 'all');
    await printResult(args, terminal, {
      document: () => storeCheckView(check, args.given),
      json: async () => encode((await import('../../api/schema/store.ts')).storeCheck, check),
    });
    return check.found === 0 ? 0 : 1;
  },
});
