/** `metrics-history.json`: one entry per run, append-only, safe for concurrent processes. */

import { z } from 'zod';
import { AssayError } from '../errors.ts';
import { isAbsent, readJson } from '../files.ts';
import type { Trend, TrendPoint } from '../judge/trend.ts';
import type { Verdict } from '../judge/verdict.ts';
import { replaceFile, underLock } from '../locked-file.ts';
import { metricKey, type Unit } from '../measure/metric.ts';
import { mean } from '../stats/descriptive.ts';
import { parseWith } from './ingest/parse.ts';
import type { RunFacts } from './suite-run.ts';

export const HISTORY_FILE = 'metrics-history.json';
const FORMAT = 'assay-metrics-history';

const text = z.string().min(1).max(1000);

const entrySchema = z.object({
  run_id: text,
  at: z.iso.datetime(),
  subject: text,
  extractor: text,
  prompt: text.nullable(),
  golden_hash: text.nullable(),
  scorer: text,
  standard: text,
  n_cases: z.number().int().min(0),
  n_errored: z.number().int().min(0),
  verdict: text,
  /** Metric → suite value; null: not measured. */
  metrics: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), z.number().nullable()),
});

const fileSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  runs: z.array(entrySchema),
});

export type HistoryEntry = z.infer<typeof entrySchema>;

export function historyEntry(verdict: Verdict, { extractor, prompt }: RunFacts): HistoryEntry {
  const { validity, metrics, cases } = verdict;
  return {
    run_id: validity.runId,
    at: validity.at,
    subject: verdict.subject,
    extractor,
    prompt: prompt ?? null,
    golden_hash: validity.truthHash ?? null,
    scorer: validity.scorer,
    standard: validity.standard ?? 'documented',
    n_cases: cases.length,
    n_errored: cases.filter(({ error }) => error !== undefined).length,
    verdict: verdict.gate.verdict,
    metrics: Object.fromEntries(
      metrics.map(({ id, measurement }) => [metricKey(id), measurement.measured ? measurement.value : null]),
    ),
  };
}

/** A missing file is an empty history. A damaged one is an error and is never overwritten. */
export function readHistory(path: string): readonly HistoryEntry[] {
  if (isAbsent(path)) return [];
  try {
    return parseWith(fileSchema, readJson(path), path).runs;
  } catch (cause) {
    if (!(cause instanceof AssayError) || cause.code !== 'INPUT_INVALID') throw cause;
    throw new AssayError('INPUT_INVALID', cause.message, {
      cause,
      remedy: [
        { say: 'It was left as it is. Restore it from version control' },
        { say: 'name another file', options: { history: true } },
        { say: 'use no history', options: { 'no-history': true } },
      ],
    });
  }
}

export async function appendHistory(
  path: string,
  entry: HistoryEntry,
  options: { readonly waitMs?: number } = {},
): Promise<void> {
  await underLock(
    path,
    () => {
      const runs = [...readHistory(path), entry];
      const file: z.infer<typeof fileSchema> = { format: FORMAT, version: 1, runs };
      replaceFile(path, `${JSON.stringify(file, null, 1)}\n`);
    },
    options,
  );
}

export type HistorySeries = Pick<
  HistoryEntry,
  'subject' | 'extractor' | 'prompt' | 'golden_hash' | 'scorer'
> & {
  readonly runs: readonly HistoryEntry[];
};

/**
 * A series consists of runs with the same subject, extractor, prompt, golden set and scorer. Runs that lack some cases
 * are a separate sample. The series with the latest run comes first.
 */
export function historySeries(entries: readonly HistoryEntry[]): HistorySeries[] {
  const complete = entries.filter((entry) => entry.n_errored === 0);
  const groups = Map.groupBy(complete, ({ subject, extractor, prompt, golden_hash, scorer }) =>
    JSON.stringify([subject, extractor, prompt, golden_hash, scorer]),
  );
  const timeOf = ({ at }: HistoryEntry) => Date.parse(at);
  return [...groups.values()]
    .map((group) => {
      const runs = group.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.run_id < b.run_id ? -1 : 1));
      const { subject, extractor, prompt, golden_hash, scorer } = runs[0] as HistoryEntry;
      return {
        subject,
        extractor,
        prompt,
        golden_hash,
        scorer,
        runs,
        latest: timeOf(runs.at(-1) as HistoryEntry),
      };
    })
    .toSorted((a, b) => b.latest - a.latest)
    .map(({ latest: _, ...series }) => series);
}

/** Metric id → its points in the runs of the same series. */
export function earlierPoints(
  entries: readonly HistoryEntry[],
  {
    subject,
    truthHash,
    scorer,
  }: { readonly subject: string; readonly truthHash?: string; readonly scorer: string },
): (metric: string) => TrendPoint[] {
  const series = historySeries(entries).find(
    (one) => one.subject === subject && one.golden_hash === (truthHash ?? null) && one.scorer === scorer,
  );
  return (metric) => (series === undefined ? [] : pointsOf(series, metricKey(metric)).slice(-LONGEST));
}

/** How many earlier runs a trend shows. */
const LONGEST = 30;

export function pointsOf(series: HistorySeries, key: string): TrendPoint[] {
  return series.runs.flatMap((run) => {
    const value = Object.hasOwn(run.metrics, key) ? run.metrics[key] : null;
    return value == null ? [] : [{ runId: run.run_id, at: run.at, value }];
  });
}

/** One point per week: the mean of its runs, at its Monday. */
export function weeklyPoints(points: readonly TrendPoint[]): TrendViewPoint[] {
  const weeks = Map.groupBy(points, ({ at }) => isoWeek(at).week);
  return [...weeks].map(([week, group]) => ({
    week,
    at: isoWeek(group[0]?.at ?? '').monday,
    value: mean(group.map(({ value }) => value)) ?? Number.NaN,
    runs: group.length,
  }));
}

const DAY_MS = 86_400_000;

/** The ISO 8601 week of a UTC time: weeks begin on Monday, and week 1 contains the first Thursday of the year. */
export function isoWeek(at: string): { readonly week: string; readonly monday: string } {
  const day = Math.floor(Date.parse(at) / DAY_MS);
  // 1970-01-01 was a Thursday; Monday counts as 0.
  const monday = day - ((((day + 3) % 7) + 7) % 7);
  const year = new Date((monday + 3) * DAY_MS).getUTCFullYear();
  const firstThursday = Math.floor(Date.UTC(year, 0, 4) / DAY_MS);
  const firstMonday = firstThursday - ((((firstThursday + 3) % 7) + 7) % 7);
  const number = (monday - firstMonday) / 7 + 1;
  return {
    week: `${year}-W${String(number).padStart(2, '0')}`,
    monday: new Date(monday * DAY_MS).toISOString(),
  };
}

export type TrendViewPoint = {
  readonly at: string;
  readonly value: number;
  readonly runId?: string;
  readonly week?: string;
  readonly runs?: number;
};

export type TrendView = {
  readonly series: HistorySeries;
  /** Computed over runs even if weeks are drawn, because three runs in a row may be in one week. */
  readonly trends: readonly Trend[];
  readonly points: ReadonlyMap<string, readonly TrendViewPoint[]>;
};

export type SuiteTrends = {
  readonly history: string;
  readonly weekly: boolean;
  readonly metrics: readonly { readonly id: string; readonly title: string; readonly unit: Unit }[];
  readonly views: readonly TrendView[];
  readonly others: number;
};
