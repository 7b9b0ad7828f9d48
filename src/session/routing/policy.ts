/**
 * Which model should take the next task of a kind, and how often: Thompson sampling under a floor on quality and a cap
 * on cost. What is believed of each model is drawn many times; in each draw the model that is best among those that
 * keep to the floor and the cap wins, and how often it wins is its share. So a model that is surely better gets nearly
 * everything, and one that might be keeps being tried.
 *
 * Reference: W. R. Thompson, "On the likelihood that one unknown probability exceeds another in view of the evidence of
 * two samples", Biometrika 25 (1933); D. Russo et al., "A tutorial on Thompson sampling", FnT ML 11 (2018).
 */
import { createHash } from 'node:crypto';
import { normalQuantile, studentTQuantile } from '../../stats/distributions.ts';
import { random } from '../../stats/random.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { shortHash } from '../session-key.ts';
import type { Steps } from '../stop-if-aborted.ts';
import { armsOf, type RouteArm } from './arm.ts';
import { type Levels, levelsOf, type RouteCell, type StratumOf, strataOf } from './level.ts';

/** `cost`: the cheapest that is good enough. `quality`: the best that is cheap enough. */
type RouteAim = 'cost' | 'quality';
export const ROUTE_AIMS: readonly RouteAim[] = ['cost', 'quality'];

export type RouteWishes = {
  readonly aim: RouteAim;
  /** Mean Q that a model must reach, whatever others reach. */
  readonly floor: number;
  /** How much less Q than the best model, and what share more of failing sessions, counts as the same. */
  readonly margin: number;
  /** A session may cost so many dollars in the mean. */
  readonly capUsd?: number;
  /** Fewer sessions of a model than this, and nothing is said of it. */
  readonly least: number;
  /** Of all tasks, so many go to models of which too little is known. */
  readonly explore: number;
};

export const USUAL_WISHES: RouteWishes = { aim: 'cost', floor: 0.75, margin: 0.05, least: 20, explore: 0 };

/** As if every project were equally hard (level.ts). */
export type RoutedArm = RouteArm & {
  /** How often it should be taken. */
  readonly share: number;
  /** How surely it keeps to the floor, and to the cap; absent where it has too few sessions to be judged. */
  readonly odds?: { readonly reachesFloor: number; readonly keepsCap: number };
  /** No project compares it with the model that has most sessions. */
  readonly isApart: boolean;
};

export type TypeRoute = {
  readonly taskType: TaskType;
  readonly n: number;
  /** What there is now: the mean of all sessions of the kind. */
  readonly now: { readonly meanQ: number; readonly meanCostUsd: number; readonly failing: number };
  readonly arms: readonly RoutedArm[];
} & RouteAnswer;

type RouteAnswer =
  | { readonly answer: 'route'; readonly model: string }
  /** Fewer than two models have enough sessions. */
  | { readonly answer: 'not enough data' }
  /** Models with enough sessions that no project compares. */
  | { readonly answer: 'never compared' }
  /** No model meets the floor and the cap with enough certainty. */
  | { readonly answer: 'none keeps to it' };

export type RoutePolicy = {
  /** The same past and the same wishes have the same name. */
  readonly name: string;
  readonly wishes: RouteWishes;
  readonly types: readonly TypeRoute[];
};

const DRAWS = 2000;

/** One kind of work after the other. */
export function* policySteps(cells: readonly RouteCell[], wishes: RouteWishes): Steps<RoutePolicy> {
  const byType = Map.groupBy(cells, ({ taskType }) => taskType);
  const stratumOf = strataOf(cells);
  const types: TypeRoute[] = [];
  for (const taskType of TASK_TYPES) {
    const own = byType.get(taskType);
    if (own === undefined) continue;
    yield;
    types.push(routeOf(taskType, own, stratumOf, wishes));
  }
  return { name: `route-${shortHash({ wishes, types })}`, wishes, types };
}

function routeOf(
  taskType: TaskType,
  cells: readonly RouteCell[],
  stratumOf: StratumOf,
  wishes: RouteWishes,
): TypeRoute {
  const { level, compared } = levelsOf(cells, stratumOf, wishes.least);
  const arms = armsOf(cells, level);
  const sum = (of: (cell: RouteCell) => number) => cells.reduce((total, cell) => total + of(cell), 0);
  const n = sum((cell) => cell.n);
  const now = {
    meanQ: sum(({ q }) => q) / n,
    meanCostUsd: sum(({ costUsd }) => costUsd) / n,
    failing: sum(({ failures }) => failures) / n,
  };
  const known = arms.filter((arm) => arm.n >= wishes.least);
  const group = groupOf(compared, known);
  const wins = drawWins(known, wishes);
  const won = known.reduce((total, { model }) => total + (wins.get(model)?.won ?? 0), 0);
  const unknown = arms.length - known.length;
  const explored = unknown > 0 ? wishes.explore : 0;
  const answer = answerOf(known, group, wins);
  const routed = arms.map((arm): RoutedArm => {
    const own = wins.get(arm.model);
    const share = own === undefined ? explored / unknown : ((1 - explored) * own.won) / won;
    return {
      ...arm,
      isApart: !group.has(arm.model),
      share: answer.answer === 'route' ? share : 0,
      ...(own && { odds: { reachesFloor: own.reached / DRAWS, keepsCap: own.kept / DRAWS } }),
    };
  });
  return { taskType, n, now, arms: routed, ...answer };
}

/** The models that projects compare with the one that has most sessions. */
function groupOf(compared: Levels['compared'], known: readonly RouteArm[]): ReadonlySet<string> {
  const [most] = known.toSorted((a, b) => b.n - a.n);
  return compared.find((group) => most !== undefined && group.has(most.model)) ?? new Set();
}

type Wins = { won: number; reached: number; kept: number; enough: number };

/** Less sure than this, a model is not recommended. */
const SURE = 0.9;

function answerOf(
  known: readonly RouteArm[],
  group: ReadonlySet<string>,
  wins: ReadonlyMap<string, Wins>,
): RouteAnswer {
  if (known.length < 2) return { answer: 'not enough data' };
  if (known.some(({ model }) => !group.has(model))) return { answer: 'never compared' };
  const [best] = known
    .flatMap(({ model }) => {
      const own = wins.get(model);
      return own !== undefined && own.enough >= SURE * DRAWS ? [{ model, won: own.won }] : [];
    })
    .toSorted((a, b) => b.won - a.won);
  return best === undefined ? { answer: 'none keeps to it' } : { answer: 'route', model: best.model };
}

/** The same beliefs give the same draws: they depend on the number of the draw and the place of the model alone. */
function drawWins(arms: readonly RouteArm[], { aim, floor, margin, capUsd = Infinity }: RouteWishes) {
  const wins = new Map<string, Wins>(
    arms.map(({ model }) => [model, { won: 0, reached: 0, kept: 0, enough: 0 }]),
  );
  const { bits } = random(1);
  const uniform = () => (bits() + 0.5) / 2 ** 32;
  const tables = arms.map(({ belief }) => tQuantiles(belief.degrees));
  const [bestQ] = arms.toSorted((a, b) => b.belief.center - a.belief.center);
  const [fewest] = arms.toSorted((a, b) => a.failing.center - b.failing.center);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const drawn = arms.map(({ belief, failing, meanCostUsd, costError }, i) => ({
      q: belief.center + belief.scale * at(tables[i], uniform()),
      cost: meanCostUsd * Math.exp(costError * normalQuantile(uniform()) - costError ** 2 / 2),
      failing: failing.center + failing.scale * normalQuantile(uniform()),
    }));
    const of = (arm: RouteArm | undefined) => drawn[arm === undefined ? -1 : arms.indexOf(arm)];
    const leastQ = Math.max(floor, (of(bestQ)?.q ?? 0) - margin);
    const mostFailing = (of(fewest)?.failing ?? 1) + margin;
    let best: { readonly worth: number; readonly wins: Wins } | undefined;
    for (const [i, { model }] of arms.entries()) {
      const [own, one] = [wins.get(model), drawn[i]];
      if (own === undefined || one === undefined) continue;
      const reaches = one.q >= leastQ && one.failing <= mostFailing;
      if (reaches) own.reached += 1;
      if (one.cost <= capUsd) own.kept += 1;
      if (!reaches || one.cost > capUsd) continue;
      own.enough += 1;
      const worth = aim === 'cost' ? -one.cost : one.q;
      if (best === undefined || worth > best.worth) best = { worth, wins: own };
    }
    if (best !== undefined) best.wins.won += 1;
  }
  return wins;
}

const STEPS = 256;
/** From here on it looks like the normal distribution, and one table serves all. */
const MANY_DEGREES = 60;

/**
 * Quantiles of Student's t at the middles of equal parts, the upper half of them: working out each draw anew would take
 * most of the time.
 */
function tQuantiles(degrees: number): readonly number[] {
  const few = Math.min(MANY_DEGREES, degrees);
  const table =
    tables.get(few) ??
    Array.from({ length: STEPS / 2 }, (_, i) => studentTQuantile((STEPS / 2 + i + 0.5) / STEPS, few));
  tables.set(few, table);
  return table;
}

/** By degrees, which are whole numbers and few. */
const tables = new Map<number, readonly number[]>();

function at(table: readonly number[] = [], uniform: number): number {
  const step = Math.min(STEPS - 1, Math.floor(uniform * STEPS)) - STEPS / 2;
  return step >= 0 ? (table[step] ?? 0) : -(table[-1 - step] ?? 0);
}

// Which model takes one task, by the shares of a policy.

export type RouteChoice =
  /** `probability` belongs into a log: with it the past can be judged later without guessing. */
  | { readonly answer: 'route'; readonly model: string; readonly probability: number }
  | { readonly answer: Exclude<TypeRoute['answer'], 'route'> };

/** `uniform`: from 0 up to but without 1. */
export function chooseModel(route: TypeRoute | undefined, uniform: number): RouteChoice {
  if (route === undefined) return { answer: 'not enough data' };
  if (route.answer !== 'route') return { answer: route.answer };
  const arm = armAt(route.arms, uniform);
  return arm === undefined
    ? { answer: 'not enough data' }
    : { answer: 'route', model: arm.model, probability: arm.share };
}

function armAt(arms: readonly RoutedArm[], uniform: number): RoutedArm | undefined {
  let before = 0;
  for (const arm of arms) {
    before += arm.share;
    if (uniform < before) return arm;
  }
  // What rounding left over.
  return arms.findLast(({ share }) => share > 0);
}

/** The same task under the same policy goes to the same model, on every machine. */
export function uniformOf({ name }: Pick<RoutePolicy, 'name'>, key: string): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, key]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}
