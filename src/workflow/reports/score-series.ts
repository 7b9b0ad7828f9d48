/** Scores of one workflow over time. Another ground truth or another matcher begins a new series. */
import type { Trend } from '../../judge/trend.ts';
import type { Measurement } from '../../measure/metric.ts';

/** What the store remembers of one score. */
export type StoredScore = {
  readonly runId: string;
  readonly at: string;
  readonly subject: string;
  readonly scorer: string;
  readonly truthHash?: string;
  /** How many runs of the review were scored together. */
  readonly caseCount: number;
  readonly metrics: Readonly<Record<string, Measurement>>;
};

export type ScoreSeries = {
  readonly workflow: string;
  readonly task: string;
  readonly truthHash: string;
  readonly matcherVersion: string;
  /** Oldest first. */
  readonly scores: readonly StoredScore[];
};

/** One series, how many came before it, and how its metrics moved. */
export type SeriesView = ScoreSeries & { readonly earlierSeries: number; readonly trends: readonly Trend[] };

/** The series that went on last comes first. `taskOf` says which task a ground truth belongs to. */
export function scoreSeries(
  scores: readonly StoredScore[],
  taskOf: (truthHash: string) => string,
): ScoreSeries[] {
  const groups = Map.groupBy(scores, ({ subject, truthHash = '', scorer }) =>
    JSON.stringify([subject, truthHash, scorer]),
  );
  return [...groups.values()]
    .map((all) => {
      const ordered = all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
      const { subject, truthHash = '', scorer } = ordered[0] as StoredScore;
      return {
        workflow: subject,
        task: taskOf(truthHash),
        truthHash,
        matcherVersion: scorer,
        scores: ordered,
      };
    })
    .sort((a, b) => (lastAt(a) < lastAt(b) ? 1 : -1));
}

function lastAt({ scores }: ScoreSeries): string {
  return scores.at(-1)?.at ?? '';
}

/** The values that could be measured. */
export function pointsOf(
  { scores }: ScoreSeries,
  metric: string,
): { readonly runId: string; readonly at: string; readonly value: number }[] {
  return scores.flatMap(({ runId, at, metrics }) => {
    const one = Object.hasOwn(metrics, metric) ? metrics[metric] : undefined;
    return one?.measured ? [{ runId, at, value: one.value }] : [];
  });
}

/** A series of the same workflow and task that came before, against another ground truth or by another matcher. */
export function earlierSeries(all: readonly ScoreSeries[], one: ScoreSeries): readonly ScoreSeries[] {
  return all.filter(
    (other) =>
      other !== one &&
      other.workflow === one.workflow &&
      other.task === one.task &&
      lastAt(other) <= lastAt(one),
  );
}
