/**
 * The same past as if every stratum were equally hard: the strong model often gets the hard project, and its plain mean
 * would blame it for that. Q is taken to be what the model gives plus what the stratum adds, cost what the model takes
 * times the size of the stratum; both are fitted in turns until they agree.
 */
import type { TaskType } from '../profiles/task-type.ts';

const TURNS = 50;
/** So many sessions' worth of no difference: what a small stratum adds is hardly known. */
const SHRINK = 5;

export type Levels = {
  /** What the sessions of a cell gave and took as if its stratum were like the others. */
  readonly level: (cell: RouteCell) => Levelled;
  /** Models that the same projects compare, directly or through others; nothing compares two of different groups. */
  readonly compared: readonly ReadonlySet<string>[];
};

type Levelled = Pick<RouteCell, 'q' | 'qSquares' | 'costUsd' | 'failures'>;

/** Of cells of one kind of work. */
export function levelsOf(cells: readonly RouteCell[], stratumOf: StratumOf, least = COMPARED): Levels {
  const sums = sumsOf(cells, stratumOf);
  const { ease, size, trouble } = fitStrata(sums);
  return {
    level: (cell) => {
      const stratum = stratumOf(cell);
      const { failures, n } = cell;
      const levelled = level(cell, ease.get(stratum) ?? 0, size.get(stratum) ?? 1);
      return { ...levelled, failures: failures - n * (trouble.get(stratum) ?? 0) };
    },
    compared: comparedModels(sums, Math.min(COMPARED, least)),
  };
}

type Sums = {
  readonly stratum: string;
  readonly model: string;
  n: number;
  q: number;
  costUsd: number;
  failures: number;
};

/** By stratum and model. */
function sumsOf(cells: readonly RouteCell[], stratumOf: StratumOf): Sums[] {
  const strata = new Map<string, Map<string, Sums>>();
  for (const cell of cells) {
    const { model, n, q, costUsd, failures } = cell;
    const stratum = stratumOf(cell);
    const models = strata.get(stratum) ?? new Map<string, Sums>();
    strata.set(stratum, models);
    const sums = models.get(model) ?? { stratum, model, n: 0, q: 0, costUsd: 0, failures: 0 };
    models.set(model, sums);
    sums.n += n;
    sums.q += q;
    sums.costUsd += costUsd;
    sums.failures += failures;
  }
  return [...strata.values()].flatMap((models) => [...models.values()]);
}

function fitStrata(sums: readonly Sums[]) {
  const strata = Map.groupBy(sums, ({ stratum }) => stratum);
  const models = Map.groupBy(sums, ({ model }) => model);
  const ease = new Map<string, number>();
  const trouble = new Map<string, number>();
  const size = new Map<string, number>();
  const easeOf = ({ stratum }: Sums) => ease.get(stratum) ?? 0;
  const troubleOf = ({ stratum }: Sums) => trouble.get(stratum) ?? 0;
  const sizeOf = ({ stratum }: Sums) => size.get(stratum) ?? 1;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const quality = new Map<string, number>();
    const failing = new Map<string, number>();
    const cost = new Map<string, number>();
    for (const [model, own] of models) {
      quality.set(model, sum(own, (one) => one.q - one.n * easeOf(one)) / countOf(own));
      failing.set(model, sum(own, (one) => one.failures - one.n * troubleOf(one)) / countOf(own));
      cost.set(model, sum(own, ({ costUsd }) => costUsd) / sum(own, (one) => one.n * sizeOf(one)));
    }
    for (const [stratum, own] of strata) {
      const usual = sum(own, ({ model, n }) => n * (quality.get(model) ?? 0));
      ease.set(stratum, (sum(own, ({ q }) => q) - usual) / (countOf(own) + SHRINK));
      const failed = sum(own, ({ model, n }) => n * (failing.get(model) ?? 0));
      trouble.set(stratum, (sum(own, ({ failures }) => failures) - failed) / (countOf(own) + SHRINK));
      const usualCost = sum(own, ({ model, n }) => n * (cost.get(model) ?? 0));
      const little = (SHRINK * usualCost) / countOf(own);
      const paid = sum(own, ({ costUsd }) => costUsd);
      size.set(stratum, usualCost === 0 ? 1 : (paid + little) / (usualCost + little));
    }
    center(ease, trouble, size, strata);
  }
  return { ease, size, trouble };
}

/** Over all sessions strata add nothing and take nothing. */
function center(
  ease: Map<string, number>,
  trouble: Map<string, number>,
  size: Map<string, number>,
  strata: ReadonlyMap<string, readonly Sums[]>,
): void {
  let [n, eases, troubles, sizes] = [0, 0, 0, 0];
  for (const [stratum, own] of strata) {
    const count = countOf(own);
    n += count;
    eases += count * (ease.get(stratum) ?? 0);
    troubles += count * (trouble.get(stratum) ?? 0);
    sizes += count * (size.get(stratum) ?? 1);
  }
  for (const [stratum, value] of ease) ease.set(stratum, value - eases / n);
  for (const [stratum, value] of trouble) trouble.set(stratum, value - troubles / n);
  for (const [stratum, value] of size) size.set(stratum, (value * n) / sizes);
}

function level(
  { n, q, qSquares, costUsd }: RouteCell,
  ease: number,
  size: number,
): Omit<Levelled, 'failures'> {
  return {
    q: q - n * ease,
    qSquares: qSquares - 2 * ease * q + n * ease ** 2,
    costUsd: costUsd / size,
  };
}

/** Groups of models that a chain of strata connects: in each link both were tried. */
function comparedModels(sums: readonly Sums[], least: number): ReadonlySet<string>[] {
  let groups = [...new Set(sums.map(({ model }) => model))].map((model) => new Set([model]));
  for (const own of Map.groupBy(sums, ({ stratum }) => stratum).values()) {
    const tried = own.filter(({ n }) => n >= least).map(({ model }) => model);
    if (tried.length < 2) continue;
    const touched = groups.filter((group) => tried.some((model) => group.has(model)));
    groups = groups.filter((group) => !touched.includes(group));
    groups.push(new Set(touched.flatMap((group) => [...group])));
  }
  return groups;
}

function countOf(all: readonly { readonly n: number }[]): number {
  return sum(all, ({ n }) => n);
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}

// A kind of work in a project: within it tasks are taken to be alike. Small projects are taken together.

/** Projects with fewer sessions of a kind have no stratum of their own. */
const OWN_STRATUM = 20;

/** A model with fewer sessions in a stratum was never really tried there. */
export const TRIED = 3;

/** With fewer sessions of either in a project nothing compares two models. */
const COMPARED = 10;

export type StratumOf = (cell: Pick<RouteCell, 'taskType' | 'project'>) => string;

export function strataOf(cells: readonly RouteCell[]): StratumOf {
  const counts = new Map<TaskType, Map<string, number>>();
  for (const { taskType, project, n } of cells) {
    let projects = counts.get(taskType);
    if (projects === undefined) {
      projects = new Map();
      counts.set(taskType, projects);
    }
    projects.set(project, (projects.get(project) ?? 0) + n);
  }
  const strata = new Map<TaskType, ReadonlyMap<string, string>>();
  for (const [taskType, projects] of counts) {
    const large = [...projects].filter(([, n]) => n >= OWN_STRATUM);
    strata.set(taskType, new Map(large.map(([project]) => [project, JSON.stringify([taskType, project])])));
  }
  return ({ taskType, project }) => strata.get(taskType)?.get(project) ?? taskType;
}

/** Only sessions with a Q, a cost, a model and a day: of others it cannot be told what they gave for what. */
export type RouteCell = {
  readonly day: string;
  readonly taskType: TaskType;
  readonly project: string;
  readonly model: string;
  readonly n: number;
  /** Sums over the sessions. */
  readonly q: number;
  readonly qSquares: number;
  readonly costUsd: number;
  /** Of the sessions, those that were poor or failed, corrected, or written lines that nothing verified. */
  readonly failures: number;
  /** Of those of them that have one. */
  readonly outcome: { readonly n: number; readonly sum: number };
};

/** Sessions whose project is not known have this one in common. */
export const NO_PROJECT = '';
