/** Who is at which step of a blind evaluation, told to people. */
import type { Action } from '../../report/action.ts';
import type { Cell, Column, Document, TableBlock } from '../../report/document.ts';
import { formatAmount } from '../../report/number.ts';
import type { BlindProgress, StepProgress } from '../blind/progress.ts';

export function statusTable({ evaluators }: BlindProgress): TableBlock {
  return {
    kind: 'table',
    title: 'Evaluators',
    columns: [
      { key: 'name', header: 'evaluator', style: 'name' },
      ...STEPS.flatMap((step, i): Column[] => [
        { key: step, header: `${i + 1} ${step}`, style: 'count' },
        { key: `${step}_sealed_in`, header: 'sealed in', style: 'count' },
      ]),
      { key: 'next', header: 'next', style: 'text' },
    ],
    rows: evaluators.map((evaluator) => ({
      name: evaluator.name,
      ...Object.fromEntries(STEPS.flatMap((step) => stepCells(step, evaluator[step]))),
      next: evaluator.next ?? 'done',
    })),
  };
}

const STEPS = ['assess', 'predict', 'match'] as const;

/** How much is answered, and the entry that sealed it. */
function stepCells(step: string, { done, of, sealedIn }: StepProgress): [string, Cell][] {
  return [
    [step, { count: done, of }],
    [`${step}_sealed_in`, sealedIn],
  ];
}

export function statusDocument(progress: BlindProgress, folder: string): Document {
  const { evaluators, disputed, openedIn } = progress;
  const done = evaluators.filter(({ next }) => next === undefined).length;
  return {
    title: `Blind evaluation in ${folder}`,
    answer: `${formatAmount(evaluators.length, 'evaluator')}, ${done} done; ${formatAmount(progress.findings, 'finding')}, ${formatAmount(progress.errors, 'known error')}.${disputed === undefined ? '' : ` ${formatAmount(disputed.length, 'disputed finding')}.`}`,
    blocks: evaluators.length === 0 ? [] : [statusTable(progress)],
    notes: [
      ...(disputed === undefined || disputed.length === 0
        ? []
        : [
            `A further evaluator settles: ${disputed.slice(0, 10).join(', ')}${disputed.length > 10 ? ` and ${disputed.length - 10} more` : ''}.`,
          ]),
      ...(openedIn === undefined
        ? []
        : [`The results were opened in entry ${openedIn}; nothing can be added.`]),
      `Entry ${progress.entries}, head ${progress.head.slice(0, 12)}, ground truth ${progress.truthHash.slice(0, 12)}.`,
    ],
    next: [nextOf(progress, folder)],
  };
}

/** The next step of the first who is not done; disputes wait for somebody new. */
function nextOf({ evaluators, disputed = [], openedIn }: BlindProgress, folder: string): Action {
  const waiting = evaluators.find(({ next }) => next !== undefined);
  if (openedIn === undefined && waiting !== undefined)
    return {
      operation: `workflow blind ${waiting.next}`,
      positionals: [folder],
      options: { by: waiting.name },
    };
  const open = evaluators.length === 0 || (openedIn === undefined && disputed.length > 0);
  return { operation: `workflow blind ${open ? 'assess' : 'check'}`, positionals: [folder] };
}
