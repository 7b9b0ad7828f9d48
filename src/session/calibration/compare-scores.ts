/** Compares two scores of the same labelled sessions: how well each agrees with the labels, and the gain. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { percentileInterval } from '../../stats/bootstrap.ts';
import type { Numbers } from '../../stats/check-input.ts';
import { averageRanks, pearson, productMoment } from '../../stats/correlation.ts';
import type { Interval } from '../../stats/intervals.ts';
import { random } from '../../stats/random.ts';
import { aucMeasurement, isDecided, isSuccess } from './validate-outcomes.ts';

export type LabelKind = 'ratings' | 'outcomes';

export type ScoredTwice = {
  readonly source: string;
  readonly label: number;
  readonly documented: number;
  readonly calibrated: number;
};

export type Figure = {
  /** `all`, `within sources`, or the name of a source. */
  readonly scope: string;
  /** Pearson's r for ratings, the area under the ROC curve for outcomes. */
  readonly metric: 'pearson' | 'auc';
  readonly documented: Measurement;
  readonly calibrated: Measurement;
};

export type ScoreComparison = {
  readonly figures: readonly Figure[];
  /** Calibrated − documented, on the leading figure: `within sources` for outcomes, `all` for ratings. */
  readonly gain: Drawn | undefined;
  /** How many sources gained, and how many are measurable. */
  readonly sourcesGained: number;
  readonly sourcesMeasured: number;
};

export function compareScores(
  sessions: readonly ScoredTwice[],
  kind: LabelKind,
  seed: number,
): ScoreComparison {
  const usable = kind === 'outcomes' ? sessions.filter((one) => isDecided(one.label)) : sessions;
  const sources = [...Map.groupBy(usable, (one) => one.source)].sort(([a], [b]) => (a < b ? -1 : 1));
  const perSource = sources.map(([source, own]) => figureOf(source, own, kind));
  const drawn = resampleScores(
    sources.map(([, own]) => own),
    kind,
    seed,
  );
  const within: Figure[] =
    kind === 'outcomes' && sources.length > 1
      ? [{ scope: 'within sources', metric: 'auc', ...measurements(drawn, usable.length) }]
      : [];
  const compared = perSource.flatMap(({ documented, calibrated }) =>
    documented.measured && calibrated.measured ? [calibrated.value - documented.value] : [],
  );
  return {
    figures: [figureOf('all', usable, kind), ...within, ...(sources.length > 1 ? perSource : [])],
    gain: drawn?.gain,
    sourcesGained: compared.filter((difference) => difference > 1e-9).length,
    sourcesMeasured: compared.length,
  };
}

function figureOf(scope: string, sessions: readonly ScoredTwice[], kind: LabelKind): Figure {
  const measure = (score: (one: ScoredTwice) => number): Measurement => {
    if (kind === 'outcomes') {
      return aucMeasurement(
        sessions.map(score),
        sessions.map((one) => isSuccess(one.label)),
      );
    }
    const correlation = pearson(
      sessions.map(score),
      sessions.map((one) => one.label),
    );
    if (correlation === undefined) return unmeasured('fewer than three sessions, or all of them the same');
    return estimate(correlation.r, correlation.n, correlation.interval ?? {});
  };
  return {
    scope,
    metric: kind === 'outcomes' ? 'auc' : 'pearson',
    documented: measure((one) => one.documented),
    calibrated: measure((one) => one.calibrated),
  };
}

function measurements(
  drawn: ReturnType<typeof resampleScores>,
  n: number,
): Readonly<Record<'documented' | 'calibrated', Measurement>> {
  const measured = (one: Drawn | undefined): Measurement =>
    one === undefined
      ? unmeasured('no source has both successes and failures')
      : estimate(one.value, n, one.interval ?? {});
  return { documented: measured(drawn?.documented), calibrated: measured(drawn?.calibrated) };
}

// The uncertainty of the leading figures: both scores and their difference on the same resamples.

type Drawn = { readonly value: number; readonly interval?: Interval };
type Side = 'documented' | 'calibrated';
type Sources = readonly (readonly ScoredTwice[])[];
type Statistic = (sources: Sources, side: Side) => number | undefined;

const RESAMPLES = 1000;

/**
 * Resamples sources where there are several, because the next user's sessions come from yet another one, and sessions
 * within each source. Undefined when the figure cannot be computed.
 */
function resampleScores(
  sources: Sources,
  kind: LabelKind,
  seed: number,
): Readonly<Record<Side | 'gain', Drawn>> | undefined {
  const statistic = kind === 'outcomes' ? orderWithinSources : correlationOverAll;
  const [documented, calibrated] = [statistic(sources, 'documented'), statistic(sources, 'calibrated')];
  if (documented === undefined || calibrated === undefined) return undefined;
  const values: Record<Side, number[]> = { documented: [], calibrated: [] };
  const draw = drawer(sources, seed);
  for (let i = 0; i < RESAMPLES; i++) {
    const drawn = draw();
    const [one, other] = [statistic(drawn, 'documented'), statistic(drawn, 'calibrated')];
    if (one === undefined || other === undefined) continue;
    values.documented.push(one);
    values.calibrated.push(other);
  }
  const gains = values.calibrated.map((value, i) => value - (values.documented[i] as number));
  return {
    documented: withInterval(documented, values.documented),
    calibrated: withInterval(calibrated, values.calibrated),
    gain: withInterval(calibrated - documented, gains),
  };
}

function withInterval(value: number, drawn: readonly number[]): Drawn {
  if (drawn.length * 2 < RESAMPLES) return { value };
  const interval = percentileInterval(Float64Array.from(drawn), 0.95);
  return { value, interval };
}

function drawer(sources: Sources, seed: number): () => Sources {
  const stream = random(seed);
  return () =>
    sources.map(() => {
      const own = sources[stream.below(sources.length)] ?? [];
      return own.map(() => own[stream.below(own.length)] as ScoredTwice);
    });
}

const correlationOverAll: Statistic = (sources, side) => {
  const all = sources.flat();
  const scores = all.map((one) => one[side]);
  const labels = all.map((one) => one.label);
  return all.length < 3 ? undefined : productMoment(scores, labels);
};

/**
 * The mean of the sources' areas under the ROC curve, weighted by m·n / (m + n) for m successes and n failures.
 * Reference: P. van Elteren, Bulletin of the International Statistical Institute 37 (1960).
 */
const orderWithinSources: Statistic = (sources, side) => {
  const areas = sources.map((own) =>
    stratum(
      own.map((one) => one[side]),
      own.map((one) => isSuccess(one.label)),
    ),
  );
  return weightedArea(areas);
};

type Stratum = { readonly auc: number; readonly weight: number };

export function weightedArea(areas: readonly Stratum[]): number | undefined {
  const total = areas.reduce((sum, one) => sum + one.weight, 0);
  return total === 0 ? undefined : areas.reduce((sum, one) => sum + one.weight * one.auc, 0) / total;
}

/** The area under the ROC curve by ranks, and its weight among several sources; weight 0 when one class is missing. */
export function stratum(scores: Numbers, labels: readonly boolean[]): Stratum {
  const ranks = averageRanks(scores);
  const successes = labels.filter(Boolean).length;
  const pairs = successes * (labels.length - successes);
  if (pairs === 0) return { auc: 0.5, weight: 0 };
  const rankSum = ranks.reduce((sum, rank, i) => (labels[i] ? sum + rank : sum), 0);
  return { auc: (rankSum - (successes * (successes + 1)) / 2) / pairs, weight: pairs / labels.length };
}
