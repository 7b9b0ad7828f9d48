import type { TableBlock } from '../../report/document.ts';
import { SHIPPED_BASELINES } from '../../session/profiles/baselines.ts';
import { TASK_TYPES } from '../../session/profiles/task-type.ts';
import type { Command } from '../command.ts';
import { FORMAT_OPTION, printTable } from '../print-report.ts';

export const command: Command = {
  name: 'sessions baselines show',
  summary: 'The baselines that efficiency is measured against',
  options: {
    baselines: {
      type: 'string',
      value: 'FILE',
      doc: 'A set made by baselines fit (default: the shipped set)',
    },
    format: FORMAT_OPTION,
  },
  examples: ['assay sessions baselines show'],
  run: async (args, terminal) => {
    const { baselines } = args.values;
    const set =
      typeof baselines === 'string'
        ? (await import('../../session/profiles/baselines-file.ts')).readBaselines(baselines)
        : SHIPPED_BASELINES;
    const table: TableBlock = {
      kind: 'table',
      title: 'Medians per task type',
      columns: [
        { key: 'task_type', header: 'task', style: 'text' },
        { key: 'token_ratio', header: 'output / input', style: 'ratio' },
        { key: 'turns', header: 'turns', style: 'count' },
        { key: 'idle_cost_usd', header: 'idle run', style: 'usd' },
      ],
      rows: TASK_TYPES.map((type) => ({
        task_type: type,
        token_ratio: set.perType[type].tokenRatio,
        turns: set.perType[type].turns,
        idle_cost_usd: set.perType[type].idleCostUsd,
      })),
    };
    await printTable(args, terminal, table, () => ({
      title: 'Baselines',
      answer: `The set ${set.name}. A set never changes by itself.`,
      blocks: [table],
      notes: [],
      next: ['assay sessions baselines fit --out baselines.json'],
    }));
    return 0;
  },
};
