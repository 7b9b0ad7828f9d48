/** Two scores of the same labelled sessions: how well each goes along with the labels, and how much one gains. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { percentileInterval } from '../../stats/bootstrap.ts';
import type { Numbers } from '../../stats/check-input.ts';
import { averageRanks, pearson } from '../../stats/correlation.ts';
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
  /** How many sources gained, and how many could be told. */
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
  const told = perSource.flatMap(({ documented, calibrated }) =>
    documented.measured && calibrated.measured ? [calibrated.value - documented.value] : [],
  );
  return {
    figures: [figureOf('all', usable, kind), ...within, ...(sources.length > 1 ? perSource : [])],
    gain: drawn?.gain,
    sourcesGained: told.filter((difference) => difference > 1e-9).length,
    sourcesMeasured: told.length,
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

// How sure the leading figures are: both scores and their difference on the same redrawn sessions.

type Drawn = { readonly value: number; readonly interval?: Interval };
type Side = 'documented' | 'calibrated';
type Sources = readonly (readonly ScoredTwice[])[];

/** How often each session of a source was drawn. */
type Draw = { readonly source: number; readonly times: Float64Array };
type Statistic = (draws: readonly Draw[]) => number | undefined;

const RESAMPLES = 1000;

/**
 * Sources are drawn again where there are several, because the next user's sessions come from yet another one, and
 * sessions within each of them. Undefined when the figure cannot be computed at all.
 */
function resampleScores(
  sources: Sources,
  kind: LabelKind,
  seed: number,
): Readonly<Record<Side | 'gain', Drawn>> | undefined {
  const statisticOf = kind === 'outcomes' ? orderWithinSources : correlationOverAll;
  const [before, after] = [statisticOf(sources, 'documented'), statisticOf(sources, 'calibrated')];
  const once = sources.map((own, source) => ({ source, times: new Float64Array(own.length).fill(1) }));
  const [documented, calibrated] = [before(once), after(once)];
  if (documented === undefined || calibrated === undefined) return undefined;
  const values: Record<Side, number[]> = { documented: [], calibrated: [] };
  const draw = drawer(sources, seed);
  for (let i = 0; i < RESAMPLES; i++) {
    const draws = draw();
    const [one, other] = [before(draws), after(draws)];
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

function drawer(sources: Sources, seed: number): () => Draw[] {
  const stream = random(seed);
  return () =>
    sources.map(() => {
      const source = stream.below(sources.length);
      const times = new Float64Array(sources[source]?.length ?? 0);
      for (let i = 0; i < times.length; i++) {
        const pick = stream.below(times.length);
        times[pick] = (times[pick] as number) + 1;
      }
      return { source, times };
    });
}

function correlationOverAll(sources: Sources, side: Side): Statistic {
  return (draws) => {
    const sums = { n: 0, x: 0, y: 0, xx: 0, yy: 0, xy: 0 };
    for (const { source, times } of draws) {
      for (const [i, one] of (sources[source] ?? []).entries()) {
        const weight = times[i] as number;
        const [x, y] = [one[side], one.label];
        sums.n += weight;
        sums.x += weight * x;
        sums.y += weight * y;
        sums.xx += weight * x * x;
        sums.yy += weight * y * y;
        sums.xy += weight * x * y;
      }
    }
    const { n, x, y, xx, yy, xy } = sums;
    const spread = (xx - (x * x) / n) * (yy - (y * y) / n);
    return n >= 3 && spread > 1e-18 ? (xy - (x * y) / n) / Math.sqrt(spread) : undefined;
  };
}

/**
 * The mean of the sources' areas under the ROC curve, each with the weight m·n / (m + n) of its m successes and n
 * failures. Reference: P. van Elteren, Bulletin of the International Statistical Institute 37 (1960).
 */
function orderWithinSources(sources: Sources, side: Side): Statistic {
  const areas = sources.map((own) =>
    areaOf(
      own.map((one) => one[side]),
      own.map((one) => isSuccess(one.label)),
    ),
  );
  return (draws) => {
    let sum = 0;
    let total = 0;
    for (const { source, times } of draws) {
      const { auc = 0, weight = 0 } = areas[source]?.(times) ?? {};
      sum += weight * auc;
      total += weight;
    }
    return total === 0 ? undefined : sum / total;
  };
}

/** The area for any number of copies of each item. Sorted once, so that a resample costs one pass. */
function areaOf(scores: Numbers, labels: readonly boolean[]): (times: Float64Array) => Stratum {
  const ranks = averageRanks(scores);
  const order = [...labels.keys()].sort((a, b) => (ranks[a] as number) - (ranks[b] as number));
  return (times) => {
    let [successes, failures, ordered, at] = [0, 0, 0, 0];
    while (at < order.length) {
      let [tiedSuccesses, tiedFailures] = [0, 0];
      const rank = ranks[order[at] as number];
      for (; at < order.length && ranks[order[at] as number] === rank; at++) {
        const place = order[at] as number;
        if (labels[place]) tiedSuccesses += times[place] as number;
        else tiedFailures += times[place] as number;
      }
      ordered += tiedSuccesses * (failures + tiedFailures / 2);
      successes += tiedSuccesses;
      failures += tiedFailures;
    }
    const pairs = successes * failures;
    return pairs === 0
      ? { auc: 0.5, weight: 0 }
      : { auc: ordered / pairs, weight: pairs / (successes + failures) };
  };
}

type Stratum = { readonly auc: number; readonly weight: number };

/** The area under the ROC curve and its weight among several sources; weight 0 with one class missing. */
export function stratum(scores: Numbers, labels: readonly boolean[]): Stratum {
  return areaOf(scores, labels)(new Float64Array(labels.length).fill(1));
}
