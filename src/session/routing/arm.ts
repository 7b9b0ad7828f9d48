/**
 * What is known of one model on one kind of work, with how uncertain it is. Sessions of one day are alike (the same
 * person, the same task, the same fault of a provider), so means are as uncertain as the days make them, where that is
 * more than the sessions alone would say.
 */
import { studentTQuantile } from '../../stats/distributions.ts';
import type { Interval } from '../../stats/intervals.ts';
import type { Levels, RouteCell } from './level.ts';

export type RouteArm = {
  readonly model: string;
  readonly n: number;
  readonly days: number;
  readonly meanQ: number;
  readonly meanCostUsd: number;
  readonly outcome?: { readonly n: number; readonly mean: number };
  /** What is believed of its mean Q: Student's t around `center`. */
  readonly belief: { readonly center: number; readonly scale: number; readonly degrees: number };
  /** Of its sessions, the share that was poor or failed, corrected, or written lines that nothing verified, and how sure that is. */
  readonly failing: { readonly center: number; readonly scale: number };
  /** Of its mean Q, 95%. */
  readonly qInterval: Interval;
  /** The standard error of the mean cost as a share of it. */
  readonly costError: number;
  readonly costInterval: Interval;
};

/** One session's worth of doubt: a model with few sessions is believed to be much like the others. */
const PRIOR_SESSIONS = 1;
const PRIOR_DEGREES = 2;
/** With fewer days their differences say nothing about the sessions of a day being alike. */
const ENOUGH_DAYS = 5;
/**
 * Where days cannot say it: single costs of sessions differ about as much as their mean, and days by so much more, so
 * that a hundred sessions of one day are not taken for a hundred looks.
 */
const USUAL_SPREAD = 1;
const USUAL_DAYS = { q: 0.05, cost: 0.25 };

/** By model, of cells of one kind of work. */
export function armsOf(cells: readonly RouteCell[], level: Levels['level']): RouteArm[] {
  const pasts = pastsOf(cells, level);
  if (pasts.length === 0) return [];
  const [n, q] = [add(pasts, (past) => past.n), add(pasts, (past) => past.q)];
  const prior = { mean: q / n, variance: pooledVariance(pasts) };
  return pasts.map((past) => armOf(past, prior)).sort(cheapestFirst);
}

/** What a model did, all in all and by day. */
type Past = Sums & {
  readonly model: string;
  qSquares: number;
  readonly outcome: { n: number; sum: number };
  readonly days: Map<string, Sums>;
};

function pastsOf(cells: readonly RouteCell[], level: Levels['level']): Past[] {
  const pasts = new Map<string, Past>();
  for (const cell of cells) {
    const { model, day, n, outcome } = cell;
    const { q, qSquares, costUsd, failures } = level(cell);
    const past = pasts.get(model) ?? {
      model,
      ...{ n: 0, q: 0, qSquares: 0, costUsd: 0, failures: 0 },
      outcome: { n: 0, sum: 0 },
      days: new Map<string, Sums>(),
    };
    pasts.set(model, past);
    const own = past.days.get(day) ?? { n: 0, q: 0, costUsd: 0, failures: 0 };
    past.days.set(day, own);
    for (const sums of [past, own]) {
      sums.n += n;
      sums.q += q;
      sums.costUsd += costUsd;
      sums.failures += failures;
    }
    past.qSquares += qSquares;
    past.outcome.n += outcome.n;
    past.outcome.sum += outcome.sum;
  }
  return [...pasts.values()];
}

function cheapestFirst(a: RouteArm, b: RouteArm): number {
  return a.meanCostUsd - b.meanCostUsd || (a.model < b.model ? -1 : 1);
}

type Prior = { readonly mean: number; readonly variance: number };

function armOf(past: Past, prior: Prior): RouteArm {
  const { model, n, q, costUsd, outcome } = past;
  const meanQ = q / n;
  const meanCostUsd = costUsd / n;
  const days = [...past.days.values()];
  const degrees = PRIOR_DEGREES + n - 1;
  const variance = (PRIOR_DEGREES * prior.variance + squaresOf(past)) / degrees;
  const alone = variance / (n + PRIOR_SESSIONS);
  const amongDays = errorAmongDays(days, n, ({ q: sum, n: some }) => sum - meanQ * some);
  const costAmongDays = errorAmongDays(days, n, ({ costUsd: sum, n: some }) => sum - meanCostUsd * some);
  const belief = {
    center: (PRIOR_SESSIONS * prior.mean + q) / (PRIOR_SESSIONS + n),
    scale: Math.sqrt(
      amongDays === undefined ? alone + USUAL_DAYS.q ** 2 / days.length : Math.max(alone, amongDays),
    ),
    // As many as there are independent looks.
    degrees: amongDays !== undefined && amongDays > alone ? days.length - 1 : degrees,
  };
  const share = Math.min(1, Math.max(0, (past.failures + 0.5) / (n + 1)));
  const failuresAmongDays = errorAmongDays(days, n, (day) => day.failures - (past.failures / n) * day.n) ?? 0;
  const failing = {
    center: share,
    scale: Math.sqrt(Math.max((share * (1 - share)) / (n + 1), failuresAmongDays, 0.25 / (n + 1) ** 2)),
  };
  const costError =
    costAmongDays === undefined || meanCostUsd === 0
      ? Math.hypot(USUAL_SPREAD / Math.sqrt(n), USUAL_DAYS.cost / Math.sqrt(days.length))
      : Math.sqrt(costAmongDays) / meanCostUsd;
  const reach = belief.scale * studentTQuantile(0.975, belief.degrees);
  const costDegrees = costAmongDays === undefined ? degrees : days.length - 1;
  const times = Math.exp(costError * studentTQuantile(0.975, costDegrees));
  return {
    model,
    n,
    days: days.length,
    meanQ,
    meanCostUsd,
    ...(outcome.n > 0 && { outcome: { n: outcome.n, mean: outcome.sum / outcome.n } }),
    belief,
    failing,
    qInterval: { low: Math.max(0, belief.center - reach), high: Math.min(1, belief.center + reach) },
    costError,
    costInterval: { low: meanCostUsd / times, high: meanCostUsd * times },
  };
}

type Sums = { n: number; q: number; costUsd: number; failures: number };

/** Of the distances of Q from its mean. */
function squaresOf({ n, q, qSquares }: Past): number {
  return Math.max(0, qSquares - (q * q) / Math.max(1, n));
}

function add(pasts: readonly Past[], of: (past: Past) => number): number {
  return pasts.reduce((sum, past) => sum + of(past), 0);
}

/** The square of the standard error of a mean over sessions that come by days (Cochran 1977, ratio of two sums). */
function errorAmongDays(days: readonly Sums[], n: number, rest: (day: Sums) => number): number | undefined {
  const count = days.length;
  if (count < ENOUGH_DAYS) return undefined;
  const squares = days.reduce((sum, day) => sum + rest(day) ** 2, 0);
  return (squares * count) / (count - 1) / n ** 2;
}

/** Within models: what a single session differs by. At least a little, so that two equal sessions prove nothing. */
function pooledVariance(pasts: readonly Past[]): number {
  const LEAST = 0.05 ** 2;
  const degrees = add(pasts, ({ n }) => n - 1);
  return degrees === 0 ? 0.25 ** 2 : Math.max(LEAST, add(pasts, squaresOf) / degrees);
}
