/**
 * Weights from labels: maximum a posteriori with a normal prior around the rules. Reference: C. M. Bishop, "Pattern
 * Recognition and Machine Learning" (2006), 4.3.4. Gradient steps, halved until each goes downhill; the problem is
 * convex.
 */

import { type Interval, wilson } from '../../stats/intervals.ts';
import { mcnemar } from '../../stats/mcnemar.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import {
  type IntentFeatures,
  type IntentModel,
  intentOfFeatures,
  SURE,
  usualWeight,
} from './intent-model.ts';

export type LabelledRun = { readonly features: IntentFeatures; readonly taskType: TaskType };

/** Strength of the prior: about one contrary label. */
const RIDGE = 1;
const STEPS = 400;
/** A step that gains less than this share ends it. */
const LEAST_GAIN = 1e-7;

export function fitIntents(labelled: readonly LabelledRun[]): IntentModel['weights'] {
  const names = [...new Set(labelled.flatMap(({ features }) => [...features.keys()]))].sort();
  const place = new Map(names.map((name, i) => [name, i]));
  const rows = labelled.map(({ features, taskType }) => ({
    values: [...features].map(([name, value]) => [place.get(name) ?? 0, value] as const),
    type: TASK_TYPES.indexOf(taskType),
  }));
  const width = names.length;
  const usual = Float64Array.from(
    TASK_TYPES.flatMap((taskType) => names.map((name) => usualWeight(taskType, name))),
  );
  let weights: Float64Array = Float64Array.from(usual);
  let { loss, gradient } = lossOf(rows, weights, usual, width);
  let reach = 1;
  for (let step = 0; step < STEPS; step += 1) {
    let next = moved(weights, gradient, reach);
    let after = lossOf(rows, next, usual, width);
    while (after.loss > loss && reach > 1e-9) {
      reach /= 2;
      next = moved(weights, gradient, reach);
      after = lossOf(rows, next, usual, width);
    }
    const gain = loss - after.loss;
    weights = next;
    ({ loss, gradient } = after);
    reach *= 1.5;
    if (gain < LEAST_GAIN * Math.max(1, loss)) break;
  }
  return Object.fromEntries(
    TASK_TYPES.map((taskType, t) => [
      taskType,
      Object.fromEntries(names.map((name, i) => [name, rounded(weights[t * width + i] ?? 0)])),
    ]),
  ) as IntentModel['weights'];
}

type Row = { readonly values: readonly (readonly [number, number])[]; readonly type: number };

function lossOf(rows: readonly Row[], weights: Float64Array, usual: Float64Array, width: number) {
  const gradient = new Float64Array(weights.length);
  let loss = 0;
  for (let i = 0; i < weights.length; i += 1) {
    const off = (weights[i] ?? 0) - (usual[i] ?? 0);
    loss += (RIDGE / 2) * off * off;
    gradient[i] = RIDGE * off;
  }
  for (const { values, type } of rows) {
    const scores = TASK_TYPES.map((_, t) =>
      values.reduce((sum, [i, value]) => sum + value * (weights[t * width + i] ?? 0), 0),
    );
    const top = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - top));
    const all = powers.reduce((sum, power) => sum + power, 0);
    loss -= (scores[type] ?? 0) - top - Math.log(all);
    for (const [t, power] of powers.entries()) {
      const error = power / all - Number(t === type);
      for (const [i, value] of values)
        gradient[t * width + i] = (gradient[t * width + i] ?? 0) + error * value;
    }
  }
  return { loss, gradient };
}

function moved(weights: Float64Array, gradient: Float64Array, reach: number): Float64Array {
  return weights.map((weight, i) => weight - reach * (gradient[i] ?? 0));
}

/** Rounded for readers, and equal on every machine. */
function rounded(weight: number): number {
  return Math.round(weight * 1e4) / 1e4;
}

// How often rules and a model agree with labels, on sessions that the model has not seen: whole sources (a project, a
// file of many runs) are held out in turn, because sessions of one source are alike.

export type LabelledSource = LabelledRun & { readonly source: string; readonly byRules: TaskType };

export type Hits = {
  readonly right: number;
  readonly n: number;
  readonly share: number;
  readonly interval?: Interval;
};

export type IntentValidation = {
  readonly n: number;
  readonly sources: number;
  readonly rules: Hits;
  /** Where the model is sure, it decides; elsewhere the rules do. */
  readonly model: Hits;
  /** How often it is sure. */
  readonly sure: number;
  readonly p: number;
  /** Label → task type of the model → count. */
  readonly confusion: readonly { readonly given: TaskType; readonly found: TaskType; readonly n: number }[];
  readonly verdict: 'take the model' | 'keep the rules' | 'too few to tell';
};

const LEAST_LABELS = 30;
const MOST_PARTS = 10;
const LEVEL = 0.05;

export function validateIntents(labelled: readonly LabelledSource[]): IntentValidation {
  const sources = [...Map.groupBy(labelled, ({ source }) => source)].sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = Math.min(MOST_PARTS, sources.length);
  const judged = Array.from({ length: parts }, (_, part) => {
    const own = sources.filter((_, i) => i % parts === part).flatMap(([, some]) => some);
    const others = sources.filter((_, i) => i % parts !== part).flatMap(([, some]) => some);
    const weights = fitIntents(others);
    return own.map((one) => {
      const { taskType, probability } = intentOfFeatures({ weights }, one.features);
      const isSure = probability >= SURE;
      return { given: one.taskType, byRules: one.byRules, found: isSure ? taskType : one.byRules, isSure };
    });
  }).flat();
  const n = judged.length;
  const better = judged.filter(({ given, byRules, found }) => found === given && byRules !== given).length;
  const worse = judged.filter(({ given, byRules, found }) => found !== given && byRules === given).length;
  const p = mcnemar(better, worse);
  const isEnough = n >= LEAST_LABELS && sources.length >= 2;
  return {
    n,
    sources: sources.length,
    rules: hits(judged.filter(({ given, byRules }) => given === byRules).length, n),
    model: hits(judged.filter(({ given, found }) => given === found).length, n),
    sure: n === 0 ? 0 : judged.filter(({ isSure }) => isSure).length / n,
    p,
    confusion: TASK_TYPES.flatMap((given) =>
      TASK_TYPES.map((found) => ({
        given,
        found,
        n: judged.filter((one) => one.given === given && one.found === found).length,
      })),
    ).filter((cell) => cell.n > 0),
    verdict: !isEnough
      ? 'too few to tell'
      : better > worse && p < LEVEL
        ? 'take the model'
        : 'keep the rules',
  };
}

function hits(right: number, n: number): Hits {
  const interval = wilson(right, n);
  return { right, n, share: n === 0 ? 0 : right / n, ...(interval && { interval }) };
}
