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

/** Fewer rated outputs with the same metrics cannot teach their weights. */
export const RATED_FOR_WEIGHTS = 50;

/** One metric alone has no weight beside another. */
const LEAST_PARTS = 2;

export type WeightSuggestion =
  | { readonly kind: 'too few'; readonly n: number }
  | {
      /** `keep` unless what was fitted says better what people thought of outputs that it was not fitted to. */
      readonly kind: 'keep' | 'adjust';
      readonly n: number;
      /** What enough outputs have; the other weights stay, and the sum of these. */
      readonly of: readonly (keyof OverallWeights)[];
      /** Rank correlation with satisfaction: of the weights as they are, and out of fold of fitted ones. */
      readonly now: number;
      readonly fitted: number;
      /** Fitted − now, 95%, over outputs. */
      readonly gain: Interval | undefined;
      readonly weights: OverallWeights;
    };

/** Each with its metric of golden cases, and what production has in its place. */
const PARTS = [
  { name: 'recall', metrics: [conceptRecall.id, 'production/found-concepts'], sign: 1 },
  { name: 'precision', metrics: [conceptPrecision.id, 'production/accepted-concepts'], sign: 1 },
  { name: 'relationshipAccuracy', metrics: [relationshipAccuracy.id], sign: 1 },
  { name: 'provenance', metrics: [provenanceCoverage.id, 'production/quoted-concepts'], sign: 1 },
  { name: 'hallucinationPenalty', metrics: [hallucinationRate.id, 'production/made-up-concepts'], sign: -1 },
] as const;
type WeightPart = (typeof PARTS)[number];

const FOLDS = 10;

export function suggestWeights(
  outputs: readonly RatedOutput[],
  current: OverallWeights,
  seed = 1,
): WeightSuggestion {
  const parts = partsToFit(outputs);
  const rows = rowsOf(outputs, parts);
  if (rows.length < RATED_FOR_WEIGHTS || parts.length < LEAST_PARTS)
    return { kind: 'too few', n: rows.length };
  const scale = parts.reduce((sum, { name }) => sum + current[name], 0);
  const fitted = outOfFold(rows, seed);
  const units = rows.map((row, place) => ({
    said: row.satisfaction,
    now: parts.reduce((sum, { name }, part) => sum + current[name] * (row.parts[part] as number), 0),
    fitted: fitted[place] as number,
  }));
  const gain = bootstrap(units, gainOf, { resamples: 1000, seed, method: 'percentile' });
  const better = gain?.interval !== undefined && gain.interval.low > 0;
  return {
    kind: better ? 'adjust' : 'keep',
    n: rows.length,
    of: parts.map(({ name }) => name),
    now: agreement(units, 'now') ?? 0,
    fitted: agreement(units, 'fitted') ?? 0,
    gain: gain?.interval,
    weights: better ? { ...current, ...asWeights(slopesOf(rows), parts, scale) } : current,
  };
}

type Row = { readonly id: string; readonly satisfaction: number; readonly parts: readonly number[] };
type Scored = { readonly said: number; readonly now: number; readonly fitted: number };

/** As many as enough outputs have at once: the one that the fewest have goes first. */
function partsToFit(outputs: readonly RatedOutput[]): readonly WeightPart[] {
  let parts: readonly WeightPart[] = PARTS;
  while (parts.length > LEAST_PARTS && rowsOf(outputs, parts).length < RATED_FOR_WEIGHTS) {
    const counts = parts.map((part) => rowsOf(outputs, [part]).length);
    const rarest = counts.indexOf(Math.min(...counts));
    parts = parts.filter((_, i) => i !== rarest);
  }
  return parts;
}

function rowsOf(outputs: readonly RatedOutput[], parts: readonly WeightPart[]): Row[] {
  return outputs
    .flatMap(({ id, satisfaction, metrics }): Row[] => {
      const values = parts.flatMap(({ metrics: ids, sign }) => {
        const value = ids.map((one) => metrics[one]).find((one) => one !== undefined);
        return value === undefined ? [] : [sign * value];
      });
      return values.length === parts.length ? [{ id, satisfaction, parts: values }] : [];
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function slopesOf(rows: readonly Row[]): number[] {
  return nonNegativeFit(
    (rows[0]?.parts ?? []).map((_, part) => rows.map(({ parts }) => parts[part] as number)),
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
function asWeights(
  slopes: readonly number[],
  parts: readonly WeightPart[],
  scale: number,
): Partial<OverallWeights> {
  const total = slopes.reduce((sum, slope) => sum + slope, 0);
  return Object.fromEntries(
    parts.map(({ name }, i) => [name, Math.round((100 * scale * (slopes[i] as number)) / total) / 100]),
  );
}
