/** The score of a workflow as machines read it: `null` for what was not measured, and the reason beside it. */
import type { z } from 'zod';
import type { Verdict } from '../../../judge/verdict.ts';
import { type Measurement, metricKey } from '../../../measure/metric.ts';
import type { FindingOutcome } from '../../../workflow/evidence.ts';
import type { Mapping } from '../../../workflow/ingest/mapping.ts';
import type {
  LabelSummary,
  MetricRow,
  PartialSensitivity,
  ReviewRunSummary,
  ScoreSummary,
} from '../../../workflow/summary.ts';
import type { GroundTruth } from '../../../workflow/truth.ts';
import type { reviewRun, reviewScore, scoredReviews, scoreRow } from '../../schema/workflow/score.ts';
import { encodeMeasurement } from '../measurement.ts';
import { streamRun } from '../run.ts';

type ScoreWire = z.infer<typeof reviewScore>;
type Truth = Pick<GroundTruth, 'task' | 'hash' | 'version'>;

type Scored = {
  readonly verdict: Verdict;
  readonly truth: Truth;
  readonly summary: ScoreSummary;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

/** The shared shape of a run, with the score of the review beside it. */
export function encodeScoredReviews(scored: Scored): z.infer<typeof scoredReviews> {
  const streamed = streamScoredReviews(scored);
  // In the same order as it is printed.
  return { ...streamed, cases: [...streamed.cases], runs: [...streamed.runs] } as z.infer<
    typeof scoredReviews
  >;
}

/** The same with cases and runs that are made one by one: there may be thousands. They can be read once. */
export function streamScoredReviews({ verdict, truth, summary, mappings, notes }: Scored) {
  return {
    ...streamRun(verdict),
    ...streamScore(truth, summary),
    mappings: [...mappings],
    notes: [...verdict.notes, ...notes],
  };
}

type ScoreRowWire = z.infer<typeof scoreRow>;

/** One line each of `--format jsonl`: a metric of a run. */
export function encodeScoreRows(summary: ScoreSummary): ScoreRowWire[] {
  return [...streamScoreRows(summary)];
}

export function* streamScoreRows({ rows, runs }: ScoreSummary): Generator<ScoreRowWire> {
  for (const [index, { run }] of runs.entries()) {
    for (const { key, perRun } of rows) {
      const one = perRun[index];
      yield {
        workflow: run.workflow,
        task: run.task,
        run: run.run,
        metric: key,
        value: numberOf(one),
        reason: one?.measured === false ? one.reason : null,
      };
    }
  }
}

export function encodeScore(truth: Truth, summary: ScoreSummary): ScoreWire {
  const { runs, ...rest } = streamScore(truth, summary);
  return { ...rest, runs: [...runs] };
}

type RunWire = z.infer<typeof reviewRun>;

function streamScore(
  truth: Truth,
  { runs, rows, across, sensitivity, stability, stabilityUntold, labels }: ScoreSummary,
): Omit<ScoreWire, 'runs'> & { readonly runs: Iterable<RunWire> } {
  const first = runs[0]?.run;
  const oes = rows.find(({ key }) => key === 'oes');
  return {
    task: truth.task,
    truth_hash: truth.hash,
    truth_version: truth.version,
    matcher_version: first?.matcherVersion ?? null,
    workflow: first?.workflow ?? null,
    runs: runs.values().map((run, index) => runJson(run, rows, index)),
    across_runs: acrossJson(rows, across),
    oes: measured(oes?.overall),
    detection_intervals: {
      over_runs: intervalJson(rows.find(({ key }) => key === 'dr')?.overall, 'run noise only'),
      over_errors: intervalJson(
        across.find(({ key }) => key === 'dr_over_errors')?.overall,
        'choice of errors and run noise',
      ),
    },
    stability: stability ?? null,
    ...(stability === undefined && { stability_reason: 'needs at least 3 runs of a metric that is not 0' }),
    stability_untold: stabilityUntold.map(({ metric, reason }) => ({ metric: metricKey(metric.id), reason })),
    partial_credit: { dr: sensitivityJson(sensitivity) },
    labels: labelsJson(labels),
  };
}

function intervalJson<Covers extends string>(one: Measurement | undefined, covers: Covers) {
  return { ...measured(one), covers };
}

function measured(one: Measurement | undefined) {
  return encodeMeasurement(one ?? { measured: false, reason: 'not computed' });
}

function runJson(summary: ReviewRunSummary, rows: readonly MetricRow[], index: number): RunWire {
  const { run, counts, sensitivity, concerns, withDepth, confirmed } = summary;
  const own = rows.map(({ key, perRun }) => [key, perRun[index]] as const);
  return {
    run: run.run,
    model: run.model ?? null,
    metrics: Object.fromEntries(own.map(([key, one]) => [key, numberOf(one)])),
    reasons: reasonsOf(own),
    counts: { ...counts },
    partial_credit: { dr: sensitivityJson(sensitivity) },
    depth: { confirmed_findings: confirmed, with_depth: withDepth },
    concerns: concerns.map(({ id, layer, points, methods, efficiency }) => ({
      id,
      layer,
      points,
      methods,
      ce: encodeMeasurement(efficiency),
    })),
    matches: run.edges.filter(({ chosen }) => chosen).map(edgeJson),
    candidates: run.edges.filter(({ chosen }) => !chosen).map(edgeJson),
    ...(run.pairs !== undefined && { candidates_left_out: run.pairs - run.edges.length }),
    missed: run.errors.filter(({ credit }) => credit === 0).map(({ id }) => id),
    findings: run.findings.map(findingJson),
  };
}

function edgeJson({ finding, error, strength, criteria, chosen }: ReviewRunSummary['run']['edges'][number]) {
  return { finding, error, strength, criteria: [...criteria], chosen };
}

function findingJson(finding: FindingOutcome): RunWire['findings'][number] {
  const { id, title, error, trap, labels, quoteMissing, disputed, againstCriteria } = finding;
  return {
    id,
    title,
    class: finding.class,
    error: error ?? null,
    trap,
    ...(labels.length > 0 && { labels: labels.map((label) => ({ ...label })) }),
    ...(quoteMissing && { quote_not_in_document: true as const }),
    ...(disputed && { disputed: true as const }),
    ...(againstCriteria && { label_against_criteria: true as const }),
  };
}

function acrossJson(rows: readonly MetricRow[], across: ScoreSummary['across']): ScoreWire['across_runs'] {
  return {
    ...Object.fromEntries(
      rows.map(({ key, overall, sd, rs, n }) => [
        key,
        // What it rests on are the runs in which it could be measured.
        { ...encodeMeasurement(overall), n, sd: encodeMeasurement(sd), rs: encodeMeasurement(rs) },
      ]),
    ),
    ...Object.fromEntries(across.map(({ key, overall }) => [key, encodeMeasurement(overall)])),
  };
}

function labelsJson({
  authors,
  findings,
  pairs,
  alpha,
  fleiss,
  settled,
  disputed,
  againstCriteria,
}: LabelSummary) {
  return {
    authors: [...authors],
    labelled_findings: findings,
    settled_by_a_third: settled,
    disputed,
    against_criteria: againstCriteria,
    krippendorff_alpha: encodeMeasurement(alpha),
    fleiss_kappa: encodeMeasurement(fleiss),
    pairs: pairs.map((pair) => ({
      authors: [...pair.authors],
      n: pair.n,
      agreement: encodeMeasurement(pair.same),
      cohen_kappa: encodeMeasurement(pair.kappa),
    })),
  };
}

function sensitivityJson(sensitivity: PartialSensitivity): ScoreWire['partial_credit']['dr'] {
  return {
    '0': numberOf(sensitivity['0']),
    '0.5': numberOf(sensitivity['0.5']),
    '1': numberOf(sensitivity['1']),
  };
}

function numberOf(measurement: Measurement | undefined): number | null {
  return measurement?.measured ? measurement.value : null;
}

function reasonsOf(named: readonly (readonly [string, Measurement | undefined])[]): Record<string, string> {
  return Object.fromEntries(
    named.flatMap(([key, one]) => (one === undefined || one.measured ? [] : [[key, one.reason]])),
  );
}
