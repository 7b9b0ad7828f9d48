/** What cells and samples say, as measurements: nothing seen is unmeasured, and everything else has its interval. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { type Moments, sdOfMoments } from '../../stats/descriptive.ts';
import { normalQuantile } from '../../stats/distributions.ts';
import { studentTAround, wilson } from '../../stats/intervals.ts';
import { type QuantileSketch, quantileOfSketch } from '../../stats/quantile-sketch.ts';
import { type DrawnItem, weightedRatio } from '../../stats/weighted-ratio.ts';
import type { ProductionCell } from './cell.ts';
import type { RatedRequest } from './opinions.ts';
import type { Watched } from './watched.ts';

export function meanOf(moments: Moments | undefined, nothing: string): Measurement {
  if (moments === undefined || moments.n === 0) return unmeasured(nothing);
  const { n, sum } = moments;
  const sd = sdOfMoments(moments);
  const around = sd === undefined ? undefined : studentTAround(sum / n, sd, n);
  return estimate(sum / n, n, around ?? {});
}

/** Over concepts; the interval is that of the means of requests, as concepts of one text are alike. */
export function meanConfidence(cell: ProductionCell | undefined): Measurement {
  if (cell === undefined || cell.confidence.n === 0) return unmeasured('no output reported a confidence');
  const { confidence, confidenceOfRequests } = cell;
  const value = confidence.sum / confidence.n;
  const of = meanOf(confidenceOfRequests, '');
  if (!of.measured || of.low === undefined || of.high === undefined)
    return estimate(value, confidenceOfRequests.n);
  const shift = value - of.value;
  return estimate(value, confidenceOfRequests.n, {
    low: Math.max(0, of.low + shift),
    high: Math.min(1, of.high + shift),
  });
}

/**
 * The interval is that of the rank: between which values the quantile of all requests like these lies. Of so few that less
 * than one of them is expected beyond it, it would be the longest of them and no quantile.
 */
export function latencyAt(latency: QuantileSketch | undefined, p: number): Measurement {
  const value = latency && quantileOfSketch(latency, p);
  if (latency === undefined || value === undefined) return unmeasured('no request reported a latency');
  const fewest = Math.round(1 / (1 - p));
  if (latency.n < fewest)
    return unmeasured(`${latency.n} requests are too few for p${Math.round(100 * p)}, which needs ${fewest}`);
  const half = normalQuantile(0.975) * Math.sqrt((p * (1 - p)) / latency.n);
  // Where the rank lies beyond the sample, its end is all that is known.
  const low = quantileOfSketch(latency, Math.max(0, p - half));
  const high = quantileOfSketch(latency, Math.min(1, p + half));
  const isWithin = p + half <= 1 && p - half >= 0;
  return estimate(value, latency.n, isWithin && low !== undefined && high !== undefined ? { low, high } : {});
}

export function errorRate({ requests, errors }: ProductionCell): Measurement {
  if (requests === 0) return unmeasured('there were no requests');
  return estimate(errors / requests, requests, wilson(errors, requests) ?? {});
}

/** A share or a mean as a measurement, each item by the weight it was drawn with. */
export function ratioOf(items: readonly DrawnItem[], kind: 'share' | 'mean', nothing: string): Measurement {
  const found = weightedRatio(items, kind);
  if (found === undefined) return unmeasured(nothing);
  const { value, n, low, high } = found;
  return estimate(value, n, low === undefined || high === undefined ? {} : { low, high });
}

/** What is counted of one request, out of how much. */
type Part = { readonly count: number; readonly of: number } | undefined;

export function drawnItems(watched: readonly Watched[], part: (one: Watched) => Part): DrawnItem[] {
  return watched.flatMap((one) => {
    const counted = part(one);
    return counted === undefined ? [] : [{ ...counted, probability: one.probability }];
  });
}

export function ratedAcceptable(watched: readonly Watched[]): Measurement {
  const items = drawnItems(watched, ({ rated }) =>
    rated?.acceptable === undefined ? undefined : { count: rated.acceptable, of: 1 },
  );
  return ratioOf(items, 'share', 'no sampled output was rated');
}

function countedOf(share: RatedRequest['recall']): Part {
  return share && { count: share.right, of: share.of };
}

export function ratedPrecision(watched: readonly Watched[]): Measurement {
  const items = drawnItems(watched, ({ rated }) => countedOf(rated?.precision));
  return ratioOf(items, 'share', 'no concept of a sampled output was rated');
}

export function ratedRecall(watched: readonly Watched[]): Measurement {
  const items = drawnItems(watched, ({ rated }) => countedOf(rated?.recall));
  return ratioOf(items, 'share', 'no rating says what a sampled output lacks');
}

export function quotesVerified(watched: readonly Watched[]): Measurement {
  const items = drawnItems(watched, ({ quotes }) => quotes && { count: quotes.verified, of: quotes.given });
  return ratioOf(items, 'share', 'no quote of a sampled output was verified');
}

/** What users gave, on 1–5, the mean of each output counting once. Nobody drew them: those who speak speak for themselves. */
export function feedbackScore(watched: readonly Watched[]): Measurement {
  const items = watched.flatMap(({ scores = [] }) =>
    scores.length === 0
      ? []
      : [{ count: scores.reduce((sum, score) => sum + score, 0) / scores.length, of: 1, probability: 1 }],
  );
  return ratioOf(items, 'mean', 'there is no user feedback');
}

/**
 * Production has no canaries, so there is no hallucination rate to measure; these three are what can be known of it, each
 * named for what it is.
 */
export const HALLUCINATED = {
  /** Quotes of concepts that do not stand in the text, where it speaks of them. */
  unsupportedQuotes: ({ quotes }: Watched): Part =>
    quotes && { count: quotes.given - quotes.verified, of: quotes.given },
  /** Concepts whose words the text never uses near each other: some are good paraphrases. */
  unmentionedConcepts: ({ unmentioned }: Watched): Part =>
    unmentioned && { count: unmentioned.unmentioned, of: unmentioned.concepts },
  /** Concepts that a person who rated the output calls made up. */
  ratedFabrications: ({ rated }: Watched): Part =>
    rated?.fabricated && { count: rated.fabricated.fabricated, of: rated.fabricated.concepts },
} as const;

export type Hallucination = Readonly<Record<keyof typeof HALLUCINATED, Measurement>>;

export function hallucinationOf(watched: readonly Watched[]): Hallucination {
  const share = (part: keyof typeof HALLUCINATED, nothing: string) =>
    ratioOf(drawnItems(watched, HALLUCINATED[part]), 'share', nothing);
  return {
    unsupportedQuotes: share('unsupportedQuotes', 'no quote of a sampled output was verified'),
    unmentionedConcepts: share(
      'unmentionedConcepts',
      'no concept of a sampled output was looked up in its text',
    ),
    ratedFabrications: share('ratedFabrications', 'no sampled output was rated'),
  };
}
