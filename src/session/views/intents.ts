import { formatAmount } from '../../report/number.ts';
import type { TableBlock, View } from '../../report/view.ts';
import type { Hits, IntentValidation } from '../intents/fit-intents.ts';
import { TASK_TYPES } from '../profiles/task-type.ts';
import type { IntentTraining } from '../results.ts';
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
  const row = (who: string, { right, n, share, interval }: Hits) => ({
    who,
    right,
    share: n === 0 ? undefined : { measured: true as const, value: share, n, ...interval },
  });
  return {
    kind: 'table',
    title: `Found as labelled${rules.n === 0 ? '' : ` (p ${p.toFixed(3)} for a difference like this by chance)`}`,
    columns: [
      { key: 'who', title: 'by', unit: 'text' },
      { key: 'right', title: 'right', unit: 'count' },
      { key: 'share', title: 'share', unit: 'ratio' },
    ],
    rows: [row('the rules', rules), row('what was learnt', model)],
  };
}

function confusionTable({ confusion, n }: IntentValidation): TableBlock {
  const count = (given: string, found: string) =>
    confusion.find((cell) => cell.given === given && cell.found === found)?.n ?? 0;
  const types = TASK_TYPES.filter((type) =>
    confusion.some(({ given, found }) => given === type || found === type),
  );
  return {
    kind: 'table',
    title: `Labelled down, found across, of ${n}`,
    columns: [
      { key: 'given', title: 'label', unit: 'text' },
      ...types.map((type) => ({ key: type, title: type, unit: 'count' as const })),
    ],
    rows: types.map((given) => ({
      given,
      ...Object.fromEntries(types.map((found) => [found, count(given, found)])),
    })),
  };
}

const MOST_WEIGHTS = 3;

function weightsTable(weights: IntentTraining['model']['weights']): TableBlock {
  return {
    kind: 'table',
    title: 'What speaks for each',
    columns: [
      { key: 'type', title: 'kind of work', unit: 'text' },
      { key: 'why', title: 'most of all', unit: 'text' },
    ],
    rows: TASK_TYPES.map((type) => ({
      type,
      why: Object.entries(weights[type])
        .filter(([name, weight]) => weight > 0 && !name.startsWith('rules say'))
        .sort(([, a], [, b]) => b - a)
        .slice(0, MOST_WEIGHTS)
        .map(([name, weight]) => `${name} +${weight.toFixed(2)}`)
        .join(', '),
    })),
  };
}
