import { encodeStoreCheck } from '../../api/encode/store.ts';
import { checkStore } from '../../operations/store/check-store.ts';
import { storeCheckDocument } from '../../report/store-documents.ts';
import type { Command } from '../command.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { STORE_OPTIONS } from './options.ts';

export const command: Command = {
  name: 'store check',
  summary: 'Look at everything a store holds, and name what is damaged or missing',
  options: STORE_OPTIONS,
  examples: ['assay store check', 'assay store check --store backup/assay.db --format json'],
  notes: ['Exit codes: 0 all is whole, 1 something is damaged, 3 could not run.'],
  run: async (args, terminal) => {
    const { store } = await readSettings(args, terminal);
    const check = await withPorts(args, terminal, (ports) => checkStore(store.address, ports));
    await printResult(args, terminal, {
      document: () => storeCheckDocument(check, givenOf(args, STORE_OPTIONS)),
      json: () => encodeStoreCheck(check),
    });
    return check.found === 0 ? 0 : 1;
  },
};
