import { encodeStorePruning } from '../../api/encode/store.ts';
import { AssayError } from '../../errors.ts';
import { PRUNED_KINDS, pruneStore, type Retention } from '../../operations/store/prune-store.ts';
import { retentionOf } from '../../operations/store/retention-of.ts';
import { storePruneDocument } from '../../report/store-documents.ts';
import { didYouMean } from '../../suggest.ts';
import type { Arguments, Command } from '../command.ts';
import { givenOf } from '../given.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { STORE_OPTIONS } from './options.ts';

const OPTIONS = {
  'keep-days': {
    type: 'string',
    value: 'KIND=DAYS,…',
    list: true,
    doc: 'Only these kinds, each for so many days (default: what retention and production of the configuration say)',
  },
  yes: { type: 'boolean', doc: 'Delete it; without this it is only told what would go' },
  ...STORE_OPTIONS,
} as const satisfies Command['options'];

export const command: Command = {
  name: 'store prune',
  summary: 'Delete what is older than it is to be kept, by kind; without --yes only say what would go',
  options: OPTIONS,
  examples: ['assay store prune', 'assay store prune --keep-days sessions=90,runs=365 --yes'],
  notes: [`Kinds: ${PRUNED_KINDS.join(', ')}.`],
  run: async (args, terminal) => {
    const { config, store } = await readSettings(args, terminal);
    const keep = keptDays(args) ?? retentionOf(config);
    const isRehearsal = args.values.yes !== true;
    const pruned = await withPorts(args, terminal, (ports) => pruneStore({ keep, isRehearsal }, ports));
    const about = { address: store.address, isRehearsal };
    await printResult(args, terminal, {
      document: () => storePruneDocument(pruned, about, givenOf(args, OPTIONS)),
      json: () => encodeStorePruning(pruned, about),
    });
    return 0;
  },
};

/** `sessions=90,runs=365`. */
function keptDays(args: Arguments): Retention | undefined {
  const text = textOf(args, 'keep-days');
  if (text === undefined) return undefined;
  return Object.fromEntries(
    text.split(',').map((one) => {
      const [kind = '', days = ''] = one.split('=').map((word) => word.trim());
      if (!PRUNED_KINDS.some((name) => name === kind))
        throw new AssayError('USAGE', `--keep-days knows no kind "${kind}"${didYouMean(kind, PRUNED_KINDS)}`);
      const number = days === '' ? Number.NaN : Number(days);
      if (!(number >= 0 && number <= 100_000))
        throw new AssayError('USAGE', `--keep-days needs days for ${kind}, such as ${kind}=90`);
      return [kind, number];
    }),
  );
}
