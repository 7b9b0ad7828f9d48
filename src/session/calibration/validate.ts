/** Does Q say what people say? Their ratings against the scores, over all sessions and per task type. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import type { Correlation } from '../../stats/correlation.ts';
import { krippendorffAlpha } from '../../stats/krippendorff-alpha.ts';
import { pearson } from '../../stats/pearson.ts';
import { spearman } from '../../stats/spearman.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import {
  type CorrelationVerdict,
  correlationVerdict,
  MIN_RATED,
  sessionsForPrecision,
  TARGET_R,
} from './correlation-verdict.ts';
import { raterCeiling } from './rater-ceiling.ts';
import { biasOf, type TypeBias } from './type-bias.ts';

/** One rating of one session; a session that several people rated comes several times. */
export type RatedPair = {
  readonly sessionId: string;
  readonly taskType: TaskType;
  readonly q?: number | undefined;
  readonly rating: number;
};

/** A session with the mean of its ratings. */
export type RatedSession = {
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
  /** How far raters of the same sessions agree, as Krippendorff's alpha of the order. */
  readonly raters: Measurement;
  /** The r that no score could exceed, given how far the raters agree. */
  readonly ceiling: Measurement;
  /** The wanted precision, to either side of r, and how many rated sessions it takes. */
  readonly precision: { readonly width: number; readonly sessions: number };
};

/** To either side of r: what tells 0.7 from 0.6. */
const PRECISION = 0.1;

/** Below this many pairs a correlation has no interval. */
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
    ceiling: raterCeiling(ratings, seed),
    precision: { width: precision, sessions: sessionsForPrecision(r, precision) },
  };
}

/** One person's ratings say what that person thinks; whether Q is right about sessions takes a second one. */
function verdictOf(measured: Measurement, n: number, ratedTwice: number, target: number): CorrelationVerdict {
  if (!measured.measured) return { verdict: 'too few to tell', because: measured.reason };
  if (ratedTwice < MIN_RATED) {
    const rated = `${ratedTwice} of ${n} sessions were rated by two people`;
    return { verdict: 'too few to tell', because: `${rated}; ${MIN_RATED} are the least` };
  }
  const { value, low, high } = measured;
  const interval = low === undefined || high === undefined ? undefined : { low, high };
  return correlationVerdict(value, n, interval, target);
}

/** In order of their ids, so that the order of the ratings never matters. */
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
