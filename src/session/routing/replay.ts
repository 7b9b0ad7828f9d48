/**
 * What a policy would have given on the sessions that there were: doubly robust evaluation. For each session it adds what
 * the models the policy prefers gave elsewhere in the same stratum, and, where the policy agrees with what was done, how
 * far that one session was off, by the inverse of how usual the choice was. It is right when either of the two is.
 *
 * A policy that learnt from a session may not be judged by it, so days are dealt into parts, and each part is judged by a
 * policy, by shares and by means from the other parts. Days are also what the interval is made of.
 *
 * It takes for granted that within a stratum (a kind of work in a project) the choice of the model had nothing to do with
 * how hard the task was. Transcripts cannot show that it did not.
 *
 * Reference: M. Dudík, J. Langford, L. Li, "Doubly robust policy evaluation and learning", ICML 2011;
 * V. Chernozhukov et al., "Double/debiased machine learning", Econometrics Journal 21 (2018), for judging by other parts;
 * effective sample size after L. Kish, "Survey Sampling" (1965).
 */
import { createHash } from 'node:crypto';
import { studentTQuantile } from '../../stats/distributions.ts';
import type { Interval } from '../../stats/intervals.ts';
import type { TaskType } from '../profiles/task-type.ts';
import type { Steps } from '../stop-if-aborted.ts';
import { type RouteCell, type StratumOf, strataOf, TRIED } from './level.ts';
import { policySteps, type RoutePolicy, type TypeRoute } from './policy.ts';

export type ReplayedChange = { readonly value: number; readonly interval: Interval };

export type Replay = {
  readonly sessions: number;
  readonly days: number;
  /** Sessions of kinds for which the policy of the other days has no answer: they stay as they were. */
  readonly leftAlone: number;
  /** Sessions in whose stratum a model that the policy wants was hardly ever tried; nothing is said of them. */
  readonly neverTried: number;
  /** As many sessions taken by the policy itself would say as much. */
  readonly effective: number;
  /** Per session, over the sessions that something is said of. */
  readonly was?: { readonly q: number; readonly costUsd: number };
  readonly change?: { readonly q: ReplayedChange; readonly costUsd: ReplayedChange };
  readonly verdict: ReplayVerdict;
};

type ReplayVerdict =
  /** Cheaper, and surely not worse by more than the margin. */
  | 'saves'
  /** Surely better; what it costs stands beside it. */
  | 'better'
  /** Surely worse by more than the margin. */
  | 'worse'
  /** As good, for more. */
  | 'costs more'
  /** The policy does what was done. */
  | 'same'
  | 'cannot tell: never tried'
  | 'cannot tell: too few days'
  | 'cannot tell: too uncertain';

const PARTS = 5;
/** A model that the policy takes less often than this may be untried. */
const WANTED = 0.02;
/** Of so many sessions that lie in strata without trial nothing can be told of the whole. */
const MOST_UNTRIED = 0.2;
const LEAST_EFFECTIVE = 30;
const LEAST_DAYS = 10;
/** So many sessions' worth of what is usual for the kind of work are added to each stratum. */
const SHRINK = 5;

/** `policy`: what was learnt from all of them. */
export function* replaySteps(
  cells: readonly RouteCell[],
  { wishes, types }: Pick<RoutePolicy, 'wishes' | 'types'>,
): Steps<Replay> {
  const replay = yield* replayBy(cells, (others) => policySteps(others, wishes), wishes.margin);
  const hasAnswer = types.some(({ answer }) => answer === 'route');
  // Parts of the past were too little to learn from; that is not to say that nothing would have changed.
  return replay.verdict === 'same' && hasAnswer
    ? { ...replay, verdict: 'cannot tell: too uncertain' }
    : replay;
}

/** `learn` makes the policy that judges a part from the others. */
export function* replayBy(
  cells: readonly RouteCell[],
  learn: (others: readonly RouteCell[]) => Steps<Pick<RoutePolicy, 'types'>>,
  margin: number,
): Steps<Replay> {
  const partOf = new Map<string, number>();
  for (const { day } of cells) if (!partOf.has(day)) partOf.set(day, partOfDay(day));
  const stratumOf = strataOf(cells);
  const judged = new Judged();
  for (let part = 0; part < PARTS; part += 1) {
    const [own, others] = split(cells, ({ day }) => partOf.get(day) === part);
    const { types } = yield* learn(others);
    const routes = new Map(types.map((route) => [route.taskType, route]));
    yield;
    const past = new Past(others, stratumOf);
    for (const cell of own) judged.add(cell, routes.get(cell.taskType), past, stratumOf);
  }
  return judged.replay(partOf.size, margin);
}

function partOfDay(day: string): number {
  return createHash('sha256').update(day).digest().readUInt32BE(0) % PARTS;
}

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  const [first, second]: [T[], T[]] = [[], []];
  for (const one of all) (isFirst(one) ? first : second).push(one);
  return [first, second];
}

type Sums = { n: number; q: number; costUsd: number };
type Means = { readonly q: number; readonly costUsd: number };

/** Sums by stratum and model, and by kind of work and model. */
class Past {
  readonly #strata = new Map<string, Map<string, Sums>>();
  readonly #types = new Map<TaskType, Map<string, Sums>>();

  constructor(cells: readonly RouteCell[], stratumOf: StratumOf) {
    for (const cell of cells) {
      addTo(this.#strata, stratumOf(cell), cell);
      addTo(this.#types, cell.taskType, cell);
    }
  }

  tried(stratum: string, model: string): number {
    return this.#strata.get(stratum)?.get(model)?.n ?? 0;
  }

  /** How usual the model is here. */
  share(stratum: string, taskType: TaskType, model: string): number {
    const own = this.#strata.get(stratum);
    const all = this.#types.get(taskType);
    const usual = (all?.get(model)?.n ?? 0) / Math.max(1, countOf(all));
    return ((own?.get(model)?.n ?? 0) + SHRINK * usual) / (countOf(own) + SHRINK);
  }

  /** What the model gives here. */
  means(stratum: string, taskType: TaskType, model: string): Means | undefined {
    const all = this.#types.get(taskType)?.get(model);
    if (all === undefined) return undefined;
    const own = this.#strata.get(stratum)?.get(model) ?? { n: 0, q: 0, costUsd: 0 };
    const n = own.n + SHRINK;
    return {
      q: (own.q + (SHRINK * all.q) / all.n) / n,
      costUsd: (own.costUsd + (SHRINK * all.costUsd) / all.n) / n,
    };
  }
}

function addTo<Key>(sums: Map<Key, Map<string, Sums>>, key: Key, { model, n, q, costUsd }: RouteCell): void {
  const models = sums.get(key) ?? new Map<string, Sums>();
  sums.set(key, models);
  const own = models.get(model) ?? { n: 0, q: 0, costUsd: 0 };
  models.set(model, { n: own.n + n, q: own.q + q, costUsd: own.costUsd + costUsd });
}

function countOf(models: ReadonlyMap<string, Sums> = new Map()): number {
  return [...models.values()].reduce((sum, { n }) => sum + n, 0);
}

type Day = { n: number; q: number; costUsd: number };

class Judged {
  readonly #days = new Map<string, Day>();
  /** On which the policy takes something. */
  readonly #routedDays = new Set<string>();
  #sessions = 0;
  #leftAlone = 0;
  #neverTried = 0;
  readonly #was = { n: 0, q: 0, costUsd: 0 };
  readonly #weights = { sum: 0, squares: 0 };

  add(cell: RouteCell, route: TypeRoute | undefined, past: Past, stratumOf: StratumOf): void {
    const { n, taskType } = cell;
    this.#sessions += n;
    const stratum = stratumOf(cell);
    const wanted = route?.answer === 'route' ? route.arms.filter(({ share }) => share > 0) : [];
    if (wanted.length === 0) {
      this.#leftAlone += n;
      this.#judge(cell, { n: 0, q: 0, costUsd: 0 });
      return;
    }
    const isTried = ({ model }: { model: string }) => past.tried(stratum, model) >= TRIED;
    if (!wanted.filter(({ share }) => share >= WANTED).every(isTried)) {
      this.#neverTried += n;
      return;
    }
    this.#routedDays.add(cell.day);
    const shares = normalised(wanted.filter(isTried));
    const expected = { q: 0, costUsd: 0 };
    for (const { model, share } of shares) {
      const means = past.means(stratum, taskType, model);
      expected.q += share * (means?.q ?? 0);
      expected.costUsd += share * (means?.costUsd ?? 0);
    }
    const own = past.means(stratum, taskType, cell.model);
    const share = shares.find(({ model }) => model === cell.model)?.share ?? 0;
    const weight = share === 0 ? 0 : share / past.share(stratum, taskType, cell.model);
    this.#weights.sum += n * weight;
    this.#weights.squares += n * weight ** 2;
    const off = (of: 'q' | 'costUsd') => (own === undefined ? 0 : weight * (cell[of] - n * own[of]));
    this.#judge(cell, {
      n,
      q: n * expected.q + off('q') - cell.q,
      costUsd: n * expected.costUsd + off('costUsd') - cell.costUsd,
    });
  }

  /** What would have changed, by day: also days on which nothing would have. */
  #judge({ day, n, q, costUsd }: RouteCell, change: Day): void {
    this.#was.n += n;
    this.#was.q += q;
    this.#was.costUsd += costUsd;
    const sums = this.#days.get(day) ?? { n: 0, q: 0, costUsd: 0 };
    sums.n += n;
    sums.q += change.q;
    sums.costUsd += change.costUsd;
    this.#days.set(day, sums);
  }

  replay(days: number, margin: number): Replay {
    const { sum, squares } = this.#weights;
    const effective = squares === 0 ? 0 : sum ** 2 / squares;
    const report = {
      sessions: this.#sessions,
      days,
      leftAlone: this.#leftAlone,
      neverTried: this.#neverTried,
      effective,
    };
    const { n, q, costUsd } = this.#was;
    if (days < LEAST_DAYS) return { ...report, verdict: 'cannot tell: too few days' };
    if (this.#neverTried > MOST_UNTRIED * this.#sessions)
      return { ...report, verdict: 'cannot tell: never tried' };
    const was = { q: q / n, costUsd: costUsd / n };
    if (this.#leftAlone === this.#sessions) return { ...report, was, verdict: 'same' };
    // Days on which nothing would have changed say nothing of how much the others differ.
    if (this.#routedDays.size < LEAST_DAYS) return { ...report, was, verdict: 'cannot tell: too few days' };
    const change = {
      q: meanByDay([...this.#days.values()], (day) => day.q),
      costUsd: meanByDay([...this.#days.values()], (day) => day.costUsd),
    };
    const uncertain = effective < LEAST_EFFECTIVE;
    return {
      ...report,
      was,
      change,
      verdict: uncertain ? 'cannot tell: too uncertain' : verdictOf(change, margin),
    };
  }
}

function verdictOf(
  { q, costUsd }: { q: ReplayedChange; costUsd: ReplayedChange },
  margin: number,
): ReplayVerdict {
  if (q.interval.high < -margin) return 'worse';
  if (q.interval.low < -margin) return 'cannot tell: too uncertain';
  if (costUsd.interval.high < 0) return 'saves';
  if (q.interval.low > 0) return 'better';
  return costUsd.interval.low > 0 ? 'costs more' : 'cannot tell: too uncertain';
}

function normalised<T extends { readonly share: number }>(arms: readonly T[]): T[] {
  const all = arms.reduce((sum, { share }) => sum + share, 0);
  return arms.map((arm) => ({ ...arm, share: arm.share / all }));
}

/** Per session, with Student's interval over days (Cochran 1977, ratio of two sums). */
function meanByDay(days: readonly Day[], of: (day: Day) => number): ReplayedChange {
  const n = days.reduce((sum, day) => sum + day.n, 0);
  const value = days.reduce((sum, day) => sum + of(day), 0) / n;
  const squares = days.reduce((sum, day) => sum + (of(day) - value * day.n) ** 2, 0);
  const error = Math.sqrt((squares * days.length) / (days.length - 1)) / n;
  const reach = error * studentTQuantile(0.975, days.length - 1);
  return { value, interval: { low: value - reach, high: value + reach } };
}
