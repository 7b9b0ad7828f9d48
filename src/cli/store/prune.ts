import { encode } from '../../api/wire.ts';
import { AssayError } from '../../errors.ts';
import { PRUNED_KINDS, pruneStore, type Retention } from '../../operations/store/prune-store.ts';
import { retentionOf } from '../../operations/store/retention-of.ts';
import { storePruneView } from '../../report/store-views.ts';
import { defineCommand, type Pairs, STORE_OPTIONS, TABLE_FORMAT_OPTION } from '../command.ts';
import { withPorts } from '../open-ports.ts';
import { printResult } from '../print-result.ts';
import { readSettings } from '../settings.ts';

export const command = defineCommand({
  name: 'store prune',
  summary:
    'Delete records that are past their retention, by kind; without --yes only show what would be deleted',
  options: {
    'keep-days': {
      type: 'pairs',
      number: true,
      keys: () => PRUNED_KINDS,
      value: 'KIND=DAYS,…',
      doc: 'Retention in days of each kind to prune (default: retention and production in the configuration)',
    },
    yes: { type: 'flag', doc: 'Delete; without this only show what would be deleted' },
    format: TABLE_FORMAT_OPTION,
    ...STORE_OPTIONS,
  },
  examples: ['assay store prune', 'assay store prune --keep-days sessions=90,runs=365 --yes'],
  notes: [`Kinds: ${PRUNED_KINDS.join(', ')}.`],
  audited: ({ values, given }) => (values.yes ? String(given['keep-days'] ?? '') : undefined),
  run: async (args, terminal) => {
    const { config, store } = await readSettings(args, terminal);
    const keep = retentionFrom(args.values['keep-days']) ?? retentionOf(config);
    const isRehearsal = !args.values.yes;
    const pruned = await withPorts(
      args,
      terminal,
      (ports) => pruneStore({ keep, isRehearsal }, ports),
      'all',
    );
    const about = { address: store.address, isRehearsal };
    await printResult(args, terminal, {
      document: () => storePruneView(pruned, about, args.given),
      json: async () =>
        encode((await import('../../api/schema/store.ts')).storePruning, { ...about, kinds: pruned }),
    });
    return 0;
  },
});

/** `sessions=90,runs=365`. */
function retentionFrom(pairs: Pairs<number> | undefined): Retention | undefined {
  const wrong = pairs?.find(([, days]) => !(days >= 0 && days <= 100_000));
  if (wrong !== undefined)
    throw new AssayError('USAGE', `--keep-days takes 0 to 100000 days, not ${wrong.join('=')}`);
  return pairs && Object.fromEntries(pairs);
}
