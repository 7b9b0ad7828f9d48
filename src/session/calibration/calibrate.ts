/**
 * Weights fitted to what people or the world say of sessions, inside the documented structure: per task type four
 * category weights, none negative, summing to 1. What counts is what they gain on sessions they were not fitted on.
 */
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { SCORER_VERSION } from '../score.ts';
import type { SessionWeights } from '../weights.ts';
import { chooseShrinkage, type FitPlan, fitOptions } from './choose-shrinkage.ts';
import { compareScores, type LabelKind, type ScoreComparison } from './compare-scores.ts';
import { type DatasetOptions, type DatasetSession, datasetOf, type LabelledSession } from './dataset.ts';
import { fitWeights } from './fit-weights.ts';
import { type Folds, foldsOf } from './folds.ts';
import { qsOf, settled } from './q-model.ts';
import { documentedVector, type WeightVector, weightsOf } from './weight-vector.ts';

export type CalibrateOptions = DatasetOptions & {
  readonly kind: LabelKind;
  /** Of the new weights. */
  readonly name: string;
  /** Fit the weights of signals within their categories too; they are the same for all task types. */
  readonly signals?: boolean;
  readonly minSessions?: number;
  /** Sets how strongly weights are held back, for investigations; chosen by inner cross-validation unless told. */
  readonly shrinkage?: number | undefined;
  readonly seed?: number;
};

export type FittedType = {
  readonly taskType: TaskType;
  /** Labelled sessions whose Q the weights decide (not those with a fixed score). */
  readonly n: number;
  readonly fitted: boolean;
};

export type FoldReport = {
  readonly name: string;
  readonly n: number;
  /** Infinity: the documented weights were kept. */
  readonly shrinkage: number;
};

export type WeightCalibration = {
  /** Fitted on all labelled sessions. Use them only when `verdict.gained`. */
  readonly weights: SessionWeights;
  readonly kind: LabelKind;
  readonly sessions: number;
  readonly sources: number;
  readonly withoutQ: number;
  readonly types: readonly FittedType[];
  /** Of the final fit; Infinity: the documented weights were kept. */
  readonly shrinkage: number;
  readonly method: Folds['method'];
  readonly folds: readonly FoldReport[];
  /** On the sessions the weights were fitted on: flattering, shown so that the difference can be seen. */
  readonly inSample: ScoreComparison;
  /** Each session scored with weights that were fitted without its fold. */
  readonly outOfFold: ScoreComparison;
  readonly verdict: CalibrationVerdict;
  readonly scorerVersion: string;
};

export type CalibrationVerdict = {
  readonly verdict: 'gained' | 'no gain' | 'too few to tell';
  readonly gained: boolean;
  readonly because: string;
};

/** Fewer labelled sessions of a task type than this, and its weights stay as documented. */
const MIN_SESSIONS = 20;

const MOST_FOLDS = 20;
const K = 10;

export function calibrate(
  labelled: readonly LabelledSession[],
  options: CalibrateOptions,
): WeightCalibration {
  const {
    kind,
    name,
    signals = false,
    minSessions = MIN_SESSIONS,
    seed = 1,
    shrinkage,
    ...scoring
  } = options;
  const { sessions, withoutQ } = datasetOf(labelled, scoring);
  const plan = { signals, kind, seed, shrinkage };
  const counted = countTypes(sessions, minSessions);
  const final = fitAll(sessions, { ...plan, types: typesOf(counted) });
  const sources = sessions.map((one) => one.source);
  const { method, folds } = foldsOf(sources, MOST_FOLDS, K, seed);
  const outOfFold = new Float64Array(sessions.length);
  const reports = folds.map(({ name: fold, heldOut }) => {
    const held = new Set(heldOut);
    const training = sessions.filter((_, place) => !held.has(place));
    // The rule for small types is part of the procedure, so each fold applies it to what it knows.
    const own = fitAll(training, { ...plan, types: typesOf(countTypes(training, minSessions)) });
    const testing = heldOut.map((place) => sessions[place] as DatasetSession);
    qsOf(testing, own.weights).forEach((q, i) => {
      outOfFold[heldOut[i] as number] = q;
    });
    return { name: fold, n: heldOut.length, shrinkage: own.shrinkage };
  });
  const outside = compare(sessions, outOfFold, kind, seed);
  return {
    weights: weightsOf(final.weights, name),
    kind,
    sessions: sessions.length,
    sources: new Set(sources).size,
    withoutQ,
    types: counted,
    shrinkage: final.shrinkage,
    method,
    folds: reports,
    inSample: compare(sessions, qsOf(sessions, final.weights), kind, seed),
    outOfFold: outside,
    verdict: verdictOf(outside, counted, final.shrinkage, minSessions),
    scorerVersion: SCORER_VERSION,
  };
}

function fitAll(
  sessions: readonly DatasetSession[],
  { shrinkage: told, ...plan }: FitPlan & { readonly shrinkage: number | undefined },
): { readonly weights: WeightVector; readonly shrinkage: number } {
  const shrinkage = told ?? chooseShrinkage(sessions, plan);
  return { shrinkage, weights: fitWeights(sessions, { ...fitOptions(sessions, plan), shrinkage }) };
}

function countTypes(sessions: readonly DatasetSession[], minSessions: number): FittedType[] {
  const weighed = sessions.filter((one) => one.runs.some((run) => run.rule === undefined));
  return TASK_TYPES.map((taskType, type) => {
    const n = weighed.filter((one) => one.type === type).length;
    return { taskType, n, fitted: n >= minSessions };
  });
}

function typesOf(counted: readonly FittedType[]): Set<number> {
  return new Set(counted.flatMap((one, type) => (one.fitted ? [type] : [])));
}

function compare(
  sessions: readonly DatasetSession[],
  calibrated: Float64Array,
  kind: LabelKind,
  seed: number,
): ScoreComparison {
  // Both by the same arithmetic: a difference in the last digit would break ties on one side only.
  const documented = settled(qsOf(sessions, documentedVector()));
  const scores = settled(calibrated);
  return compareScores(
    sessions.map(({ source, label }, i) => ({
      source,
      label,
      documented: documented[i] as number,
      calibrated: scores[i] as number,
    })),
    kind,
    seed,
  );
}

function verdictOf(
  { gain, figures, sourcesGained, sourcesMeasured }: ScoreComparison,
  counted: readonly FittedType[],
  shrinkage: number,
  minSessions: number,
): CalibrationVerdict {
  if (!counted.some((one) => one.fitted)) {
    const most = Math.max(...counted.map((one) => one.n));
    return {
      verdict: 'too few to tell',
      gained: false,
      because: `no task type has ${minSessions} labelled sessions (the most is ${most}): the documented weights stay`,
    };
  }
  if (gain === undefined) {
    return {
      verdict: 'too few to tell',
      gained: false,
      because: 'the labels do not vary: there is nothing to fit, the documented weights stay',
    };
  }
  const what = figures[0]?.metric === 'auc' ? 'AUC' : 'r';
  const range = gain.interval && ` [${signed(gain.interval.low)}, ${signed(gain.interval.high)}]`;
  const said = `${signed(gain.value)} ${what} out of fold${range ?? ''}`;
  const where = sourcesMeasured > 1 ? `, better in ${sourcesGained} of ${sourcesMeasured} sources` : '';
  if (shrinkage < Infinity && gain.interval !== undefined && gain.interval.low > 0) {
    return { verdict: 'gained', gained: true, because: `gained ${said}${where}` };
  }
  return {
    verdict: 'no gain',
    gained: false,
    because: `no gain out of fold (${said}${where}): keep the documented weights`,
  };
}

function signed(value: number): string {
  const text = Math.abs(value).toFixed(3);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}
