/**
 * Fits weights to ratings or outcomes within the documented structure: per task type four category weights, none
 * negative, summing to 1. The measure of success is the gain on sessions that were not used for the fit.
 */

import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { SCORER_VERSION } from '../score.ts';
import type { SessionWeights } from '../weights.ts';
import { compareScores, type LabelKind, type ScoreComparison } from './compare-scores.ts';
import { type DatasetOptions, type DatasetSession, datasetOf, type LabelledSession } from './dataset.ts';
import { centred, dot, type FitOptions, fitWeights } from './fit-weights.ts';
import { type Folds, foldsOf, groupsOf } from './folds.ts';
import { documentedVector, qsOf, settled, type WeightVector, weightsOf } from './q-model.ts';

type CalibrateOptions = DatasetOptions & {
  readonly kind: LabelKind;
  /** Of the new weights. */
  readonly name: string;
  /** Also fit the weights of signals within their categories; they are the same for all task types. */
  readonly signals?: boolean;
  /** Sets the shrinkage, for investigations; by default inner cross-validation chooses it. */
  readonly shrinkage?: number | undefined;
};

type FittedType = {
  readonly taskType: TaskType;
  /** Labelled sessions whose Q depends on the weights (not those with a fixed score). */
  readonly n: number;
  readonly fitted: boolean;
};

type FoldReport = {
  readonly name: string;
  readonly n: number;
  /** Infinity: the documented weights stay. */
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
  /** Of the final fit; Infinity: the documented weights stay. */
  readonly shrinkage: number;
  readonly method: Folds['method'];
  readonly folds: readonly FoldReport[];
  /** On the sessions used for the fit: too optimistic, shown for comparison. */
  readonly inSample: ScoreComparison;
  /** Each session scored with weights that were fitted without its fold. */
  readonly outOfFold: ScoreComparison;
  readonly verdict: CalibrationVerdict;
  readonly scorerVersion: string;
};

type CalibrationVerdict = {
  readonly verdict: 'gained' | 'no gain' | 'too few to tell';
  readonly gained: boolean;
  readonly because: string;
};

/** With fewer labelled sessions, the weights of a task type stay as documented. */
const MIN_SESSIONS = 20;

const SEED = 1;
const MOST_FOLDS = 20;
const K = 10;

export function calibrate(
  labelled: readonly LabelledSession[],
  options: CalibrateOptions,
): WeightCalibration {
  const { kind, name, signals = false, shrinkage, ...scoring } = options;
  const { sessions, withoutQ } = datasetOf(labelled, scoring);
  const plan = { signals, kind, seed: SEED, shrinkage };
  const counted = countTypes(sessions);
  const final = fitAll(sessions, { ...plan, types: typesOf(counted) });
  const sources = sessions.map((one) => one.source);
  const { method, folds } = foldsOf(sources, MOST_FOLDS, K, SEED);
  const outOfFold = new Float64Array(sessions.length);
  const reports = folds.map(({ name: fold, heldOut }) => {
    const held = new Set(heldOut);
    const training = sessions.filter((_, place) => !held.has(place));
    // The rule for small types is part of the procedure, so each fold applies it to its own training data.
    const own = fitAll(training, { ...plan, types: typesOf(countTypes(training)) });
    const testing = heldOut.map((place) => sessions[place] as DatasetSession);
    qsOf(testing, own.weights).forEach((q, i) => {
      outOfFold[heldOut[i] as number] = q;
    });
    return { name: fold, n: heldOut.length, shrinkage: own.shrinkage };
  });
  const outside = compare(sessions, outOfFold, kind);
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
    inSample: compare(sessions, qsOf(sessions, final.weights), kind),
    outOfFold: outside,
    verdict: verdictOf(outside, counted, final.shrinkage),
    scorerVersion: SCORER_VERSION,
  };
}

function fitAll(
  sessions: readonly DatasetSession[],
  { shrinkage: chosenShrinkage, ...plan }: FitPlan & { readonly shrinkage: number | undefined },
): { readonly weights: WeightVector; readonly shrinkage: number } {
  const shrinkage = chosenShrinkage ?? chooseShrinkage(sessions, plan);
  return { shrinkage, weights: fitWeights(sessions, { ...fitOptions(sessions, plan), shrinkage }) };
}

function countTypes(sessions: readonly DatasetSession[]): FittedType[] {
  const weighed = sessions.filter((one) => one.runs.some((run) => run.rule === undefined));
  return TASK_TYPES.map((taskType, type) => {
    const n = weighed.filter((one) => one.type === type).length;
    return { taskType, n, fitted: n >= MIN_SESSIONS };
  });
}

function typesOf(counted: readonly FittedType[]): Set<number> {
  return new Set(counted.flatMap((one, type) => (one.fitted ? [type] : [])));
}

function compare(
  sessions: readonly DatasetSession[],
  calibrated: Float64Array,
  kind: LabelKind,
): ScoreComparison {
  // Both go through the same arithmetic: a difference in the last digit would break ties on one side only.
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
    SEED,
  );
}

function verdictOf(
  { gain, figures, sourcesGained, sourcesMeasured }: ScoreComparison,
  counted: readonly FittedType[],
  shrinkage: number,
): CalibrationVerdict {
  if (!counted.some((one) => one.fitted)) {
    const most = Math.max(...counted.map((one) => one.n));
    return {
      verdict: 'too few to tell',
      gained: false,
      because: `no task type has ${MIN_SESSIONS} labelled sessions (the most is ${most}): the documented weights stay`,
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

// How far the weights may differ from the documented ones, decided on held-out sessions. The strongest shrinkage within
// one standard error of the best wins, so that with little data nothing moves.

type FitPlan = {
  readonly types: ReadonlySet<number>;
  readonly signals: boolean;
  readonly kind: LabelKind;
  readonly seed: number;
};

/** Strongest first; Infinity means the documented weights. */
const SHRINKAGES: readonly number[] = [Infinity, 1, 0.3, 0.1, 0.03, 0.01, 0.003];

const INNER_FOLDS = 5;

function chooseShrinkage(sessions: readonly DatasetSession[], plan: FitPlan): number {
  if (plan.types.size === 0) return Infinity;
  const sources = sessions.map((one) => one.source);
  const { folds, method } = foldsOf(sources, INNER_FOLDS, INNER_FOLDS, plan.seed);
  const errors = SHRINKAGES.map(() => new Float64Array(sessions.length));
  const clusters = Array.from({ length: sessions.length }, (_, place) => place);
  folds.forEach(({ heldOut }, fold) => {
    const held = new Set(heldOut);
    const training = sessions.filter((_, place) => !held.has(place));
    const testing = heldOut.map((place) => sessions[place] as DatasetSession);
    let start: WeightVector | undefined;
    SHRINKAGES.forEach((shrinkage, i) => {
      start = fitWeights(training, { ...fitOptions(training, plan), shrinkage, start });
      const own = heldOutErrors(training, testing, start, plan.kind);
      heldOut.forEach((place, j) => {
        (errors[i] as Float64Array)[place] = own[j] as number;
      });
    });
    // Whole sources were held out, so their sessions form one cluster.
    if (method !== 'k-fold') for (const place of heldOut) clusters[place] = -1 - fold;
  });
  return strongestGoodEnough(errors, clusters);
}

function fitOptions(sessions: readonly DatasetSession[], plan: FitPlan): Omit<FitOptions, 'shrinkage'> {
  return { ...plan, groups: groupsOf(sessions.map((one) => one.source)) };
}

/** The error of each held-out session, in terms of the fitted objective. */
function heldOutErrors(
  training: readonly DatasetSession[],
  testing: readonly DatasetSession[],
  weights: WeightVector,
  kind: LabelKind,
): Float64Array {
  return kind === 'ratings'
    ? squaredErrors(training, testing, weights)
    : misorderedShares(testing, qsOf(testing, weights));
}

/** Errors of the regression line from Q to the label, fitted on the training sessions. */
function squaredErrors(
  training: readonly DatasetSession[],
  testing: readonly DatasetSession[],
  weights: WeightVector,
): Float64Array {
  const qs = qsOf(training, weights);
  const labels = Float64Array.from(training, (one) => one.label);
  const q = centred(qs);
  const spread = dot(q, q);
  // A negative slope would call bad sessions good, so it counts as no relation at all.
  const slope = spread > 1e-12 ? Math.max(0, dot(q, centred(labels)) / spread) : 0;
  const start = average(labels) - slope * average(qs);
  return qsOf(testing, weights).map((own, i) => ((testing[i]?.label ?? 0) - start - slope * own) ** 2);
}

/** Per session, the share of sessions in its group with another label that Q orders wrongly; ties count half. */
function misorderedShares(sessions: readonly DatasetSession[], qs: Float64Array): Float64Array {
  const scores = settled(qs);
  const labels = Float64Array.from(sessions, (one) => one.label);
  const shares = new Float64Array(sessions.length);
  const groups = groupsOf(sessions.map((one) => one.source));
  for (const places of Map.groupBy(groups.keys(), (place) => groups[place]).values()) {
    for (const place of places) shares[place] = misordered(place, places, scores, labels);
  }
  return shares;
}

function misordered(
  place: number,
  others: readonly number[],
  scores: Float64Array,
  labels: Float64Array,
): number {
  let wrong = 0;
  let compared = 0;
  for (const other of others) {
    const better = (labels[place] as number) - (labels[other] as number);
    if (better === 0) continue;
    const ahead = ((scores[place] as number) - (scores[other] as number)) * better;
    if (ahead <= 0) wrong += ahead < 0 ? 1 : 0.5;
    compared += 1;
  }
  return compared === 0 ? 0 : wrong / compared;
}

function strongestGoodEnough(errors: readonly Float64Array[], clusters: readonly number[]): number {
  const means = errors.map(average);
  const best = means.indexOf(Math.min(...means));
  const chosen = errors.findIndex((own) => {
    const worse = own.map((error, i) => error - (errors[best]?.[i] as number));
    return average(worse) <= standardError(worse, clusters);
  });
  return SHRINKAGES[chosen] ?? Infinity;
}

/** The standard error of a mean over clustered items. Infinite for fewer than three clusters. */
function standardError(values: Float64Array, clusters: readonly number[]): number {
  const centre = average(values);
  const sums = new Map<number, number>();
  values.forEach((value, i) => {
    const cluster = clusters[i] as number;
    sums.set(cluster, (sums.get(cluster) ?? 0) + value - centre);
  });
  const count = sums.size;
  if (count < 3) return Infinity;
  const squares = [...sums.values()].reduce((sum, one) => sum + one * one, 0);
  return Math.sqrt((squares * count) / (count - 1)) / values.length;
}

function average(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
