/** Does Q say what people say? Their ratings against the scores, over all sessions and per task type. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import type { Correlation } from '../../stats/correlation.ts';
import { krippendorffAlpha } from '../../stats/krippendorff-alpha.ts';
import { pearson } from '../../stats/pearson.ts';
import { spearman } from '../../stats/spearman.ts';
import { TASK_TYPES, type TaskType } from '../profiles/task-type.ts';
import { type CorrelationVerdict, correlationVerdict, TARGET_R } from './correlation-verdict.ts';
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
  /** Between raters of the same sessions: what Q can be expected to reach at best. */
  readonly raters: Measurement;
};

/** Below this many pairs a correlation has no interval. */
const MIN_PAIRS = 4;

export function validateRatings(
  pairs: readonly RatedPair[],
  { target = TARGET_R, seed = 1 }: { readonly target?: number; readonly seed?: number } = {},
): RatingValidation {
  const usable = pairs.filter((pair) => pair.q !== undefined && Number.isFinite(pair.rating));
  const sessions = sessionsOf(usable);
  const overall = agreementOf(sessions);
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
    verdict: verdictOf(overall.pearson, sessions.length, target),
    bias: biasOf(sessions, seed),
    raters: ratersOf(usable, seed),
  };
}

function verdictOf(measured: Measurement, n: number, target: number): CorrelationVerdict {
  if (!measured.measured) return { verdict: 'too few to tell', because: measured.reason };
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

function ratersOf(pairs: readonly RatedPair[], seed: number): Measurement {
  const units = [...Map.groupBy(pairs, (pair) => pair.sessionId)]
    .filter(([, own]) => own.length > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => own.map((pair) => pair.rating).sort((a, b) => a - b));
  if (units.length === 0) return unmeasured('no session was rated by two people');
  const agreement = krippendorffAlpha(units, { level: 'ordinal', bootstrap: { seed } });
  if (agreement === undefined) return unmeasured('everybody gave the same rating throughout');
  return estimate(agreement.alpha, agreement.n, agreement.interval ?? {});
}
