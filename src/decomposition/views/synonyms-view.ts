import { carry, type Given } from '../../report/action.ts';
import { formatAmount, formatMeasurement } from '../../report/number.ts';
import { tableOf, type View } from '../../report/view.ts';
import { type JudgedPair, KAPPA_TO_COUNT, PAIRS_TO_COUNT, type SynonymStanding } from '../synonyms.ts';

type Shown = SynonymStanding & {
  readonly runId: string;
  readonly model?: string;
  readonly failed: readonly string[];
};

export function synonymsView(shown: Shown, given: Given = {}): View {
  const { runId, model, pairs, agreement, counts, recall, withSynonyms, failed } = shown;
  const same = pairs.filter((pair) => (pair.people ?? pair.model ?? 0) > 0.5);
  return {
    title: `Near-synonyms in run ${runId}`,
    answer:
      pairs.length === 0
        ? 'No pair of a missed and an extra concept was judged yet.'
        : `Recall ${formatMeasurement(recall, 'ratio')}, with near-synonyms ${formatMeasurement(withSynonyms, 'ratio')}. ${standing(shown)}`,
    blocks:
      same.length === 0
        ? []
        : [
            tableOf('Called the same', same, [
              { key: 'case', unit: 'name', of: ({ caseId }) => caseId },
              { key: 'expected', of: ({ expected }) => expected },
              { key: 'extracted', of: ({ extracted }) => extracted },
              { key: 'model', of: ({ model: said }) => word(said) },
              { key: 'people', of: ({ people }) => word(people) },
              { key: 'counts', of: (pair) => (doesCount(pair, counts) ? '✓ counts' : '–') },
            ]),
          ],
    notes: [
      `A model counts once it judged ${PAIRS_TO_COUNT} pairs that people judged as well, and the low end of kappa is ${KAPPA_TO_COUNT} or more. People go before it. No gate uses these figures.`,
      ...(agreement.measured
        ? [`Kappa of ${model ?? 'the model'} and people: ${formatMeasurement(agreement, 'score')}.`]
        : []),
      ...(failed.length > 0
        ? [`No usable answer for ${formatAmount(failed.length, 'case')}: ${failed.join(', ')}.`]
        : []),
    ],
    next: [
      {
        operation: 'decomposition synonyms',
        positionals: [runId],
        options: {
          ...(pairs.length === 0 ? { model: 'openai/gpt-5-mini' } : { rate: true }),
          ...carry(given, ['store', 'config']),
        },
      },
    ],
  };
}

function standing({ agreement, counts, model }: Shown): string {
  if (model === undefined) return 'No model judged them.';
  if (counts) return `${model} agrees with people and counts.`;
  const n = agreement.measured ? agreement.n : 0;
  return `${model} does not count yet: ${n} of ${PAIRS_TO_COUNT} pairs were judged by people as well.`;
}

function word(said: number | undefined): string {
  if (said === undefined) return '';
  return said === 0.5 ? 'split' : said > 0.5 ? 'same' : 'different';
}

function doesCount({ people, model }: JudgedPair, counts: boolean): boolean {
  return (people ?? (counts ? model : undefined) ?? 0) > 0.5;
}
