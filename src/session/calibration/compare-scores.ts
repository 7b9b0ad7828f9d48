/** Two scores of the same labelled sessions: how well each goes along with the labels, and how much one gains. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { pearson } from '../../stats/pearson.ts';
import { type Drawn, resampleScores } from './resample-scores.ts';
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
