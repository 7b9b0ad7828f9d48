import { estimate } from '../../measure/metric.ts';
import type { IntentTraining } from '../../operations/session/train-intents.ts';
import { formatAmount } from '../../report/number.ts';
import { type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { IntentValidation } from '../intents/fit-intents.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';

export function intentsView(
  { validation, model, labels, out, notWritten }: IntentTraining,
  given?: SessionsGiven,
): View {
  const { n, sources, verdict } = validation;
  return {
    title: 'Kinds of work, learnt from labels',
    answer: `${ANSWERS[verdict]} ${formatAmount(n, 'labelled session')} of ${formatAmount(sources, 'source')} were found, of ${formatAmount(labels, 'label')}.`,
    blocks: [hitsTable(validation), confusionTable(validation), weightsTable(model.weights)],
    notes: [
      'Each source (a project, or a file of many runs) was judged by what was learnt from the others. Where what was learnt is less than 60% sure, the rules decide.',
      ...(out === undefined ? [] : [`${model.name} is in ${out}.`]),
      ...(notWritten === undefined
        ? []
        : [`${notWritten} was not written: 30 labels of 2 sources are the least.`]),
    ],
    next:
      verdict === 'take the model' && out !== undefined
        ? nextStep('score', given, { options: { intents: out } })
        : [],
  };
}

const ANSWERS: Readonly<Record<IntentValidation['verdict'], string>> = {
  'take the model':
    'Take what was learnt: it finds your labels more often than the rules do, by more than chance.',
  'keep the rules': 'Keep the rules: what was learnt is not surely better.',
  'too few to tell': 'Too few labels to tell.',
};

function hitsTable({ rules, model, p }: IntentValidation): TableBlock {
  const chance = rules.n === 0 ? '' : ` (p ${p.toFixed(3)} for a difference like this by chance)`;
  const both = [
    { who: 'the rules', ...rules },
    { who: 'what was learnt', ...model },
  ];
  return tableOf(`Found as labelled${chance}`, both, [
    { key: 'who', title: 'by' },
    { key: 'right', unit: 'count' },
    {
      key: 'share',
      unit: 'ratio',
      of: ({ n, share, interval }) => (n === 0 ? undefined : estimate(share, n, interval)),
    },
  ]);
}

function confusionTable({ confusion, n }: IntentValidation): TableBlock {
  const types = TASK_TYPES.filter((type) =>
    confusion.some(({ given, found }) => given === type || found === type),
  );
  const count = (label: string, found: string) =>
    confusion.find((cell) => cell.given === label && cell.found === found)?.n ?? 0;
  return tableOf(`Labelled down, found across, of ${n}`, types, [
    { key: 'given', title: 'label', of: (type) => type },
    ...types.map((found) => ({
      key: found,
      unit: 'count' as const,
      of: (type: string) => count(type, found),
    })),
  ]);
}

const MOST_WEIGHTS = 3;

function weightsTable(weights: IntentTraining['model']['weights']): TableBlock {
  const why = (type: TaskType) =>
    Object.entries(weights[type])
      .filter(([name, weight]) => weight > 0 && !name.startsWith('rules say'))
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_WEIGHTS)
      .map(([name, weight]) => `${name} +${weight.toFixed(2)}`)
      .join(', ');
  return tableOf('What speaks for each', TASK_TYPES, [
    { key: 'type', title: 'kind of work', of: (type) => type },
    { key: 'why', title: 'most of all', of: why },
  ]);
}
