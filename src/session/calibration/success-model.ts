/**
 * P(success) of a session, learned from sessions with known outcomes: a logistic regression on Q with effects of the
 * model, the project and the recurring task. A prior shrinks each effect to 0, so that a task falls back on its
 * project, a project on its model, and a model on all sessions. Pure.
 *
 *  Reference: the posterior is approximated at its mode (Laplace); D. J. C. MacKay, Neural Computation 4 (1992), for
 * the mean of a logistic function under a normal distribution. Cost: O(n) for each step of Newton's method, because
 * task effects are eliminated one by one.
 */
import { mean, sampleSd } from '../../stats/descriptive.ts';
import { random } from '../../stats/random.ts';
import { shuffled } from './sample-for-rating.ts';

export type SuccessCase = {
  /** Q without the known outcome; the benchmark tries other numbers too. */
  readonly numbers: readonly (number | undefined)[];
  readonly model?: string | undefined;
  readonly project?: string | undefined;
  /** The same for all sessions with the same request. */
  readonly task?: string | undefined;
};

export type KnownCase = SuccessCase & { readonly success: boolean };

export type SuccessChance = {
  readonly p: number;
  readonly low: number;
  readonly high: number;
  /** Known outcomes behind the estimate, and how many of them have the same task. */
  readonly n: number;
  readonly ofTask: number;
};

/** The minimum number of outcomes. */
export const LEAST_OUTCOMES = 10;

const Z = 1.96;
/**
 * Standard deviations of the priors, on the logit scale. With 1, the intervals hold in simulations with small and with
 * large differences between tasks, projects and models. A value estimated from few outcomes does not.
 */
const SPREAD_OF_START = 1.5;
const SPREAD_OF_SLOPES = 1;
const SPREAD = 1;
const PRECISION = 1 / SPREAD ** 2;
/** Further models and projects share one level; they have few outcomes each. */
const MOST_LEVELS = 30;
const NEWTON_STEPS = 12;
/** When nearly all have the same Q, its small differences carry no information. */
const LEAST_SCALE = 0.05;

type Design = {
  /** The mean and scale of each number. */
  readonly centre: readonly { readonly mean: number; readonly scale: number }[];
  readonly models: ReadonlyMap<string, number>;
  readonly projects: ReadonlyMap<string, number>;
  readonly tasks: ReadonlyMap<string, number>;
  readonly width: number;
};

/** Indexes of its model, project and numbers, with their values. */
type Coded = { readonly at: readonly number[]; readonly x: readonly number[]; readonly task: number };

type Fitted = {
  readonly design: Design;
  readonly weights: Float64Array;
  readonly tasks: Float64Array;
  /** Of the Hessian without the tasks, its Cholesky factor; of each task, its diagonal and its row. */
  readonly factor: readonly Float64Array[];
  readonly diagonal: Float64Array;
  readonly rows: readonly ReadonlyMap<number, number>[];
};

export class SuccessModel {
  readonly n: number;
  readonly #fitted: Fitted;
  readonly #perTask: ReadonlyMap<string, number>;

  private constructor(fitted: Fitted, known: readonly KnownCase[]) {
    this.#fitted = fitted;
    this.n = known.length;
    const perTask = new Map<string, number>();
    for (const { task } of known) if (task !== undefined) perTask.set(task, (perTask.get(task) ?? 0) + 1);
    this.#perTask = perTask;
  }

  /** Undefined: too few known outcomes. */
  static fit(known: readonly KnownCase[]): SuccessModel | undefined {
    return known.length < LEAST_OUTCOMES ? undefined : new SuccessModel(fitMode(known), known);
  }

  chanceOf(one: SuccessCase): SuccessChance {
    const { design, weights, tasks, factor, diagonal, rows } = this.#fitted;
    const { at, x, task } = code(one, design);
    const a = new Float64Array(design.width);
    let eta = 0;
    for (const [i, place] of at.entries()) {
      a[place] = x[i] as number;
      eta += (x[i] as number) * (weights[place] as number);
    }
    let variance = 0;
    if (one.model !== undefined && !design.models.has(one.model)) variance += SPREAD ** 2;
    if (one.project !== undefined && !design.projects.has(one.project)) variance += SPREAD ** 2;
    // For a task without outcomes, the mean over tasks; for a known one, its own rate.
    let shrink = 1 / Math.sqrt(1 + (Math.PI * SPREAD ** 2) / 8);
    if (task >= 0) {
      eta += tasks[task] as number;
      shrink = 1;
      const d = diagonal[task] as number;
      variance += 1 / d;
      for (const [place, value] of rows[task] ?? []) a[place] = (a[place] as number) - value / d;
    }
    const half = solveLower(factor, a);
    for (const value of half) variance += value * value;
    const sd = Math.sqrt(variance);
    return {
      p: sigmoid((shrink * eta) / Math.sqrt(1 + (Math.PI * (shrink * sd) ** 2) / 8)),
      low: sigmoid(shrink * (eta - Z * sd)),
      high: sigmoid(shrink * (eta + Z * sd)),
      n: this.n,
      ofTask: this.#perTask.get(one.task ?? '') ?? 0,
    };
  }
}

/** A session without a task is its own group. So are sessions of a task that leaves too few others to learn from. */
function groupByTask(known: readonly KnownCase[]): (one: KnownCase, place: number) => string {
  const counts = new Map<string | undefined, number>();
  for (const { task } of known) counts.set(task, (counts.get(task) ?? 0) + 1);
  const isMost = (task: string) => 2 * (counts.get(task) ?? 0) > known.length;
  return ({ task }, place) => (task === undefined || isMost(task) ? `row ${place}` : task);
}

/** For each case, a model fitted without the outcomes of its group; undefined when too few remain. */
export function unseenModels(
  known: readonly KnownCase[],
  {
    folds = 5,
    groupOf = groupByTask(known),
  }: { readonly folds?: number; readonly groupOf?: (one: KnownCase, place: number) => string } = {},
): (SuccessModel | undefined)[] {
  const models: (SuccessModel | undefined)[] = known.map(() => undefined);
  const groups = [
    ...Map.groupBy(known.keys(), (place) => groupOf(known[place] as KnownCase, place)).values(),
  ];
  const bins = shuffled(groups, random(1));
  const count = Math.min(folds, bins.length);
  for (let fold = 0; fold < count; fold++) {
    const held = new Set(bins.filter((_, i) => i % count === fold).flat());
    const model = SuccessModel.fit(known.filter((_, place) => !held.has(place)));
    for (const place of held) models[place] = model;
  }
  return models;
}

function designOf(known: readonly KnownCase[]): Design {
  const centre = (known[0]?.numbers ?? []).map((_, i) => {
    const values = known.flatMap(({ numbers }) => numbers[i] ?? []);
    const centred = mean(values) ?? 0;
    return { mean: centred, scale: Math.max(LEAST_SCALE, sampleSd(values) ?? 0) };
  });
  const first = 1 + centre.length;
  const models = levelsOf(known, ({ model }) => model, first);
  const projects = levelsOf(known, ({ project }) => project, first + models.size);
  const tasks = new Map<string, number>();
  for (const { task } of known) if (task !== undefined && !tasks.has(task)) tasks.set(task, tasks.size);
  return { centre, models, projects, tasks, width: first + models.size + projects.size };
}

function levelsOf(
  known: readonly KnownCase[],
  of: (one: KnownCase) => string | undefined,
  first: number,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of known) {
    const name = of(one);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, MOST_LEVELS);
  return new Map(names.map(([name], i) => [name, first + i]));
}

/** A missing number is replaced by the mean. */
function code({ numbers, model, project, task }: SuccessCase, design: Design): Coded {
  const at = [0];
  const x = [1];
  for (const [i, { mean: centred, scale }] of design.centre.entries()) {
    const value = numbers[i];
    if (value === undefined) continue;
    at.push(1 + i);
    x.push((value - centred) / scale);
  }
  for (const place of [design.models.get(model ?? ''), design.projects.get(project ?? '')]) {
    if (place === undefined) continue;
    at.push(place);
    x.push(1);
  }
  return { at, x, task: design.tasks.get(task ?? '') ?? -1 };
}

function fitMode(known: readonly KnownCase[]): Fitted {
  const design = designOf(known);
  const coded = known.map((one) => code(one, design));
  const precision = precisionsOf(design);
  const weights = new Float64Array(design.width);
  const tasks = new Float64Array(design.tasks.size);
  let state = stateAt(known, coded, { weights, tasks, precision });
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const { gradient, taskGradient, diagonal, rows, factor } = state;
    const right = Float64Array.from(gradient);
    for (const [t, row] of rows.entries())
      for (const [place, value] of row)
        right[place] =
          (right[place] as number) - (value * (taskGradient[t] as number)) / (diagonal[t] as number);
    const move = solveUpper(factor, solveLower(factor, right));
    let largest = 0;
    for (const [place, value] of move.entries()) {
      weights[place] = (weights[place] as number) + value;
      largest = Math.max(largest, Math.abs(value));
    }
    for (const [t, row] of rows.entries()) {
      let own = taskGradient[t] as number;
      for (const [place, value] of row) own -= value * (move[place] as number);
      const change = own / (diagonal[t] as number);
      tasks[t] = (tasks[t] as number) + change;
      largest = Math.max(largest, Math.abs(change));
    }
    state = stateAt(known, coded, { weights, tasks, precision });
    if (largest < 1e-6) break;
  }
  const { factor, diagonal, rows } = state;
  return { design, weights, tasks, factor, diagonal, rows };
}

function precisionsOf({ centre, width }: Design): Float64Array {
  const precision = new Float64Array(width).fill(PRECISION, 1 + centre.length);
  precision.fill(1 / SPREAD_OF_SLOPES ** 2, 1, 1 + centre.length);
  precision[0] = 1 / SPREAD_OF_START ** 2;
  return precision;
}

type Point = {
  readonly weights: Float64Array;
  readonly tasks: Float64Array;
  readonly precision: Float64Array;
};

function stateAt(known: readonly KnownCase[], coded: readonly Coded[], point: Point) {
  const { weights, tasks, precision } = point;
  const width = weights.length;
  const gradient = weights.map((weight, i) => -weight * (precision[i] as number));
  const taskGradient = tasks.map((effect) => -effect * PRECISION);
  const diagonal = new Float64Array(tasks.length).fill(PRECISION);
  const rows = Array.from({ length: tasks.length }, () => new Map<number, number>());
  const hessian = Array.from({ length: width }, (_, i) => {
    const row = new Float64Array(i + 1);
    row[i] = precision[i] as number;
    return row;
  });
  for (const [i, { at, x, task }] of coded.entries()) {
    const { success } = known[i] as KnownCase;
    let eta = task < 0 ? 0 : (tasks[task] as number);
    for (const [j, place] of at.entries()) eta += (x[j] as number) * (weights[place] as number);
    const p = sigmoid(eta);
    const curve = Math.max(1e-9, p * (1 - p));
    const rest = Number(success) - p;
    const row = rows[task];
    if (row !== undefined) {
      taskGradient[task] = (taskGradient[task] as number) + rest;
      diagonal[task] = (diagonal[task] as number) + curve;
    }
    for (const [j, place] of at.entries()) {
      const value = x[j] as number;
      gradient[place] = (gradient[place] as number) + rest * value;
      row?.set(place, (row.get(place) ?? 0) + curve * value);
      for (const [k, other] of at.entries())
        if (other <= place) addTo(hessian, place, other, curve * value * (x[k] as number));
    }
  }
  for (const [t, row] of rows.entries())
    for (const [place, value] of row)
      for (const [other, more] of row)
        if (other <= place) addTo(hessian, place, other, (-value * more) / (diagonal[t] as number));
  return { gradient, taskGradient, diagonal, rows, factor: cholesky(hessian) };
}

function addTo(matrix: readonly Float64Array[], i: number, j: number, amount: number): void {
  const row = matrix[i] as Float64Array;
  row[j] = (row[j] as number) + amount;
}

/** The lower triangle L of a positive definite matrix, given its lower triangle: L·Lᵀ. */
function cholesky(matrix: readonly Float64Array[]): Float64Array[] {
  const factor = matrix.map((row) => Float64Array.from(row));
  for (const [i, row] of factor.entries()) {
    for (let j = 0; j <= i; j++) {
      const other = factor[j] as Float64Array;
      let sum = row[j] as number;
      for (let k = 0; k < j; k++) sum -= (row[k] as number) * (other[k] as number);
      row[j] = i === j ? Math.sqrt(Math.max(1e-12, sum)) : sum / (other[j] as number);
    }
  }
  return factor;
}

function solveLower(factor: readonly Float64Array[], right: Float64Array): Float64Array {
  const solved = Float64Array.from(right);
  for (const [i, row] of factor.entries()) {
    let sum = solved[i] as number;
    for (let k = 0; k < i; k++) sum -= (row[k] as number) * (solved[k] as number);
    solved[i] = sum / (row[i] as number);
  }
  return solved;
}

function solveUpper(factor: readonly Float64Array[], right: Float64Array): Float64Array {
  const solved = Float64Array.from(right);
  for (let i = factor.length - 1; i >= 0; i--) {
    let sum = solved[i] as number;
    for (let k = i + 1; k < factor.length; k++)
      sum -= ((factor[k] as Float64Array)[i] as number) * (solved[k] as number);
    solved[i] = sum / ((factor[i] as Float64Array)[i] as number);
  }
  return solved;
}

function sigmoid(eta: number): number {
  return 1 / (1 + Math.exp(-eta));
}
