import type { TableBlock, View } from '../../report/view.ts';
import type { BaselineSet } from '../profiles/baselines.ts';
import { MIN_RUNS } from '../profiles/fit-baselines.ts';
import { TASK_TYPES } from '../profiles/task-type.ts';
import type { FittedBaselines } from '../results.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';

export function baselineTable({ perType }: BaselineSet): TableBlock {
  return {
    kind: 'table',
    title: 'Medians per task type',
    columns: [
      { key: 'task_type', title: 'task', unit: 'text' },
      { key: 'token_ratio', title: 'output / input', unit: 'ratio' },
      { key: 'turns', title: 'turns per request', unit: 'text' },
    ],
    rows: TASK_TYPES.map((type) => ({
      task_type: type,
      token_ratio: perType[type].tokenRatio,
      turns: perType[type].turns,
    })),
  };
}

export function baselineView(set: BaselineSet): View {
  return {
    title: 'Baselines',
    answer: `The set ${set.name}. A set never changes by itself.`,
    blocks: [baselineTable(set)],
    notes: ['A figure that is absent measures nothing until it is fitted from 30 runs of your own.'],
    next: [{ operation: 'sessions baselines fit', options: { out: 'baselines.json' } }],
  };
}

const FIGURES = { tokenRatio: 'token_ratio', turns: 'turns' } as const;

/** Every figure with what it rests on. */
export function fittedTable({ set, figures }: FittedBaselines): TableBlock {
  return {
    kind: 'table',
    title: 'Fitted',
    columns: [
      { key: 'task_type', title: 'task', unit: 'text' },
      { key: 'figure', title: 'figure', unit: 'text' },
      { key: 'value', title: 'median', unit: 'text' },
      { key: 'runs', title: 'runs', unit: 'count' },
      { key: 'fitted', title: '', unit: 'text' },
    ],
    rows: figures.map(({ taskType, figure, n, fitted }) => ({
      task_type: taskType,
      figure: FIGURES[figure],
      value: set.perType[taskType][figure],
      runs: n,
      fitted: fitted ? 'fitted' : set.perType[taskType][figure] === undefined ? 'none' : 'kept',
    })),
  };
}

export function fittedView(result: FittedBaselines, given?: SessionsGiven): View {
  const { set, out } = result;
  const { columns, ...fitted } = fittedTable(result);
  return {
    title: 'Baselines',
    answer:
      out === undefined
        ? `The set ${set.name}; not written anywhere.`
        : `The set ${set.name} is written to ${out}.`,
    blocks: [
      baselineTable(set),
      // The values stand above, each in its unit.
      { ...fitted, title: 'What they rest on', columns: columns.filter(({ key }) => key !== 'value') },
    ],
    notes: [
      `Kept: fewer than ${MIN_RUNS} runs to fit it from.`,
      'A set never changes by itself; every row of a score names the set it was made with.',
    ],
    next:
      out === undefined
        ? nextStep('baselines fit', given, { options: { out: 'baselines.json' } })
        : nextStep('score', given, { options: { baselines: out } }),
  };
}
