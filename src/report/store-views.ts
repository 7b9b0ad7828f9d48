/** Views of a store: its content, the maintenance done, and its faults. */

import type { GateVerdict } from '../judge/gate.ts';
import type { JudgedMetric } from '../judge/verdict.ts';
import type { Measurement } from '../measure/metric.ts';
import { type Action, carry, type Given } from './action.ts';
import { formatAmount, formatCount } from './number.ts';
import type { TableFormat } from './tables/table-file.ts';
import { type TableBlock, tableOf, type View } from './view.ts';

type StoreRow = {
  readonly backend: string;
  readonly address: string;
  readonly exists: boolean;
  readonly schema: { readonly applied: number; readonly known: number };
  readonly bytes?: number;
};

type KindRow = {
  readonly kind: string;
  readonly records: number;
  readonly bytes?: number;
  readonly oldest?: string;
  readonly newest?: string;
};

type PruneRow = {
  readonly kind: string;
  readonly at: string;
  readonly before: string;
  readonly removed: number;
};

export type StatusResult = StoreRow & {
  readonly isMigrationDue: boolean;
  readonly holding?: {
    readonly kinds: readonly KindRow[];
    readonly lastPrunes: readonly PruneRow[];
    readonly pending: number;
    readonly mostPending: number;
  };
};

const same = (given: Given) => carry(given, ['store', 'config']);
const [KB, MB, GB] = [1024, 1024 ** 2, 1024 ** 3];

/** `812 bytes`, `3.4 KB`, `1.2 GB`. */
function sayBytes(bytes: number): string {
  if (bytes < KB) return formatAmount(bytes, 'byte');
  const [unit, name] = bytes < MB ? [KB, 'KB'] : bytes < GB ? [MB, 'MB'] : [GB, 'GB'];
  return `${formatCount(Math.round((bytes / unit) * 10) / 10)} ${name}`;
}

export function storeStatusView(status: StatusResult, given: Given): View {
  const { backend, address, schema, holding, isMigrationDue } = status;
  const migrate: Action = { operation: 'store migrate', options: same(given) };
  const title = `Store ${address}`;
  if (!status.exists)
    return {
      title,
      answer: `There is no store at ${address} yet; the first command that keeps something makes it.`,
      blocks: [],
      notes: [],
      next: [migrate],
    };
  const size = status.bytes === undefined ? '' : `, ${sayBytes(status.bytes)}`;
  const what = `${backend}${size}, schema ${schema.applied} of ${schema.known}`;
  if (schema.applied > schema.known)
    return {
      title,
      answer: `${what}: a later version of Assay migrated it. Ask that version what it holds.`,
      blocks: [],
      notes: [],
      next: [],
    };
  if (isMigrationDue || holding === undefined)
    return {
      title,
      answer: `${what}: a migration is due. Any command that opens it migrates it; what it holds is told afterwards.`,
      blocks: [],
      notes: [],
      next: [migrate],
    };
  const { kinds, lastPrunes, pending, mostPending } = holding;
  const records = kinds.reduce((sum, one) => sum + one.records, 0);
  return {
    title,
    answer: `${what}, with ${formatAmount(records, 'record')}.`,
    blocks: [kindTable(kinds), ...(lastPrunes.length === 0 ? [] : [pruneTable(lastPrunes)])],
    notes: [
      pending === 0
        ? 'No pending deliveries.'
        : `${pending === mostPending ? 'At least ' : ''}${formatAmount(pending, 'pending delivery', 'pending deliveries')}.`,
      ...(lastPrunes.length === 0 ? ['Nothing was deleted by age yet.'] : []),
    ],
    next: [
      { operation: 'store check', options: same(given) },
      { operation: 'store prune', options: same(given) },
    ],
  };
}

function kindTable(kinds: readonly KindRow[]): TableBlock {
  return tableOf('What it holds', kinds, [
    { key: 'kind', min: 19 },
    { key: 'records', unit: 'count' },
    { key: 'bytes', unit: 'count' },
    {
      key: 'each',
      title: 'bytes each',
      unit: 'count',
      priority: 1,
      of: ({ bytes, records }) =>
        bytes === undefined || records === 0 ? undefined : Math.round(bytes / records),
    },
    { key: 'oldest', title: 'oldest (UTC)', unit: 'time' },
    { key: 'newest', title: 'newest (UTC)', unit: 'time' },
  ]);
}

function pruneTable(prunes: readonly PruneRow[]): TableBlock {
  return tableOf('Deleted by age last', prunes, [
    { key: 'kind', min: 19 },
    { key: 'removed', title: 'deleted', unit: 'count' },
    { key: 'before', title: 'older than (UTC)', unit: 'time' },
    { key: 'at', title: 'when (UTC)', unit: 'time' },
  ]);
}

export function storeMigrationView(migration: StoreRow & { readonly before: number }, given: Given): View {
  const { address, backend, schema, before } = migration;
  const steps = schema.applied - before;
  const done =
    before === 0
      ? `The ${backend} store ${address} was made, with schema ${schema.applied}.`
      : steps === 0
        ? `Nothing to do: ${address} has schema ${schema.applied}, which is that of ${schema.applied > schema.known ? 'a later' : 'this'} version.`
        : `${address} was brought from schema ${before} to ${schema.applied}, ${formatAmount(steps, 'step')}.`;
  return {
    title: `Migration of ${address}`,
    answer: done,
    blocks: [],
    notes: ['Opening a store migrates it as well; several processes may do so at once.'],
    next: [{ operation: 'store status', options: same(given) }],
  };
}

type DamageRow = {
  readonly table: string;
  readonly key?: string;
  readonly what: string;
  readonly remedy: string;
};

export type CheckResult = {
  readonly address: string;
  readonly damages: readonly DamageRow[];
  readonly found: number;
  readonly records: number;
};

export function storeCheckView({ address, damages, found, records }: CheckResult, given: Given): View {
  const remedies = [...new Set(damages.map(({ remedy }) => remedy))];
  return {
    title: `Check of ${address}`,
    answer:
      found === 0
        ? `${address} is whole: ${formatAmount(records, 'record')} read and held against what was written, sums added up again, and nothing is missing that others need.`
        : `${address} is damaged: ${formatAmount(found, 'fault')}.`,
    blocks:
      found === 0
        ? []
        : [
            tableOf(
              'Faults',
              damages,
              [
                { key: 'table', title: 'where', unit: 'name' },
                { key: 'key', unit: 'name' },
                { key: 'what', title: 'what is wrong' },
              ],
              { limit: 20 },
            ),
            { kind: 'list', title: 'What to do', items: remedies },
          ],
    notes: [],
    next: [{ operation: 'store status', options: same(given) }],
  };
}

type ListedRow = { readonly count: number; readonly keys: readonly string[] };

export type CopyResult = {
  readonly from: string;
  readonly to: string;
  readonly rounds: number;
  readonly kinds: readonly {
    readonly kind: string;
    readonly added: number;
    readonly from: { readonly records: number; readonly checksum: string };
    readonly to: { readonly records: number; readonly checksum: string };
    readonly missing: ListedRow;
    readonly differing: ListedRow;
    readonly more: ListedRow;
  }[];
  readonly sums: readonly {
    readonly at: string;
    readonly promptVersion?: string;
    readonly model?: string;
    readonly from: number;
    readonly to: number;
  }[];
};

export function storeCopyView(copy: CopyResult, isWhole: boolean, given: Given): View {
  const { from, to, kinds, sums } = copy;
  const total = (of: (kind: CopyResult['kinds'][number]) => number) =>
    kinds.reduce((sum, kind) => sum + of(kind), 0);
  const added = total((kind) => kind.added);
  const more = total((kind) => kind.more.count);
  const isSame = isWhole && more === 0;
  const carried = `${formatAmount(added, 'record')} copied`;
  const verdict = isSame
    ? 'counts and checksums of every kind are the same in both'
    : isWhole
      ? `all of ${from} is in ${to}, which holds ${formatCount(more)} more`
      : 'they differ, as told below';
  return {
    title: `Copy of ${from}`,
    answer: `${carried} to ${to}; ${verdict}.`,
    blocks: [
      tableOf('By kind', kinds, [
        { key: 'kind', min: 19 },
        { key: 'added', title: 'copied', unit: 'count' },
        { key: 'from', title: 'in the source', unit: 'count', of: (kind) => kind.from.records },
        { key: 'to', title: 'in the target', unit: 'count', of: (kind) => kind.to.records },
        {
          key: 'checksum',
          title: 'checksums',
          of: (kind) => (kind.from.checksum === kind.to.checksum ? 'same' : 'differ'),
        },
      ]),
      ...differences(copy),
    ],
    notes: [
      'Of what was scored again the current revision is copied; former ones stay behind.',
      ...(isWhole
        ? []
        : ['Copy again when nobody writes to the source: what is there already is not copied twice.']),
      ...(sums.length === 0
        ? []
        : [
            `Sums of production that outlived their requests could not be brought together in ${formatAmount(sums.length, 'hour')}: the target has requests of its own there.`,
          ]),
    ],
    next: [{ operation: 'store check', options: { store: to, ...carry(given, ['config']) } }],
  };
}

function differences({ kinds }: CopyResult): TableBlock[] {
  const rows = kinds.flatMap(({ kind, missing, differing, more }) =>
    (
      [
        ['missing in the target', missing],
        ['other content in the target', differing],
        ['only in the target', more],
      ] as const
    ).flatMap(([what, { count, keys }]) => (count === 0 ? [] : [{ kind, what, count, keys: [...keys] }])),
  );
  if (rows.length === 0) return [];
  return [
    tableOf('Differences', rows, [
      { key: 'kind', min: 19 },
      { key: 'what' },
      { key: 'count', title: 'records', unit: 'count' },
      { key: 'keys', title: 'the first of them' },
    ]),
  ];
}

export type PruneResult = readonly {
  readonly kind: string;
  readonly keptDays: number;
  readonly before: string;
  readonly records: number;
}[];

export function storePruneView(
  pruned: PruneResult,
  { address, isRehearsal }: { readonly address: string; readonly isRehearsal: boolean },
  given: Given,
): View {
  const total = pruned.reduce((sum, { records }) => sum + records, 0);
  const records = formatAmount(total, 'record');
  return {
    title: `Pruning of ${address}`,
    answer: isRehearsal
      ? `${records} would be deleted; nothing was. Say --yes to delete ${total === 1 ? 'it' : 'them'}.`
      : `${records} deleted.`,
    blocks: [
      tableOf(isRehearsal ? 'What would go' : 'What went', pruned, [
        { key: 'kind', min: 19 },
        { key: 'days', title: 'days kept', unit: 'count', of: ({ keptDays }) => keptDays },
        { key: 'before', title: 'older than (UTC)', unit: 'time' },
        { key: 'records', unit: 'count' },
      ]),
    ],
    notes: [
      'Kinds that are not listed are kept for ever. Runs go with their cases, alerts with what became of them; sums of production by hour and day stay.',
    ],
    next: isRehearsal
      ? [
          {
            operation: 'store prune',
            options: { ...carry(given, ['keep-days', 'store', 'config']), yes: true },
          },
        ]
      : [{ operation: 'store status', options: same(given) }],
  };
}

type RunRow = {
  readonly runId: string;
  readonly at: string;
  readonly instrument: string;
  readonly subject: string;
  readonly caseCount: number;
  readonly gate: { readonly verdict: GateVerdict };
  readonly metrics?: readonly JudgedMetric[];
};

/** The composite that summarises the other metrics. */
function scoreIn(metrics: readonly JudgedMetric[]): Measurement | undefined {
  const measurement = metrics.find(({ unit }) => unit === 'score')?.measurement;
  return measurement?.measured ? { measured: true, value: measurement.value, n: measurement.n } : measurement;
}

/** The runs of a store, newest first. */
export function runsView(runs: readonly RunRow[], address: string, given: Given): View {
  const same = carry(given, ['store', 'config']);
  const [newest] = runs;
  if (newest === undefined) {
    return {
      title: 'Runs',
      answer: `No runs in ${address} yet.`,
      blocks: [],
      notes: [],
      // An example is only stored where a store is named.
      next: [same.store === undefined ? { operation: 'help' } : { operation: 'example', options: same }],
    };
  }
  return {
    title: 'Runs',
    answer: `${formatAmount(runs.length, 'run')} in ${address}, newest first.`,
    blocks: [
      tableOf(
        'Runs',
        runs,
        [
          { key: 'id', unit: 'id', of: ({ runId }) => runId },
          { key: 'at', title: 'measured (UTC)', unit: 'time', priority: 4 },
          { key: 'instrument', unit: 'name', priority: 6 },
          { key: 'subject', priority: 1 },
          { key: 'cases', unit: 'count', priority: 5, of: ({ caseCount }) => caseCount },
          { key: 'score', unit: 'score', priority: 3, of: ({ metrics = [] }) => scoreIn(metrics) },
          { key: 'verdict', priority: 2, of: ({ gate }) => gate.verdict },
        ],
        { limit: 10 },
      ),
    ],
    notes: [],
    next: [{ operation: 'runs', positionals: [newest.runId], options: same }],
  };
}

export type ExportResult = {
  readonly address: string;
  readonly as: TableFormat;
  readonly files: readonly {
    readonly table: string;
    readonly path: string;
    readonly rows: number;
    readonly bytes: number;
  }[];
};

export function exportView({ address, as, files }: ExportResult, given: Given): View {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const written = `${formatAmount(rows, 'row')} of ${address} in ${formatAmount(files.length, 'file')}`;
  const status: Action = {
    operation: 'store status',
    options: { store: address, ...carry(given, ['config']) },
  };
  return {
    title: 'Export',
    answer: rows === 0 ? `${address} has nothing of this: the files have no rows.` : `${written}.`,
    blocks: [
      tableOf('Files', files, [
        { key: 'path', title: 'file', unit: 'name', min: 30 },
        { key: 'rows', unit: 'count' },
        { key: 'bytes', unit: 'count' },
      ]),
    ],
    notes: [
      'What is unmeasured is null, and never 0; times are UTC.',
      ...(as === 'csv'
        ? ['A text that a spreadsheet would run as a formula has an apostrophe before it.']
        : []),
    ],
    next: [status],
  };
}
