/** Does Q agree with user ratings? Compares ratings and scores, over all sessions and per task type. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { bootstrapMean } from '../../stats/bootstrap.ts';
import { type Correlation, fisherZInterval, pearson, spearman } from '../../stats/correlation.ts';
import { mean, sampleSd } from '../../stats/descriptive.ts';
import { normalQuantile } from '../../stats/distributions.ts';
import { holm } from '../../stats/holm.ts';
import type { Interval } from '../../stats/intervals.ts';
import { krippendorffAlpha } from '../../stats/rater-agreement.ts';
import { signFlip } from '../../stats/sign-flip.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';

/** One rating of one session; a session with several raters appears several times. */
export type RatedPair = {
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q?: number | undefined;
  readonly rating: number;
};

/** A session with the mean of its ratings. */
type RatedSession = {
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q: number;
  readonly rating: number;
};

type CorrelationWithRatings = {
  readonly pearson: Measurement;
  readonly spearman: Measurement;
};

export type RatingValidation = {
  /** Sessions with a Q and at least one rating. */
  readonly sessions: number;
  readonly ratings: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly target: number;
  readonly overall: CorrelationWithRatings;
  readonly perType: readonly (CorrelationWithRatings & { readonly taskType: TaskType; readonly n: number })[];
  readonly verdict: CorrelationVerdict;
  readonly bias: readonly TypeBias[];
  /** Sessions that two people or more have rated. */
  readonly ratedTwice: number;
  /** Agreement of raters on the same sessions, as Krippendorff's alpha for ordinal data. */
  readonly raters: Measurement;
  /** The wanted half-width of the interval of r, and how many rated sessions it takes. */
  readonly precision: { readonly width: number; readonly sessions: number };
};

/** The half-width of the interval of r that distinguishes 0.7 from 0.6. */
const PRECISION = 0.1;

/** With fewer pairs a correlation has no interval. */
const MIN_PAIRS = 4;

type ValidateOptions = {
  readonly target?: number | undefined;
  readonly precision?: number | undefined;
  readonly seed?: number | undefined;
};

export function validateRatings(
  pairs: readonly RatedPair[],
  { target = TARGET_R, precision = PRECISION, seed = 1 }: ValidateOptions = {},
): RatingValidation {
  const usable = pairs.filter((pair) => pair.q !== undefined && Number.isFinite(pair.rating));
  const sessions = sessionsOf(usable);
  const overall = agreementOf(sessions);
  const ratings = ratingsOf(usable);
  const ratedTwice = ratings.filter((own) => own.length > 1).length;
  const r = overall.pearson.measured ? overall.pearson.value : target;
  const types = TASK_TYPES.filter((type) => sessions.some((one) => one.taskType === type));
  return {
    sessions: sessions.length,
    ratings: usable.length,
    skipped: usable.length < pairs.length ? { 'no Q or no rating': pairs.length - usable.length } : {},
    target,
    overall,
    perType: types.map((taskType) => {
      const own = sessions.filter((one) => one.taskType === taskType);
      return { taskType, n: own.length, ...agreementOf(own) };
    }),
    verdict: verdictOf(overall.pearson, sessions.length, ratedTwice, target),
    bias: biasOf(sessions, seed),
    ratedTwice,
    raters: ratersOf(ratings, seed),
    precision: { width: precision, sessions: sessionsForPrecision(r, precision) },
  };
}

function verdictOf(measured: Measurement, n: number, ratedTwice: number, target: number): CorrelationVerdict {
  if (!measured.measured) return { verdict: 'too few to tell', because: measured.reason };
  const { value, low, high } = measured;
  const interval = low === undefined || high === undefined ? undefined : { low, high };
  return correlationVerdict(value, { n, ratedTwice, interval, target });
}

/** Sorted by id, so that the order of the ratings never matters. */
function sessionsOf(pairs: readonly RatedPair[]): RatedSession[] {
  const byId = Map.groupBy(pairs, (pair) => pair.sessionId);
  return [...byId]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([sessionId, own]) => {
      const [first] = own;
      if (first?.q === undefined) return [];
      const rating = own.reduce((sum, pair) => sum + pair.rating, 0) / own.length;
      return [{ sessionId, taskType: first.taskType, q: first.q, rating }];
    });
}

function agreementOf(sessions: readonly RatedSession[]): CorrelationWithRatings {
  const qs = sessions.map((one) => one.q);
  const ratings = sessions.map((one) => one.rating);
  const measure = (correlate: typeof pearson): Measurement => {
    if (sessions.length < MIN_PAIRS) {
      return unmeasured(`${sessions.length} rated sessions, ${MIN_PAIRS} are the least`);
    }
    return measurementOf(correlate(qs, ratings));
  };
  return { pearson: measure(pearson), spearman: measure(spearman) };
}

function measurementOf(correlation: Correlation | undefined): Measurement {
  if (correlation === undefined) return unmeasured('all scores or all ratings are the same');
  return estimate(correlation.r, correlation.n, correlation.interval ?? {});
}

/** The ratings of each session, in an order of their own. */
function ratingsOf(pairs: readonly RatedPair[]): number[][] {
  return [...Map.groupBy(pairs, (pair) => pair.sessionId)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => own.map((pair) => pair.rating).sort((a, b) => a - b));
}

function ratersOf(ratings: readonly (readonly number[])[], seed: number): Measurement {
  const units = ratings.filter((own) => own.length > 1);
  if (units.length === 0) return unmeasured('no session was rated by two people');
  const agreement = krippendorffAlpha(units, { level: 'ordinal', bootstrap: { seed } });
  if (agreement === undefined) return unmeasured('everybody gave the same rating throughout');
  return estimate(agreement.alpha, agreement.n, agreement.interval ?? {});
}

// Does Q agree with people well enough? Decided with the interval, never with the point alone.

type CorrelationVerdict = {
  readonly verdict: 'agrees' | 'does not agree' | 'too few to tell';
  readonly because: string;
  /** Rated sessions that would decide it if r stayed as it is; absent when none would, or when it is decided. */
  readonly needed?: number;
};

/** r against people's ratings that the validation plan asks for. */
const TARGET_R = 0.7;

/** Fisher's interval takes ratings as nearly normal; below this many it claims more than five steps can carry. */
const MIN_RATED = 10;

/** `ratedTwice`: how many of the sessions two people or more have rated. One rater is enough for a verdict. */
export function correlationVerdict(
  r: number,
  {
    n,
    interval,
    ratedTwice = 0,
    target = TARGET_R,
  }: {
    readonly n: number;
    readonly interval?: Interval | undefined;
    readonly ratedTwice?: number;
    readonly target?: number;
  },
): CorrelationVerdict {
  const range = interval === undefined ? '' : ` [${two(interval.low)}, ${two(interval.high)}]`;
  const raters = ratedTwice === 0 ? 'one rater' : `${ratedTwice} rated by two or more`;
  const because = `r ${two(r)}${range}, n ${n}, ${raters}, target ${target}`;
  const { low, high } = interval ?? { low: r, high: r };
  if (n >= MIN_RATED && low > target) return { verdict: 'agrees', because };
  if (n >= MIN_RATED && high < target) return { verdict: 'does not agree', because };
  return { verdict: 'too few to tell', because, needed: neededRatings(r, target) };
}

/**
 * The number of rated sessions at which the 95% interval of this r would no longer contain the target: atanh r has a
 * standard error of 1 / √(n − 3). Worked value: r = 0.8 against 0.7 → 3 + (1.96 / 0.2313)² = 74.8, so 75.
 */
export function neededRatings(r: number, target = TARGET_R): number | undefined {
  const gap = Math.abs(Math.atanh(Math.max(-0.999, Math.min(0.999, r))) - Math.atanh(target));
  if (gap < 1e-3) return undefined;
  // One more than the smallest whole number: at the number itself the end of the interval may touch the target.
  return Math.max(MIN_RATED, Math.floor(3 + (normalQuantile(0.975) / gap) ** 2) + 1);
}

/**
 * The number of rated sessions at which the 95% interval of this r is at most `width` wide to either side, on average.
 * Worked values: r = 0.7 with n = 20 has [0.37, 0.87]; 0.1 to either side takes 105 sessions there, and 385 at r = 0.
 */
export function sessionsForPrecision(r: number, width: number): number {
  if (!(width > 0)) throw new RangeError(`width must be above 0, not ${width}`);
  const wide = (n: number): boolean => {
    const interval = fisherZInterval(Math.max(-0.999, Math.min(0.999, r)), n, 1, 0.95);
    return interval === undefined || interval.high - interval.low > 2 * width;
  };
  let [low, high] = [MIN_RATED - 1, MIN_RATED];
  while (wide(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wide(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function two(value: number): string {
  return value.toFixed(2);
}

// Does Q favour some task types over others, compared with what people say?

type TypeBias = {
  readonly taskType: TaskType;
  readonly n: number;
  /** Mean of (standardised Q − standardised rating): above 0, Q is more lenient for this type than users are. */
  readonly value: number;
  readonly interval?: Interval;
  /** Sign-flip test with Holm's correction over the types. */
  readonly p?: number;
  readonly verdict: 'overvalued' | 'undervalued' | 'no bias shown' | 'too few to tell';
  readonly because: string;
};

type Rated = { readonly taskType: TaskType; readonly q: number; readonly rating: number };

/** The minimum number of sessions of a type. */
const MIN_PER_TYPE = 4;

/** Empty with a single task type: there is no other type to compare with. */
export function biasOf(sessions: readonly Rated[], seed: number): TypeBias[] {
  const types = TASK_TYPES.filter((type) => sessions.some((one) => one.taskType === type));
  const qs = standardised(sessions.map((one) => one.q));
  const ratings = standardised(sessions.map((one) => one.rating));
  if (types.length < 2 || qs === undefined || ratings === undefined) return [];
  const gaps = sessions.map((_, i) => (qs[i] as number) - (ratings[i] as number));
  const perType = types.map((taskType) => ({
    taskType,
    gaps: gaps.filter((_, i) => sessions[i]?.taskType === taskType),
  }));
  const tested = perType.filter((one) => one.gaps.length >= MIN_PER_TYPE);
  const corrected = holm(tested.map((one) => signFlip(one.gaps, { seed })?.p ?? 1));
  return perType.map((one) => judge(one.taskType, one.gaps, corrected[tested.indexOf(one)], seed));
}

function judge(taskType: TaskType, gaps: readonly number[], p: number | undefined, seed: number): TypeBias {
  const n = gaps.length;
  const facts = { taskType, n, value: mean(gaps) ?? 0 };
  if (p === undefined) {
    return {
      ...facts,
      verdict: 'too few to tell',
      because: `${n} rated sessions, ${MIN_PER_TYPE} are the least`,
    };
  }
  const interval = bootstrapMean(gaps, { seed })?.interval;
  const known = { ...facts, p, ...(interval !== undefined && { interval }) };
  const excludes = interval !== undefined && (interval.low > 0 || interval.high < 0);
  if (!excludes) return { ...known, verdict: 'no bias shown', because: 'its interval contains 0' };
  if (p >= 0.05) {
    return { ...known, verdict: 'no bias shown', because: `p = ${p.toFixed(3)} after Holm's correction` };
  }
  return facts.value > 0
    ? { ...known, verdict: 'overvalued', because: 'Q is more lenient on it than users are' }
    : { ...known, verdict: 'undervalued', because: 'Q is stricter on it than users are' };
}

function standardised(values: readonly number[]): number[] | undefined {
  const [centre, spread] = [mean(values), sampleSd(values)];
  if (centre === undefined || spread === undefined || !(spread > 1e-12)) return undefined;
  return values.map((value) => (value - centre) / spread);
}
