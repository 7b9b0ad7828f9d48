/** Is the more expensive of two models worth its price on one kind of task? */
import { percentileInterval } from '../../stats/bootstrap.ts';
import { mean, sampleSd } from '../../stats/descriptive.ts';
import { studentTQuantile } from '../../stats/distributions.ts';
import type { Interval } from '../../stats/intervals.ts';
import { neededN } from '../../stats/power.ts';
import { random } from '../../stats/random.ts';
import type { QualityAndCost } from './roi.ts';

/** Fewer sessions of either model than this, and nothing is claimed. */
export const MIN_SESSIONS = 10;
const RESAMPLES = 2000;

export type Difference = { readonly value: number; readonly interval?: Interval };

export type Worth = {
  readonly n: { readonly expensive: number; readonly cheaper: number };
  readonly meanQ: { readonly expensive: number; readonly cheaper: number };
  readonly meanCostUsd: { readonly expensive: number; readonly cheaper: number };
  /** How many times as much the more expensive one costs; undefined when the cheaper one is free. */
  readonly costRatio?: number;
  /** Dollars for a point of Q, a hundredth, on each side; absent where Q is 0. */
  readonly pointUsd: { readonly expensive?: PointCost; readonly cheaper?: PointCost };
  /** Dollars for each point that the more expensive one has more; only where it surely has more. */
  readonly furtherPointUsd?: PointCost;
  /** The documented criterion asks for more than a Q of 1. */
  readonly outOfReach?: true;
  /** Mean Q of the more expensive − mean Q of the cheaper. */
  readonly quality: Difference;
  /** Q of the more expensive − cost ratio × Q of the cheaper: above 0 the documented criterion is met. */
  readonly margin?: Difference;
  /** The cost of a side is a lower bound. */
  readonly costIsLowerBound?: true;
  readonly verdict: 'worth it' | 'not worth it' | 'too few to tell';
  readonly because: string;
  /** Sessions per model that would show a difference of this size 80% of the time. */
  readonly neededPerModel?: number;
};

/** Undefined when one side has no session with both a Q and a cost. The order of the two does not matter. */
export function isWorthIt(
  one: readonly QualityAndCost[],
  other: readonly QualityAndCost[],
): Worth | undefined {
  return worthOf(sideOf(one), sideOf(other));
}

/** The same from summaries of both sides. */
export function worthOf(a: PricedSide | undefined, b: PricedSide | undefined): Worth | undefined {
  if (a === undefined || b === undefined) return undefined;
  const [expensive, cheaper] = a.meanCost >= b.meanCost ? [a, b] : [b, a];
  const costRatio = cheaper.meanCost > 0 ? expensive.meanCost / cheaper.meanCost : undefined;
  const quality = differenceOf(expensive, cheaper, 1);
  const facts = {
    n: { expensive: expensive.n, cheaper: cheaper.n },
    meanQ: { expensive: expensive.meanQ, cheaper: cheaper.meanQ },
    meanCostUsd: { expensive: expensive.meanCost, cheaper: cheaper.meanCost },
    costRatio,
    ...((expensive.atLeast || cheaper.atLeast) && { costIsLowerBound: true as const }),
    quality,
    ...pointsOf(expensive, cheaper, quality),
    ...(costRatio !== undefined && costRatio * cheaper.meanQ > 1 && { outOfReach: true as const }),
  };
  if (costRatio === undefined) {
    return {
      ...facts,
      verdict:
        facts.n.cheaper < MIN_SESSIONS || facts.n.expensive < MIN_SESSIONS
          ? 'too few to tell'
          : 'not worth it',
      because: 'the cheaper model is free, so no price is matched by quality',
    };
  }
  const margin = differenceOf(expensive, cheaper, costRatio);
  return { ...facts, margin, ...judge(expensive, cheaper, costRatio, margin) };
}

/** The sessions of a model with both a Q and a cost. */
export type PricedSide = {
  readonly n: number;
  readonly meanQ: number;
  /** Standard deviation of Q; undefined with one session. */
  readonly sdQ: number | undefined;
  readonly meanCost: number;
  /** Every Q in ascending order, where they are at hand. */
  readonly qs?: readonly number[];
  /** Some of the costs are at least so much. */
  readonly atLeast: boolean;
  /** The sessions themselves, in the order of Q and cost, where they are at hand. */
  readonly sessions?: readonly Priced[];
};

function pointsOf(
  expensive: PricedSide,
  cheaper: PricedSide,
  quality: Difference,
): Pick<Worth, 'pointUsd' | 'furtherPointUsd'> {
  const [one, other] = [expensive, cheaper].map(({ meanCost, meanQ, sessions }) =>
    costOfPoint(meanCost, meanQ, sessions),
  );
  const further = costOfFurtherPoint(expensive.sessions, cheaper.sessions, {
    cost: expensive.meanCost - cheaper.meanCost,
    q: quality.value,
    sure: (quality.interval?.low ?? 0) > 0,
  });
  return {
    pointUsd: { ...(one && { expensive: one }), ...(other && { cheaper: other }) },
    ...(further && { furtherPointUsd: further }),
  };
}

function sideOf(sessions: readonly QualityAndCost[]): PricedSide | undefined {
  const known = sessions.filter((one) => one.q !== undefined && one.costUsd !== undefined);
  const qs = known.flatMap((one) => one.q ?? []).sort((a, b) => a - b);
  const meanQ = mean(qs);
  const meanCost = mean(known.flatMap((one) => one.costUsd ?? []));
  if (meanQ === undefined || meanCost === undefined) return undefined;
  const atLeast = known.some((one) => one.costAtLeast === 1);
  const sessionsOf = known
    .flatMap(({ q, costUsd }) => (q === undefined || costUsd === undefined ? [] : [{ q, costUsd }]))
    .sort((a, b) => a.q - b.q || a.costUsd - b.costUsd);
  return { n: qs.length, meanQ, sdQ: sampleSd(qs), meanCost, atLeast, qs, sessions: sessionsOf };
}

type Judged = Pick<Worth, 'verdict' | 'because' | 'neededPerModel'>;

function judge(expensive: PricedSide, cheaper: PricedSide, costRatio: number, margin: Difference): Judged {
  const [few] = [Math.min(expensive.n, cheaper.n)];
  const ratio = costRatio.toFixed(2);
  if (few < MIN_SESSIONS) {
    return {
      verdict: 'too few to tell',
      because: `${few} sessions of one model, ${MIN_SESSIONS} of each are the least`,
      ...neededFor(expensive, cheaper, margin),
    };
  }
  const sure = margin.interval ?? { low: margin.value, high: margin.value };
  const said = `it costs ${howSure(expensive, cheaper)}${ratio} times as much, and its Q of ${expensive.meanQ.toFixed(2)} is`;
  const line = `${ratio} × ${cheaper.meanQ.toFixed(2)} = ${(costRatio * cheaper.meanQ).toFixed(2)}`;
  if (sure.low > 0) return { verdict: 'worth it', because: `${said} above ${line}` };
  const beyond = costRatio * cheaper.meanQ > 1 ? ', which no Q reaches' : '';
  if (sure.high < 0) return { verdict: 'not worth it', because: `${said} below ${line}${beyond}` };
  return {
    verdict: 'too few to tell',
    because: `${said} too close to ${line}`,
    ...neededFor(expensive, cheaper, margin),
  };
}

/** A more expensive side that costs at least so much costs at least so many times as much. */
function howSure(expensive: PricedSide, cheaper: PricedSide): string {
  if (cheaper.atLeast) return 'by costs that are at least these ';
  return expensive.atLeast ? 'at least ' : '';
}

function neededFor(
  expensive: PricedSide,
  cheaper: PricedSide,
  margin: Difference,
): { neededPerModel?: number } {
  const sds = [expensive.sdQ, cheaper.sdQ].filter((sd) => sd !== undefined);
  if (sds.length === 0) return { neededPerModel: MIN_SESSIONS };
  const pooled = Math.sqrt(sds.reduce((sum, sd) => sum + sd ** 2, 0) / sds.length);
  const needed = neededN(pooled, margin.value, { design: 'two-arms' });
  return needed === undefined ? {} : { neededPerModel: Math.max(MIN_SESSIONS, needed) };
}

/** From here on the difference is as good as normal, and drawing takes seconds. */
const MANY = 5000;

/** mean(a) − factor × mean(b) with its interval; the sessions of the two sides are not paired. */
function differenceOf(a: PricedSide, b: PricedSide, factor: number): Difference {
  const value = a.meanQ - factor * b.meanQ;
  if (a.n < 2 || b.n < 2) return { value };
  const isDrawn = a.qs !== undefined && b.qs !== undefined && a.n + b.n < MANY;
  const interval = isDrawn ? drawnInterval(a.qs, b.qs, factor) : normalInterval(value, a, b, factor);
  return interval === undefined ? { value } : { value, interval };
}

/** Both sides are drawn again on their own. The values come sorted, so their order never matters. */
function drawnInterval(a: readonly number[], b: readonly number[], factor: number): Interval | undefined {
  const source = random(1);
  const draw = (values: readonly number[]) => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[source.below(values.length)] as number;
    return sum / values.length;
  };
  const drawn = Float64Array.from({ length: RESAMPLES }, () => draw(a) - factor * draw(b));
  return percentileInterval(drawn, 0.95);
}

/** Welch's, for a difference in which one side counts several times. */
function normalInterval(value: number, a: PricedSide, b: PricedSide, factor: number): Interval {
  const [of, ofOther] = [(a.sdQ ?? 0) ** 2 / a.n, (factor * (b.sdQ ?? 0)) ** 2 / b.n];
  const variance = of + ofOther;
  if (variance === 0) return { low: value, high: value };
  const freedom = 1 / ((of / variance) ** 2 / (a.n - 1) + (ofOther / variance) ** 2 / (b.n - 1));
  const half = studentTQuantile(0.975, freedom) * Math.sqrt(variance);
  return { low: value - half, high: value + half };
}

/** A session with both. */
export type Priced = { readonly q: number; readonly costUsd: number };

export type PointCost = { readonly value: number; readonly interval?: Interval };

/** A point is a hundredth of Q. */
const POINTS = 100;
const CONFIDENCE = 0.95;

/** Mean cost / mean Q in points. Undefined where nothing was reached for it. */
export function costOfPoint(
  meanCost: number,
  meanQ: number,
  sessions: readonly Priced[] = [],
): PointCost | undefined {
  if (meanQ <= 0) return undefined;
  const value = meanCost / (meanQ * POINTS);
  const interval = drawn(sessions, [], (one) => one.cost / (one.q * POINTS));
  return { value, ...(interval && { interval }) };
}

/** What each point costs that the more expensive side has more; only where it surely has more. */
export function costOfFurtherPoint(
  expensive: readonly Priced[] | undefined,
  cheaper: readonly Priced[] | undefined,
  means: { readonly cost: number; readonly q: number; readonly sure: boolean },
): PointCost | undefined {
  if (!means.sure || means.q <= 0) return undefined;
  const value = means.cost / (means.q * POINTS);
  const interval = drawn(expensive ?? [], cheaper ?? [], (one, other) => {
    const points = (one.q - other.q) * POINTS;
    return points > 0 ? (one.cost - other.cost) / points : Infinity;
  });
  return { value, ...(interval && { interval }) };
}

type Means = { q: number; cost: number };

function drawn(
  one: readonly Priced[],
  other: readonly Priced[],
  value: (one: Means, other: Means) => number,
): Interval | undefined {
  if (one.length < 2 || other.length === 1 || one.length + other.length > MANY) return undefined;
  const source = random(1);
  const draw = (sessions: readonly Priced[]): Means => {
    const mean = { q: 0, cost: 0 };
    for (let i = 0; i < sessions.length; i++) {
      const session = sessions[source.below(sessions.length)] as Priced;
      mean.q += session.q / sessions.length;
      mean.cost += session.costUsd / sessions.length;
    }
    return mean;
  };
  const values = Float64Array.from({ length: RESAMPLES }, () => value(draw(one), draw(other)));
  return intervalOf(values);
}

/** A draw without a gain has no price: such draws are beyond the upper end, or there is none. */
function intervalOf(values: Float64Array): Interval | undefined {
  const endless = values.filter((value) => !Number.isFinite(value)).length;
  if (endless / values.length >= (1 - CONFIDENCE) / 2) return undefined;
  const ranked = values.map((value) => (Number.isFinite(value) ? value : Number.MAX_VALUE));
  return percentileInterval(ranked, CONFIDENCE);
}
