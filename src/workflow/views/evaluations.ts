import { formatAmount } from '../../report/number.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { BlindProgress } from '../blind/folder.ts';

type Arm = { readonly workflow: string; readonly task: string; readonly runs: readonly string[] };

type Experiment = { readonly path: string } & (
  | { readonly name: string; readonly sealedBy?: string; readonly arms: readonly Arm[] }
  | { readonly fault: string }
);

type Blind = { readonly path: string } & ({ readonly progress: BlindProgress } | { readonly fault: string });

type Evaluations = {
  readonly experiments: readonly Experiment[];
  readonly blind: readonly Blind[];
  readonly partial: boolean;
};

/** The experiments and the blind evaluations below a folder. */
export function evaluationsView({ experiments, blind, partial }: Evaluations): View {
  const open = blind.filter((one) => 'progress' in one && one.progress.openedIn === undefined).length;
  const waiting = open === 0 ? '' : `, and ${formatAmount(open, 'blind evaluation')} waiting for answers`;
  return {
    title: 'Evaluations',
    answer: `${formatAmount(experiments.length, 'experiment')} in this folder${waiting}.`,
    blocks: [experimentTable(experiments), blindTable(blind)].filter(({ rows }) => rows.length > 0),
    notes: partial ? ['The folder is large: Assay did not look at all of it.'] : [],
    next: [],
  };
}

const armsOf = (one: Experiment) => ('arms' in one ? one.arms : []);

function experimentTable(experiments: readonly Experiment[]): TableBlock {
  const names = (one: Experiment, key: 'workflow' | 'task') => new Set(armsOf(one).map((arm) => arm[key]));
  const table = tableOf('Experiments', experiments, [
    { key: 'experiment', of: (one) => ('name' in one ? one.name : one.path) },
    { key: 'path', priority: 4 },
    { key: 'workflows', priority: 2, of: (one) => [...names(one, 'workflow')].join(', ') },
    { key: 'tasks', unit: 'count', priority: 5, of: (one) => names(one, 'task').size },
    {
      key: 'runs',
      unit: 'count',
      priority: 3,
      of: (one) => armsOf(one).reduce((sum, { runs }) => sum + runs.length, 0),
    },
    { key: 'state', priority: 1, of: stateOf },
  ]);
  // Where a page leads from the row.
  const rows = table.rows.map((row, index) => {
    const one = experiments[index];
    return { ...row, sealed_by: one && 'sealedBy' in one ? one.sealedBy : undefined };
  });
  return { ...table, rows };
}

function stateOf(one: Experiment): string {
  if ('fault' in one) return `✗ ${one.fault}`;
  return one.sealedBy === undefined ? '' : `▲ sealed until ${one.sealedBy} is opened`;
}

function blindTable(blind: readonly Blind[]): TableBlock {
  const progressOf = (one: Blind) => ('progress' in one ? one.progress : undefined);
  return tableOf('Blind evaluations', blind, [
    { key: 'evaluation', of: ({ path }) => path },
    {
      key: 'state',
      of: (one) => {
        if ('fault' in one) return `✗ cannot be trusted: ${one.fault}`;
        return one.progress.openedIn === undefined ? '▲ results closed' : '✓ results open';
      },
    },
    { key: 'findings', unit: 'count', priority: 2, of: (one) => progressOf(one)?.findings },
    {
      key: 'errors',
      title: 'known errors',
      unit: 'count',
      priority: 3,
      of: (one) => progressOf(one)?.errors,
    },
    {
      key: 'evaluators',
      priority: 1,
      of: (one) =>
        progressOf(one)
          ?.evaluators.map(({ name, next }) => `${name}: ${next ?? 'done'}`)
          .join(', '),
    },
  ]);
}
