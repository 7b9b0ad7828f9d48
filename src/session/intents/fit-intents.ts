/**
 * Weights from labels: the most likely ones, held near the rules by a ridge (maximum a posteriori with a normal prior around
 * the rules). Reference: C. M. Bishop, "Pattern Recognition and Machine Learning" (2006), 4.3.4. Found by gradient steps
 * whose length is halved until each step is one downhill; the problem has one lowest point.
 */
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import type { IntentFeatures } from './features.ts';
import { type IntentModel, usualWeight } from './intent-model.ts';

export type LabelledRun = { readonly features: IntentFeatures; readonly taskType: TaskType };

/** So hard are weights held near the rules: about as much as one contrary label says. */
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

/** What a person reads, and the same on every machine. */
function rounded(weight: number): number {
  return Math.round(weight * 1e4) / 1e4;
}
