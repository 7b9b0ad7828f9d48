import { encodeStoreCopy } from '../../api/encode/store.ts';
import { AssayError } from '../../errors.ts';
import { copyStore, isWholeCopy } from '../../operations/store/copy-store.ts';
import { storeCopyDocument } from '../../report/store-documents.ts';
import type { Arguments, Command } from '../command.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { textOf } from '../text-of.ts';

const OPTIONS = {
  from: { type: 'string', value: 'STORE', doc: 'The store to copy from: a file or clickhouse://…' },
  to: { type: 'string', value: 'STORE', doc: 'The store to copy to; it is made where there is none' },
  format: { type: 'string', choices: ['table', 'json'], default: 'table', doc: 'How to print it' },
} as const satisfies Command['options'];

export const command: Command = {
  name: 'store copy',
  summary: 'Copy everything from one store into another, and verify it by counts and checksums',
  options: OPTIONS,
  examples: [
    'assay store copy --from .assay/assay.db --to clickhouse://db.example:8123/assay',
    'assay store copy --from clickhouse://db.example:8123/assay --to backup.db',
  ],
  notes: [
    'A copy that was interrupted goes on where it was when it is started again; nothing is stored twice.',
    'Exit codes: 0 the target has all of the source, 1 something differs, 3 could not run.',
  ],
  run: async (args, terminal) => {
    const request = { from: storeIn(args, 'from'), to: storeIn(args, 'to') };
    if (request.from === request.to) throw new AssayError('USAGE', '--from and --to are the same store');
    const copy = await withPorts(args, terminal, (ports) => copyStore(request, ports));
    const isWhole = isWholeCopy(copy);
    await printResult(args, terminal, {
      document: () => storeCopyDocument(copy, isWhole, givenOf(args, OPTIONS)),
      json: () => encodeStoreCopy(copy, isWhole),
    });
    return isWhole ? 0 : 1;
  },
};

function storeIn(args: Arguments, name: 'from' | 'to'): string {
  const address = textOf(args, name);
  if (address === undefined || address === '')
    throw new AssayError('USAGE', `assay store copy needs --${name}, the address of a store`);
  return address;
}
