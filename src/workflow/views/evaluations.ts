import { formatAmount } from '../../report/number.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { BlindProgress } from '../blind/folder.ts';

type Experiment = {
  readonly path: string;
  readonly name?: string;
  /** The blind evaluation that must be opened first. */
  readonly sealedBy?: string;
  readonly arms: readonly {
    readonly workflow: string;
    readonly task: string;
    readonly runs: readonly string[];
  }[];
  readonly fault?: string;
};

type Blind = { readonly path: string; readonly status?: BlindProgress; readonly fault?: string };

type Evaluations = {
  readonly experiments: readonly Experiment[];
  readonly blind: readonly Blind[];
  readonly partial: boolean;
};

/** The experiments and the blind evaluations below a folder. */
export function evaluationsView({ experiments, blind, partial }: Evaluations): View {
  const open = blind.filter(({ status }) => status !== undefined && status.openedIn === undefined).length;
  const waiting = open === 0 ? '' : `, and ${formatAmount(open, 'blind evaluation')} waiting for answers`;
  return {
    title: 'Evaluations',
    answer: `${formatAmount(experiments.length, 'experiment')} in this folder${waiting}.`,
    blocks: [experimentTable(experiments), blindTable(blind)].filter(({ rows }) => rows.length > 0),
    notes: partial ? ['The folder is large, so Assay searched only part of it.'] : [],
    next: [],
  };
}

function experimentTable(experiments: readonly Experiment[]): TableBlock {
  const names = ({ arms }: Experiment, key: 'workflow' | 'task') => new Set(arms.map((arm) => arm[key]));
  const table = tableOf('Experiments', experiments, [
    { key: 'experiment', of: ({ name, path }) => name ?? path },
    { key: 'path', priority: 4 },
    { key: 'workflows', priority: 2, of: (one) => [...names(one, 'workflow')].join(', ') },
    { key: 'tasks', unit: 'count', priority: 5, of: (one) => names(one, 'task').size },
    {
      key: 'runs',
      unit: 'count',
      priority: 3,
      of: ({ arms }) => arms.reduce((sum, { runs }) => sum + runs.length, 0),
    },
    {
      key: 'state',
      priority: 1,
      of: ({ fault, sealedBy }) => {
        if (fault !== undefined) return `✗ ${fault}`;
        return sealedBy === undefined ? '' : `▲ sealed until ${sealedBy} is opened`;
      },
    },
  ]);
  // The link target of a row on a page.
  const rows = table.rows.map((row, index) => ({ ...row, sealed_by: experiments[index]?.sealedBy }));
  return { ...table, rows };
}

function blindTable(blind: readonly Blind[]): TableBlock {
  return tableOf('Blind evaluations', blind, [
    { key: 'evaluation', of: ({ path }) => path },
    {
      key: 'state',
      of: ({ status, fault }) => {
        if (status === undefined) return `✗ cannot be trusted: ${fault}`;
        return status.openedIn === undefined ? '▲ results closed' : '✓ results open';
      },
    },
    { key: 'findings', unit: 'count', priority: 2, of: ({ status }) => status?.findings },
    { key: 'errors', title: 'known errors', unit: 'count', priority: 3, of: ({ status }) => status?.errors },
    {
      key: 'evaluators',
      priority: 1,
      of: ({ status }) => status?.evaluators.map(({ name, next }) => `${name}: ${next ?? 'done'}`).join(', '),
    },
  ]);
}
