import type { Document, TableBlock } from '../../report/document.ts';
import { formatAmount, formatScore } from '../../report/number.ts';
import type { WeightCalibration } from '../calibration/calibrate.ts';
import type { CalibrationResult } from '../results.ts';
import { CATEGORIES } from '../signals/catalog.ts';
import { nextStep, type SessionsGiven } from './next-step.ts';
import { BLIND_SPOT, reasonsFor } from './wording.ts';

export function calibrationDocument(
  { calibration, out, notWritten }: CalibrationResult,
  given?: SessionsGiven,
): Document {
  const { verdict } = calibration;
  const isFitted = verdict.verdict !== 'too few to tell';
  return {
    title: 'Calibration',
    answer: `${formatAmount(calibration.sessions, 'labelled session')}: ${isFitted ? '' : `${verdict.verdict}: `}${verdict.because}.`,
    blocks: isFitted ? [figureTable(calibration), weightTable(calibration)] : [],
    notes: [
      BLIND_SPOT,
      ...(isFitted ? fitNotes(calibration) : []),
      ...(notWritten === undefined ? [] : [`${notWritten} was not written: no weights were fitted.`]),
    ],
    next:
      // What did not gain is not recommended, neither to keep nor to use.
      !verdict.gained
        ? nextStep('validate', given, { options: given ? labels(given) : {} })
        : out === undefined
          ? nextStep('calibrate', given, { options: { ...(given && labels(given)), out: 'weights.json' } })
          : nextStep('score', given, { options: { weights: out } }),
  };
}

function fitNotes({ verdict, inSample, outOfFold }: WeightCalibration): string[] {
  const { gain } = inSample;
  return [
    ...reasonsFor(outOfFold.figures.flatMap(({ documented, calibrated }) => [documented, calibrated])),
    `On the sessions they were fitted on the gain is ${gain === undefined ? '–' : formatScore(gain.value)}; only the figure out of fold counts.`,
    ...(verdict.gained
      ? []
      : ['The documented weights are the better choice: these are shown to look at, not to use.']),
  ];
}

/** Outcomes are carried on like every option that scoring takes. */
function labels({ options: { ratings } }: SessionsGiven) {
  return ratings === undefined ? {} : { ratings };
}

function figureTable({ method, outOfFold }: WeightCalibration): TableBlock {
  return {
    kind: 'table',
    title: `Out of fold (${method})`,
    columns: [
      { key: 'scope', header: 'sessions', style: 'name' },
      { key: 'metric', header: '', style: 'text' },
      { key: 'documented', header: 'documented', style: 'score' },
      { key: 'calibrated', header: 'calibrated', style: 'score' },
    ],
    rows: outOfFold.figures.map(({ scope, metric, documented, calibrated }) => ({
      scope,
      metric: metric === 'auc' ? 'AUC' : 'Pearson',
      documented,
      calibrated,
    })),
  };
}

function weightTable({ types, weights }: WeightCalibration): TableBlock {
  return {
    kind: 'table',
    title: 'Weights',
    columns: [
      { key: 'task', header: 'task', style: 'text' },
      ...CATEGORIES.map((category) => ({ key: category, header: category, style: 'score' as const })),
      { key: 'n', header: 'n', style: 'count' },
      { key: 'fitted', header: '', style: 'text' },
    ],
    rows: types.map(({ taskType, n, fitted }) => ({
      task: taskType,
      ...weights.profiles[taskType],
      n,
      fitted: fitted ? 'fitted' : 'documented',
    })),
  };
}
