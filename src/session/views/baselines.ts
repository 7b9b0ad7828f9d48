import type { FittedBaselines } from '../../operations/session/session-baselines.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { BaselineSet } from '../profiles/baselines.ts';
import { type FittedFigure, MIN_RUNS } from '../profiles/fit-baselines.ts';
import { TASK_TYPES } from '../profiles/task-type.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';

export function baselineTable({ perType }: BaselineSet): TableBlock {
  const types = TASK_TYPES.map((type) => ({ taskType: type, ...perType[type] }));
  return tableOf('Medians per task type', types, [
    { key: 'task_type', title: 'task' },
    { key: 'token_ratio', title: 'output / input', unit: 'ratio' },
    { key: 'turns', title: 'turns per request' },
  ]);
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
  const figureOf = ({ taskType, figure }: FittedFigure) => set.perType[taskType][figure];
  return tableOf('Fitted', figures, [
    { key: 'task_type', title: 'task' },
    { key: 'figure', of: ({ figure }) => FIGURES[figure] },
    { key: 'value', title: 'median', of: figureOf },
    { key: 'runs', unit: 'count', of: ({ n }) => n },
    {
      key: 'fitted',
      title: '',
      of: (one) => (one.fitted ? 'fitted' : figureOf(one) === undefined ? 'none' : 'kept'),
    },
  ]);
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
