import { bootstrap } from '../../stats/bootstrap.ts';
import { type Correlation, spearman } from '../../stats/correlation.ts';
import { holm } from '../../stats/holm.ts';
import type { Interval } from '../../stats/intervals.ts';
import { nonNegativeFit } from '../../stats/non-negative-fit.ts';
import { random } from '../../stats/random.ts';
import { conceptPrecision } from '../metrics/concept-precision.ts';
import { conceptRecall } from '../metrics/concept-recall.ts';
import { hallucinationRate } from '../metrics/hallucination-rate.ts';
import { provenanceCoverage } from '../metrics/provenance-coverage.ts';
import { relationshipAccuracy } from '../metrics/relationship-accuracy.ts';
import type { OverallWeights } from '../weights.ts';

export type RatedOutput = {
  readonly id: string;
  /** 0 (bad) to 1 (good), the mean of what was said. */
  readonly satisfaction: number;
  /** Metric id → its value for this output; what was not measured is absent. */
  readonly metrics: Readonly<Record<string, number>>;
};

export type MetricCorrelation = {
  readonly metric: string;
  readonly n: number;
  /** By ranks: ratings have few values, and only their order can be trusted. Absent without three or without spread. */
  readonly correlation: Correlation | undefined;
  /** Corrected for as many metrics as could be told (Holm). */
  readonly adjustedP: number | undefined;
};

/** One for each of `metrics`, measured or not, in their order. */
export function correlate(
  outputs: readonly RatedOutput[],
  metrics: readonly string[],
): readonly MetricCorrelation[] {
  const correlations = metrics.map((metric) => {
    const pairs = outputs.flatMap(({ satisfaction, metrics: { [metric]: value } }) =>
      value === undefined ? [] : [{ value, satisfaction }],
    );
    const correlation = spearman(
      pairs.map(({ value }) => value),
      pairs.map(({ satisfaction }) => satisfaction),
    );
    return { metric, n: pairs.length, correlation };
  });
  const adjusted = holm(
    correlations.flatMap(({ correlation }) => (correlation === undefined ? [] : [correlation.p])),
  );
  let next = 0;
  return correlations.map((one) => ({
    ...one,
    adjustedP: one.correlation === undefined ? undefined : adjusted[next++],
  }));
}

/** Fewer rated outputs with all five metrics cannot teach five weights. */
export const RATED_FOR_WEIGHTS = 50;

export type WeightSuggestion =
  | { readonly kind: 'too few'; readonly n: number }
  | {
      /** `keep` unless what was fitted says better what people thought of outputs that it was not fitted to. */
      readonly kind: 'keep' | 'adjust';
      readonly n: number;
      /** Rank correlation with satisfaction: of the weights as they are, and out of fold of fitted ones. */
      readonly now: number;
      readonly fitted: number;
      /** Fitted − now, 95%, over outputs. */
      readonly gain: Interval | undefined;
      readonly weights: OverallWeights;
    };

const PARTS = [
  ['recall', conceptRecall.id, 1],
  ['precision', conceptPrecision.id, 1],
  ['relationshipAccuracy', relationshipAccuracy.id, 1],
  ['provenance', provenanceCoverage.id, 1],
  ['hallucinationPenalty', hallucinationRate.id, -1],
] as const;

const FOLDS = 10;

export function suggestWeights(
  outputs: readonly RatedOutput[],
  current: OverallWeights,
  seed = 1,
): WeightSuggestion {
  const rows = outputs.flatMap(rowOf).sort((a, b) => (a.id < b.id ? -1 : 1));
  if (rows.length < RATED_FOR_WEIGHTS) return { kind: 'too few', n: rows.length };
  const scale = PARTS.reduce((sum, [name]) => sum + current[name], 0);
  const fitted = outOfFold(rows, seed);
  const units = rows.map((row, place) => ({
    said: row.satisfaction,
    now: PARTS.reduce((sum, [name], part) => sum + current[name] * (row.parts[part] as number), 0),
    fitted: fitted[place] as number,
  }));
  const gain = bootstrap(units, gainOf, { resamples: 1000, seed, method: 'percentile' });
  const better = gain?.interval !== undefined && gain.interval.low > 0;
  return {
    kind: better ? 'adjust' : 'keep',
    n: rows.length,
    now: agreement(units, 'now') ?? 0,
    fitted: agreement(units, 'fitted') ?? 0,
    gain: gain?.interval,
    weights: better ? asWeights(slopesOf(rows), scale) : current,
  };
}

type Row = { readonly id: string; readonly satisfaction: number; readonly parts: readonly number[] };
type Scored = { readonly said: number; readonly now: number; readonly fitted: number };

function rowOf({ id, satisfaction, metrics }: RatedOutput): Row[] {
  const parts = PARTS.flatMap(([, metric, sign]) => {
    const value = metrics[metric];
    return value === undefined ? [] : [sign * value];
  });
  return parts.length === PARTS.length ? [{ id, satisfaction, parts }] : [];
}

function slopesOf(rows: readonly Row[]): number[] {
  return nonNegativeFit(
    PARTS.map((_, part) => rows.map(({ parts }) => parts[part] as number)),
    rows.map(({ satisfaction }) => satisfaction),
  );
}

function outOfFold(rows: readonly Row[], seed: number): number[] {
  const source = random(seed);
  const fold = rows.map((_, place) => place % FOLDS);
  for (let i = fold.length - 1; i > 0; i--) {
    const j = source.below(i + 1);
    [fold[i], fold[j]] = [fold[j] as number, fold[i] as number];
  }
  const slopes = Array.from({ length: FOLDS }, (_, left) =>
    slopesOf(rows.filter((_, place) => fold[place] !== left)),
  );
  return rows.map(({ parts }, place) => {
    const own = slopes[fold[place] as number] as number[];
    const total = own.reduce((sum, slope) => sum + slope, 0) || 1;
    return parts.reduce((sum, part, i) => sum + ((own[i] as number) / total) * part, 0);
  });
}

function agreement(units: readonly Scored[], which: 'now' | 'fitted'): number | undefined {
  return spearman(
    units.map((unit) => unit[which]),
    units.map(({ said }) => said),
  )?.r;
}

function gainOf(units: readonly Scored[]): number | undefined {
  const [now, fitted] = [agreement(units, 'now'), agreement(units, 'fitted')];
  return now === undefined || fitted === undefined ? undefined : fitted - now;
}

/** On the scale of the weights as they are, in steps of a hundredth: more digits would pretend. */
function asWeights(slopes: readonly number[], scale: number): OverallWeights {
  const total = slopes.reduce((sum, slope) => sum + slope, 0);
  const share = (part: number) => Math.round((100 * scale * (slopes[part] as number)) / total) / 100;
  return {
    recall: share(0),
    precision: share(1),
    relationshipAccuracy: share(2),
    provenance: share(3),
    hallucinationPenalty: share(4),
  };
}
