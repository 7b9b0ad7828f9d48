import { AssayError } from '../../errors.ts';
import type { Measurement } from '../../measure/metric.ts';
import type { Block, Document } from '../../report/document.ts';
import { formatCount, formatScore } from '../../report/number.ts';
import { readOutcomes, readRatings } from '../../session/calibration/labels.ts';
import { type RatingValidation, validateRatings } from '../../session/calibration/validate.ts';
import { type OutcomeValidation, validateOutcomes } from '../../session/calibration/validate-outcomes.ts';
import { type Arguments, CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION, printDocument } from '../print-report.ts';
import { type Loaded, loadSessions } from './load.ts';
import { PATHS, SCORING_OPTIONS, textOf } from './options.ts';
import { BLIND_SPOT } from './overview.ts';

export const command: Command = {
  name: 'sessions validate',
  summary: 'Hold Q against ratings or outcomes',
  positionals: PATHS,
  options: {
    ratings: { type: 'string', value: 'FILE', doc: 'CSV or JSONL with session_id,rating (1 to 5)' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: [
    'assay sessions validate --ratings ratings.csv',
    'assay sessions validate runs/ --outcomes outcomes.csv',
  ],
  run: async (args, terminal) => {
    const ratings = textOf(args, 'ratings');
    const outcomes = textOf(args, 'outcomes');
    if ((ratings === undefined) === (outcomes === undefined)) {
      throw new AssayError('USAGE', 'assay sessions validate needs either --ratings FILE or --outcomes FILE');
    }
    // The outcomes are what Q is held against here, so they must not be part of it.
    const { sessions } = await loadSessions(withoutOutcomes(args), terminal);
    if (ratings !== undefined) {
      const validation = validateRatings(ratedPairs(sessions, ratings));
      await printDocument(args, terminal, validation, () => ratingDocument(validation));
      return validation.sessions === 0 ? 2 : validation.verdict.verdict === 'too few to tell' ? 2 : 0;
    }
    const validation = validateOutcomes(outcomePairs(sessions, outcomes ?? ''));
    await printDocument(args, terminal, validation, () => outcomeDocument(validation));
    return validation.auc.measured ? 0 : 2;
  },
};

export function withoutOutcomes(args: Arguments): Arguments {
  return { ...args, values: { ...args.values, outcomes: undefined } };
}

function ratedPairs(sessions: readonly Loaded[], path: string) {
  const byId = new Map(sessions.map(({ session }) => [session.sessionId, session]));
  return readRatings(path).flatMap(({ sessionId, rating }) => {
    const session = byId.get(sessionId);
    return session === undefined ? [] : [{ sessionId, taskType: session.taskType, q: session.q, rating }];
  });
}

function outcomePairs(sessions: readonly Loaded[], path: string) {
  const outcomes = readOutcomes(path);
  return sessions.flatMap(({ session, file }) => {
    const outcome = outcomes.get(session.sessionId);
    return outcome === undefined
      ? []
      : [
          {
            sessionId: session.sessionId,
            taskType: session.taskType,
            q: session.q,
            outcome,
            source: file.path,
          },
        ];
  });
}

function ratingDocument(validation: RatingValidation): Document {
  const { verdict } = validation;
  return {
    title: 'Q against ratings',
    answer: `${formatCount(validation.sessions)} rated sessions: ${verdict.verdict}. ${verdict.because}`,
    blocks: [
      {
        kind: 'table',
        title: 'Correlation',
        columns: [
          { key: 'what', header: 'sessions', style: 'text' },
          { key: 'n', header: 'n', style: 'count' },
          { key: 'pearson', header: 'Pearson', style: 'text' },
          { key: 'spearman', header: 'Spearman', style: 'text' },
        ],
        rows: [
          {
            what: 'all',
            n: validation.sessions,
            pearson: say(validation.overall.pearson),
            spearman: say(validation.overall.spearman),
          },
          ...validation.perType.map(({ taskType, n, pearson, spearman }) => ({
            what: taskType,
            n,
            pearson: say(pearson),
            spearman: say(spearman),
          })),
        ],
      },
      ...biasList(validation),
    ],
    notes: [
      BLIND_SPOT,
      ...skippedNotes(validation.skipped),
      `Agreement of raters: ${say(validation.raters)}.`,
    ],
    next: ['assay sessions calibrate --ratings FILE --out weights.json'],
  };
}

function biasList({ bias }: RatingValidation): Block[] {
  if (bias.length === 0) return [];
  const items = bias.map(({ taskType, because }) => `${taskType}: ${because}`);
  return [{ kind: 'list', title: 'Bias between task types', items }];
}

function outcomeDocument(validation: OutcomeValidation): Document {
  const group = (what: string, measurement: Measurement) => ({
    what,
    auc: say(measurement),
    n: measurement.measured ? measurement.n : undefined,
  });
  return {
    title: 'Q against outcomes',
    answer: `AUC ${say(validation.auc)} over ${formatCount(validation.sessions)} sessions, ${formatCount(validation.successes)} of them successes; 0.50 is chance.`,
    blocks: [
      {
        kind: 'table',
        title: 'How well Q tells success from failure',
        columns: [
          { key: 'what', header: 'sessions', style: 'name' },
          { key: 'n', header: 'n', style: 'count' },
          { key: 'auc', header: 'AUC', style: 'text' },
        ],
        rows: [
          ...validation.perType.map(({ taskType, auc }) => group(taskType, auc)),
          ...validation.perSource.map(({ source, auc }) => group(source, auc)),
        ],
      },
    ],
    notes: [
      BLIND_SPOT,
      ...skippedNotes(validation.skipped),
      `Brier score of Q read as a probability: ${say(validation.brier)}.`,
    ],
    next: ['assay sessions calibrate --outcomes FILE --out weights.json'],
  };
}

function skippedNotes(skipped: Readonly<Record<string, number>>): string[] {
  return Object.entries(skipped).map(([reason, n]) => `${formatCount(n)} left out: ${reason}.`);
}

export function say(measurement: Measurement): string {
  if (!measurement.measured) return `– (${measurement.reason})`;
  const { value, low, high } = measurement;
  return low === undefined || high === undefined
    ? formatScore(value)
    : `${formatScore(value)} [${formatScore(low)}, ${formatScore(high)}]`;
}
