/**
 * How far the weights may leave the documented ones, decided on sessions the fit has not seen. The strongest pull back
 * that does not do worse than the best one by more than a standard error wins, so that with little data nothing moves.
 */

import { centred, dot } from './agreement.ts';
import type { LabelKind } from './compare-scores.ts';
import type { DatasetSession } from './dataset.ts';
import { type FitOptions, fitWeights } from './fit-weights.ts';
import { foldsOf, groupsOf } from './folds.ts';
import { qsOf, settled } from './q-model.ts';
import type { WeightVector } from './weight-vector.ts';

export type FitPlan = {
  readonly types: ReadonlySet<number>;
  readonly signals: boolean;
  readonly kind: LabelKind;
  readonly seed: number;
};

/** Strongest first; Infinity is the documented weights themselves. */
const SHRINKAGES: readonly number[] = [Infinity, 1, 0.3, 0.1, 0.03, 0.01, 0.003];

const INNER_FOLDS = 5;

export function chooseShrinkage(sessions: readonly DatasetSession[], plan: FitPlan): number {
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
    // Whole sources were held out: their sessions stand or fall together.
    if (method !== 'k-fold') for (const place of heldOut) clusters[place] = -1 - fold;
  });
  return strongestGoodEnough(errors, clusters);
}

export function fitOptions(
  sessions: readonly DatasetSession[],
  plan: FitPlan,
): Omit<FitOptions, 'shrinkage'> {
  return { ...plan, groups: groupsOf(sessions.map((one) => one.source)) };
}

/** What each session held out says against the weights, in the terms of what was fitted. */
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

/** Of the straight line from Q to the label, drawn on the training sessions. */
function squaredErrors(
  training: readonly DatasetSession[],
  testing: readonly DatasetSession[],
  weights: WeightVector,
): Float64Array {
  const qs = qsOf(training, weights);
  const labels = Float64Array.from(training, (one) => one.label);
  const q = centred(qs);
  const spread = dot(q, q);
  // A line that falls would call bad good: then Q says nothing at all.
  const slope = spread > 1e-12 ? Math.max(0, dot(q, centred(labels)) / spread) : 0;
  const start = average(labels) - slope * average(qs);
  return qsOf(testing, weights).map((own, i) => ((testing[i]?.label ?? 0) - start - slope * own) ** 2);
}

/** For each session, the share of those of its group with another label that Q puts on the wrong side; ties half. */
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

/** Of a mean whose items come in clusters. Infinite with fewer than three: nothing can be told from two. */
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
