import { dirname } from 'node:path';
import { AssayError } from '../../errors.ts';
import type { Document } from '../../report/document.ts';
import { formatCount, formatScore } from '../../report/number.ts';
import { type Calibration, calibrate } from '../../session/calibration/calibrate.ts';
import type { LabelledSession } from '../../session/calibration/dataset.ts';
import { MIN_PER_SOURCE } from '../../session/calibration/folds.ts';
import { ratingLabels, readOutcomes, readRatings } from '../../session/calibration/labels.ts';
import { hashLabels, weightsFileOf, writeWeightsFile } from '../../session/calibration/weights-file.ts';
import { CONFIG_OPTION, type Command, STORE_OPTION } from '../command.ts';
import { DOCUMENT_FORMAT_OPTION, printDocument } from '../print-report.ts';
import { eachSession } from './load.ts';
import { PATHS, SCORING_OPTIONS, textOf } from './options.ts';
import { BLIND_SPOT } from './overview.ts';
import { say, withoutOutcomes } from './validate.ts';

export const command: Command = {
  name: 'sessions calibrate',
  summary: 'Fit weights to ratings or outcomes, and say what they gain on sessions they have not seen',
  positionals: PATHS,
  options: {
    ratings: { type: 'string', value: 'FILE', doc: 'CSV or JSONL with session_id,rating (1 to 5)' },
    out: { type: 'string', value: 'FILE', doc: 'Write the weights here, for --weights' },
    name: { type: 'string', value: 'NAME', default: 'calibrated', doc: 'Name of the new weights' },
    signals: { type: 'boolean', doc: 'Also fit the weights of the signals within their categories' },
    format: DOCUMENT_FORMAT_OPTION,
    ...SCORING_OPTIONS,
    ...STORE_OPTION,
    ...CONFIG_OPTION,
  },
  examples: ['assay sessions calibrate --ratings ratings.csv --out weights.json'],
  run: async (args, terminal) => {
    const [ratings, outcomes, out] = ['ratings', 'outcomes', 'out'].map((name) => textOf(args, name));
    if ((ratings === undefined) === (outcomes === undefined)) {
      throw new AssayError(
        'USAGE',
        'assay sessions calibrate needs either --ratings FILE or --outcomes FILE',
      );
    }
    const labels = ratings === undefined ? readOutcomes(outcomes ?? '') : ratingLabels(readRatings(ratings));
    // The labels are what is fitted to, so they must not be part of the score.
    const found: LabelledSession[] = [];
    const perFile = new Map<string, number>();
    const { options } = await eachSession(withoutOutcomes(args), terminal, ({ facts, file }) => {
      perFile.set(file.path, (perFile.get(file.path) ?? 0) + 1);
      const label = labels.get(facts.sessionId);
      if (label !== undefined) found.push({ facts, label, source: file.path });
    });
    const labelled = found.map((one) => ({ ...one, source: sourceOf(one.source, perFile) }));
    const { prices, baselines, taskTypes } = options;
    const calibration = calibrate(labelled, {
      kind: ratings === undefined ? 'outcomes' : 'ratings',
      name: textOf(args, 'name') ?? 'calibrated',
      signals: args.values.signals === true,
      ...(prices && { prices }),
      ...(baselines && { baselines }),
      taskTypes,
    });
    if (out !== undefined) {
      const created = new Date().toISOString();
      writeWeightsFile(out, weightsFileOf(calibration, { created, labelsHash: hashLabels(labels) }));
    }
    await printDocument(args, terminal, calibration, () => calibrationDocument(calibration, out));
    return calibration.verdict.verdict === 'too few to tell' ? 2 : 0;
  },
};

/** Sessions that belong together: a file of many runs, else the folder (a project) that the transcripts are in. */
function sourceOf(path: string, perFile: ReadonlyMap<string, number>): string {
  return (perFile.get(path) ?? 0) >= MIN_PER_SOURCE ? path : dirname(path);
}

function calibrationDocument(calibration: Calibration, out: string | undefined): Document {
  const { verdict, outOfFold, inSample } = calibration;
  const { gain } = outOfFold;
  const range =
    gain?.interval === undefined
      ? ''
      : ` [${formatScore(gain.interval.low)}, ${formatScore(gain.interval.high)}]`;
  return {
    title: 'Calibration',
    answer: `${formatCount(calibration.sessions)} labelled sessions: ${verdict.verdict}${gain === undefined ? '' : ` (${formatScore(gain.value)}${range} out of fold)`}. ${verdict.because}`,
    blocks: [
      {
        kind: 'table',
        title: `Out of fold (${calibration.method})`,
        columns: [
          { key: 'scope', header: 'sessions', style: 'name' },
          { key: 'metric', header: '', style: 'text' },
          { key: 'documented', header: 'documented', style: 'text' },
          { key: 'calibrated', header: 'calibrated', style: 'text' },
        ],
        rows: outOfFold.figures.map(({ scope, metric, documented, calibrated }) => ({
          scope,
          metric: metric === 'auc' ? 'AUC' : 'Pearson',
          documented: say(documented),
          calibrated: say(calibrated),
        })),
      },
      {
        kind: 'list',
        title: 'Weights',
        items: calibration.types.map(({ taskType, n, fitted }) => {
          const { completion, execution, efficiency, outcome } = calibration.weights.profiles[taskType];
          const weights = [completion, execution, efficiency, outcome]
            .map((weight) => weight.toFixed(2))
            .join(' / ');
          return `${taskType}: ${weights} ${fitted ? `(${n} sessions)` : `(documented: ${n} sessions)`}`;
        }),
      },
    ],
    notes: [
      BLIND_SPOT,
      'Weights are completion / execution / efficiency / outcome.',
      `On the sessions they were fitted on the gain is ${inSample.gain === undefined ? '–' : formatScore(inSample.gain.value)}; only the figure out of fold counts.`,
      ...(verdict.gained ? [] : ['The documented weights are the better choice.']),
    ],
    next:
      out === undefined
        ? ['assay sessions calibrate … --out weights.json']
        : [`assay sessions score --weights ${out}`],
  };
}
