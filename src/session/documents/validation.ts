import type { Measurement } from '../../measure/metric.ts';
import type { Block, Document } from '../../report/document.ts';
import { formatCount } from '../../report/number.ts';
import type { RatingValidation } from '../calibration/validate.ts';
import type { OutcomeValidation } from '../calibration/validate-outcomes.ts';
import type { Validation } from '../results.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, reasonsFor, sayMeasurement } from './wording.ts';

export function validationDocument(result: Validation, given: SessionsGiven): Document {
  const document =
    result.against === 'ratings' ? ratingDocument(result.validation) : outcomeDocument(result.validation);
  const { ratings } = given.options;
  const options = { ...(ratings !== undefined && { ratings }), out: 'weights.json' };
  return { ...document, next: nextStep('calibrate', given, { options }) };
}

type Page = Omit<Document, 'next'>;

function ratingDocument(validation: RatingValidation): Page {
  const { verdict, overall, perType, sessions } = validation;
  const rows = [
    { what: 'all', n: sessions, ...overall },
    ...perType.map(({ taskType, ...rest }) => ({ what: taskType, ...rest })),
  ];
  return {
    title: 'Q against ratings',
    answer: `${formatCount(sessions)} rated sessions: ${verdict.verdict}. ${verdict.because}`,
    blocks: [
      {
        kind: 'table',
        title: 'Correlation',
        columns: [
          { key: 'what', header: 'sessions', style: 'text' },
          { key: 'n', header: 'n', style: 'count' },
          { key: 'pearson', header: 'Pearson', style: 'score' },
          { key: 'spearman', header: 'Spearman', style: 'score' },
        ],
        rows,
      },
      ...biasList(validation),
    ],
    notes: [
      BLIND_SPOT,
      ...skippedNotes(validation.skipped),
      ...reasonsFor(rows.flatMap(({ pearson, spearman }) => [pearson, spearman])),
      `Agreement of raters: ${sayMeasurement(validation.raters)}.`,
    ],
  };
}

function biasList({ bias }: RatingValidation): Block[] {
  if (bias.length === 0) return [];
  const items = bias.map(({ taskType, because }) => `${taskType}: ${because}`);
  return [{ kind: 'list', title: 'Bias between task types', items }];
}

function outcomeDocument(validation: OutcomeValidation): Page {
  const { auc, sessions, successes, perType, perSource, skipped, brier } = validation;
  const rows = [
    ...perType.map((one) => row(one.taskType, one.auc)),
    ...perSource.map((one) => row(one.source, one.auc)),
  ];
  return {
    title: 'Q against outcomes',
    answer: `AUC ${sayMeasurement(auc)} over ${formatCount(sessions)} sessions, ${formatCount(successes)} of them successes; 0.50 is chance.`,
    blocks: [
      {
        kind: 'table',
        title: 'How well Q tells success from failure',
        columns: [
          { key: 'what', header: 'sessions', style: 'name' },
          { key: 'n', header: 'n', style: 'count' },
          { key: 'auc', header: 'AUC', style: 'score' },
        ],
        rows,
      },
    ],
    notes: [
      BLIND_SPOT,
      ...skippedNotes(skipped),
      ...reasonsFor(rows.map((one) => one.auc)),
      `Brier score of Q read as a probability: ${sayMeasurement(brier)}.`,
    ],
  };
}

function row(what: string, auc: Measurement) {
  return { what, n: auc.measured ? auc.n : undefined, auc };
}

function skippedNotes(skipped: Readonly<Record<string, number>>): string[] {
  return Object.entries(skipped).map(([reason, n]) => `${formatCount(n)} left out: ${reason}.`);
}
