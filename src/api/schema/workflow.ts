import { z } from 'zod';
import { estimate, type Measurement, metricKey, unmeasured } from '../../measure/metric.ts';
import type { DocumentedRule } from '../../workflow/compare/documented-rule.ts';
import type { ComparedWorkflows, WorkflowComparison } from '../../workflow/compare/measure-sides.ts';
import type { FindingOutcome } from '../../workflow/evidence.ts';
import type { RankedWorkflows } from '../../workflow/leaderboard.ts';
import type { Inspection } from '../../workflow/lint/inspect.ts';
import type {
  CategoryCell,
  CategoryHeatmap,
  MappedCategories,
} from '../../workflow/reports/category-heatmap.ts';
import type { ExperimentRow } from '../../workflow/reports/experiments.ts';
import type { Report, ReportedExperiment } from '../../workflow/reports/report.ts';
import type { SeriesView } from '../../workflow/reports/score-series.ts';
import type {
  PartialSensitivity,
  ReviewRunSummary,
  ScoredReviews,
  ScoreSummary,
} from '../../workflow/summary.ts';
import type { GroundTruth } from '../../workflow/truth.ts';
import { from, type Source } from '../wire.ts';
import { head, measurement, numberOf } from './parts.ts';
import { gate, run } from './run.ts';

export const severity = z.enum(['CRITICAL', 'IMPORTANT', 'MINOR']);

/** What every result says about how its inputs were read. */
const reading = {
  mappings: z.array(
    z.object({
      field: z.enum(['severity', 'category']),
      from: z.string(),
      to: z.string().optional().describe('Absent: the value means that there is none'),
      count: z.number(),
      because: z.string(),
    }),
  ),
  notes: z.array(z.string()),
};

export const label = z.object({
  match: z.enum(['Y', 'P', 'BONUS_VALID', 'FALSE', 'DUPLICATE', 'UNRESOLVED']),
  error: z.string().optional(),
  by: z.string(),
  depth: z.string().optional(),
  reason: z.string().optional(),
});

const claim = z.object({
  claim: z.string(),
  about: z.string().optional(),
  allowed: z.boolean(),
  missing: z.string().optional(),
});

const creditAt = (share: keyof PartialSensitivity) =>
  from((one: PartialSensitivity) => numberOf(one[share]), z.number().nullable());

/** The detection rate when a partial match counts nothing, half, or in full. */
const partialCredit = z.object({
  dr: from('sensitivity', z.object({ '0': creditAt('0'), '0.5': creditAt('0.5'), '1': creditAt('1') })),
});

const edge = z.object({
  finding: z.string(),
  error: z.string(),
  strength: z.enum(['Y', 'P']),
  criteria: z.array(z.string()),
  chosen: z.boolean(),
});

/** A run of a review with its place in the summary, which has its metrics. */
type OneRun = ReviewRunSummary & {
  readonly index: number;
  readonly rows: ScoreSummary['rows'];
};

/** One review run with what became of every finding and error. */
const reviewRun = z.object({
  run: from('run.run', z.string()),
  model: from('run.model', z.string().nullable()),
  cost_usd: from('run.costUsd', z.number().optional()),
  duration_ms: from('run.durationMs', z.number().optional()),
  metrics: from(
    // What has no value is `null`, and its reason stands beside it under the same key.
    ({ rows, index }: OneRun) =>
      Object.fromEntries(rows.map(({ key, perRun }) => [key, numberOf(perRun[index])])),
    z.record(z.string(), z.number().nullable()),
  ),
  reasons: from(
    ({ rows, index }: OneRun) =>
      Object.fromEntries(
        rows.flatMap(({ key, perRun }) => {
          const one = perRun[index];
          return one === undefined || one.measured ? [] : [[key, one.reason]];
        }),
      ),
    z.record(z.string(), z.string()),
  ),
  counts: z.record(z.string(), z.number()),
  partial_credit: from((one: OneRun) => one, partialCredit),
  depth: from(
    (one: OneRun) => one,
    z.object({
      confirmed_findings: from('confirmed', z.number()),
      with_depth: z.number(),
      self_declared: from('ownDepth', z.number().describe('Depths that only the workflow claims')),
    }),
  ),
  concerns: z.array(
    z.object({
      id: z.string(),
      layer: z.string(),
      points: z.number(),
      methods: z.number(),
      ce: from('efficiency', measurement),
    }),
  ),
  matches: from(({ run: own }: OneRun) => own.edges.filter(({ chosen }) => chosen), z.array(edge)),
  candidates: from(({ run: own }: OneRun) => own.edges.filter(({ chosen }) => !chosen), z.array(edge)),
  candidates_left_out: from(
    ({ run: own }: OneRun) => own.pairs && own.pairs - own.edges.length,
    z.number().optional(),
  ),
  missed: from(
    ({ run: own }: OneRun) => own.errors.filter(({ credit }) => credit === 0).map(({ id }) => id),
    z.array(z.string()),
  ),
  findings: from(
    'run.findings',
    z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        class: z.string(),
        error: z.string().nullable(),
        trap: z.string().optional(),
        labels: from(
          ({ labels }: FindingOutcome) => (labels.length > 0 ? labels : undefined),
          z.array(label).optional(),
        ),
        own_labels: from(
          'ownLabels',
          z.array(label).optional().describe('By the workflow or its model: not counted'),
        ),
        depth: z.string().optional(),
        depth_self_declared: from('ownDepth', z.literal(true).optional()),
        quote_not_in_document: from('quoteMissing', z.literal(true).optional()),
        disputed: z.literal(true).optional(),
        label_against_criteria: from('againstCriteria', z.literal(true).optional()),
      }),
    ),
  ),
});

const banded = measurement.safeExtend({
  band: z.string().nullable().describe('The documented word for the value'),
});

const overRuns = banded.safeExtend({
  // What it rests on are the runs in which it could be measured.
  n: from('runs', z.number().describe('How many units the value rests on')),
  sd: measurement.describe('Between runs'),
  rs: measurement.describe('Run stability: 1 − SD / mean'),
});

const detectionInterval = <Covers extends string>(covers: Covers) =>
  measurement.safeExtend({ covers: z.literal(covers) });

type Truth = Pick<GroundTruth, 'task' | 'hash' | 'version'>;
type Scored = { readonly truth: Truth; readonly summary: ScoreSummary };

const NOT_COMPUTED = unmeasured('not computed');

function rowOf({ rows }: ScoreSummary, wanted: string): Measurement {
  return rows.find(({ key }) => key === wanted)?.overall ?? NOT_COMPUTED;
}

/** All runs of one workflow on one task. */
export const reviewScore = z.object({
  task: from('truth.task', z.string()),
  truth_hash: from('truth.hash', z.string()),
  truth_version: from('truth.version', z.string()),
  matcher_version: from(({ summary }: Scored) => summary.runs[0]?.run.matcherVersion, z.string().nullable()),
  workflow: from(({ summary }: Scored) => summary.runs[0]?.run.workflow, z.string().nullable()),
  runs: from(
    ({ summary: { runs, rows } }: Scored) => runs.values().map((one, index) => ({ ...one, index, rows })),
    z.array(reviewRun),
  ),
  across_runs: from(
    ({ summary: { rows, across } }: Scored) => ({
      ...Object.fromEntries(
        rows.map(
          ({ key, overall, band, sd, rs, n }) => [key, { ...overall, band, runs: n, sd, rs }] as const,
        ),
      ),
      ...Object.fromEntries(across.map(({ key, overall, band }) => [key, { ...overall, band }])),
    }),
    z
      .record(z.string(), z.union([overRuns, banded]))
      .describe('By metric; without a spread where only several runs have it'),
  ),
  oes: from(({ summary }: Scored) => rowOf(summary, 'oes'), measurement),
  detection_intervals: from(
    ({ summary }: Scored) => ({
      overRuns: rowOf(summary, 'dr'),
      overErrors: summary.across.find(({ key }) => key === 'dr_over_errors')?.overall ?? NOT_COMPUTED,
    }),
    z
      .object({
        over_runs: detectionInterval('run noise only'),
        over_errors: detectionInterval('choice of errors and run noise'),
      })
      .describe('95%, of the detection rate'),
  ),
  stability: from('summary.stability', z.enum(['STABLE', 'MODERATE', 'UNSTABLE']).nullable()),
  stability_reason: from(
    ({ summary }: Scored) =>
      summary.stability === undefined ? 'needs at least 3 runs of a metric that is not 0' : undefined,
    z.string().optional().describe('Why it is `null`'),
  ),
  stability_untold: from(
    ({ summary }: Scored) =>
      summary.stabilityUnknown.map(({ metric, reason }) => ({ metric: metricKey(metric.id), reason })),
    z
      .array(z.object({ metric: z.string(), reason: z.string() }))
      .describe('Tracked metrics whose stability could not be told'),
  ),
  partial_credit: from('summary', partialCredit),
  labels: from(
    'summary.labels',
    z.object({
      authors: z.array(z.string()),
      labelled_findings: from('findings', z.number()),
      settled_by_a_third: from('settled', z.number()),
      disputed: z.number(),
      against_criteria: z.number(),
      krippendorff_alpha: from('alpha', measurement),
      pairs: z.array(
        z.object({
          authors: z.array(z.string()),
          n: z.number(),
          agreement: from('same', measurement),
          cohen_kappa: from('kappa', measurement),
        }),
      ),
    }),
  ),
});

/** `workflow score --format json`: the shared shape of a run, and the score beside it. */
export const scoredReviews = from(
  ({ verdict, notes, ...scored }: Omit<ScoredReviews, 'truth' | 'minimums'> & Scored) => ({
    ...verdict,
    ...scored,
    notes: [...verdict.notes, ...notes],
  }),
  run.safeExtend({ ...reviewScore.shape, ...reading }),
);

/** One line of `--format jsonl`, and one row of CSV: a metric of a run. */
export const scoreRow = z.object({
  workflow: z.string(),
  task: z.string(),
  run: z.string(),
  metric: z.string(),
  value: z.number().nullable(),
  reason: z.string().nullable(),
});

const categoryCell = z.object({
  category: z.string(),
  errors: z.number(),
  detected: z.number(),
  missed: from(({ errors, detected }: CategoryCell) => errors - detected, z.number()),
  rate: z.number(),
  mark: z.enum(['✓', '~', '✗']),
  tasks: z.number(),
  few_errors: from('few', z.boolean()),
  blind_spot: from(
    ({ blindSpot }: Pick<CategoryCell, 'blindSpot'>) => blindSpot ?? 'no',
    z.enum(['yes', 'no', 'too few tasks']),
  ),
});

const categories = z.object({
  categories: z.array(z.string()),
  legend: from(
    (_: CategoryHeatmap) => ({ '✓': 'over 75%', '~': '50% to 75%', '✗': 'under 50%' }),
    z.record(z.string(), z.string()),
  ),
  workflows: from(
    'rows',
    z.array(
      z.object({
        workflow: z.string(),
        tasks: z.number(),
        runs: z.number(),
        cc: measurement,
        cc_present: measurement,
        cells: z.array(categoryCell),
      }),
    ),
  ),
});

/** One line of `--format jsonl`: a category of a workflow. */
export const categoryRow = categoryCell.safeExtend({ workflow: z.string(), runs: z.number() });

/** `workflow heatmap --format json`. */
export const workflowHeatmap = from(
  ({ heatmap, mappings, notes }: MappedCategories) => ({
    ...heatmap,
    mappings,
    notes,
  }),
  z.object({ ...head('assay-workflow-heatmap'), ...categories.shape, ...reading }),
);

const seriesTrend = z.object({
  declines: z.number(),
  alert: z.boolean(),
  points: z.array(z.object({ run_id: z.string(), at: z.string(), value: z.number() })),
});

/** `workflow history --format json`. */
export const workflowHistory = z.object({
  ...head('assay-workflow-history'),
  series: from(
    (views: readonly SeriesView[]) => views,
    z.array(
      z.object({
        workflow: z.string(),
        task: z.string(),
        truth_hash: z.string(),
        matcher_version: z.string(),
        scores: from('scores.length', z.number()),
        earlier_series: z.number(),
        metrics: from(
          ({ trends }: SeriesView) =>
            Object.fromEntries(trends.map((trend) => [metricKey(trend.metric), trend])),
          z.record(z.string(), seriesTrend),
        ),
      }),
    ),
  ),
});

/** One line of `--format jsonl`: a score, oldest first. */
export const historyRow = z.object({
  workflow: z.string(),
  task: z.string(),
  run_id: z.string(),
  at: z.string(),
  runs: z.number(),
  metrics: z.record(z.string(), measurement),
  truth_hash: z.string(),
  matcher_version: z.string(),
});

export const historyRows = from(historyOf, z.array(historyRow));

function historyOf(views: readonly SeriesView[]): Source<typeof historyRow>[] {
  return views.flatMap(({ scores, trends, ...series }) =>
    scores.map(({ runId, at, caseCount, metrics }) => ({
      ...series,
      runId,
      at,
      runs: caseCount,
      metrics: Object.fromEntries(
        trends.flatMap(({ metric }) => {
          const one = metrics[metric];
          return one === undefined ? [] : [[metricKey(metric), one]];
        }),
      ),
    })),
  );
}

export const leaderboardRow = z.object({
  workflow: z.string(),
  tasks: z.number(),
  runs: z.number(),
  f1: measurement,
  dr: measurement,
  precision: measurement,
  cost_per_error: from('costPerError', measurement.describe('In dollars')),
  time_per_error: from('timePerError', measurement.describe('In milliseconds')),
  on_frontier: from(
    'onFrontier',
    z.boolean().nullable().describe('No other workflow finds as much for less; null where no cost is known'),
  ),
  unjudged: z.number(),
  better_than: z.number(),
  worse_than: z.number(),
});

export const leaderboardPair = z.object({
  better: z.string(),
  worse: z.string(),
  tasks: z.number(),
  difference: z.number(),
  p: z.number(),
  holm: z.number(),
});

/** `workflow leaderboard --format json`. */
export const workflowLeaderboard = from(
  ({ leaderboard: { rows, ...leaderboard }, ...ranked }: RankedWorkflows) => ({
    ...leaderboard,
    ...ranked,
    workflows: rows,
  }),
  z.object({
    ...head('assay-workflow-leaderboard'),
    name: z.string(),
    identity: from(
      ({ counted }: { readonly counted: boolean }) => (counted ? 'counts only' : 'findings'),
      z.enum(['findings', 'counts only']),
    ),
    intervals: z.literal('95% over tasks: choice of tasks and run noise'),
    tasks: z.array(z.string()),
    workflows: z.array(leaderboardRow),
    pairs: z.array(leaderboardPair),
    incomplete: z.array(z.object({ workflow: z.string(), missing: z.number() })),
    ...reading,
  }),
);

/** `workflow lint --format json`. */
export const workflowLint = z.object({
  ...head('assay-workflow-lint'),
  experiments: z.array(z.object({ path: z.string(), name: z.string() })),
  truths: from(
    ({ truths, categories: ofTruths }: Inspection) =>
      truths.map(({ path, truth }, index) => ({
        ...truth,
        file: path,
        errors: truth.errors.length,
        traps: truth.traps.length,
        categories: ofTruths[index] ?? [],
      })),
    z.array(
      z.object({
        file: z.string(),
        task: z.string(),
        version: z.string(),
        hash: z.string(),
        errors: z.number(),
        traps: z.number(),
        categories: z
          .array(
            z.object({
              category: z.string(),
              CRITICAL: z.number(),
              IMPORTANT: z.number(),
              MINOR: z.number(),
              all: z.number(),
            }),
          )
          .describe('Errors per category, in all and by severity'),
      }),
    ),
  ),
  runs: from(
    ({ runs }: Inspection) =>
      runs.map(({ path, findings, ...own }) => ({
        ...own,
        file: path,
        findings: findings.length,
        labels: findings.flatMap(({ labels }) => labels).length,
      })),
    z.array(
      z.object({
        file: z.string().optional(),
        workflow: z.string(),
        task: z.string(),
        run: z.string(),
        findings: z.number(),
        labels: z.number(),
      }),
    ),
  ),
  labels: from(
    'authors',
    z
      .array(
        z.object({
          author: z.string(),
          Y: z.number(),
          P: z.number(),
          BONUS_VALID: z.number(),
          FALSE: z.number(),
          DUPLICATE: z.number(),
          UNRESOLVED: z.number(),
          all: z.number(),
        }),
      )
      .describe('Labels per author, in all and by kind'),
  ),
  ...reading,
  unreadable: z.array(z.object({ file: z.string(), message: z.string(), remedy: z.string() })),
  findings: z.array(
    z.object({
      level: z.enum(['error', 'warning', 'note']),
      rule: z.string(),
      file: z.string(),
      place: z.string(),
      message: z.string(),
    }),
  ),
});

/** One line of `--format jsonl`: what is wrong, the worst first. */
export const lintRow = z.object({
  level: z.enum(['unreadable', 'error', 'warning', 'note']),
  file: z.string(),
  place: z.string(),
  message: z.string(),
  rule: z.string(),
});

/** A ground truth that was proposed and written. */
export const workflowDraft = z.object({
  ...head('assay-workflow-draft'),
  path: z.string(),
  review: z.string(),
  task: from('truth.task', z.string()),
  n_errors: from('truth.errors.length', z.number()),
  n_guessed: from(
    'guessed',
    z.number().describe('Findings without a severity or a category, which were given one'),
  ),
});

/** Categories that the ground truth does not know, with a suggestion for each. */
export const workflowMapping = z.object({
  ...head('assay-workflow-mapping-suggestion'),
  path: z.string().optional().describe('The mapping file that was written'),
  unmapped: z.array(
    z.object({
      category: z.string(),
      findings: z.number(),
      suggested: z.string().nullable().describe('A category of the ground truth that the name suggests'),
    }),
  ),
});

/** Ground truths that `workflow seed` wrote. */
export const seededTruths = z.object({
  ...head('assay-workflow-seed'),
  folder: z.string(),
  tasks: z.array(z.object({ task: z.string(), truth: z.string(), errors: z.number() })),
  skipped: z.array(z.string()).describe('Files that this machine cannot check'),
});

/** Comments of a pull request that `workflow import pr` wrote. */
export const importedPullRequest = z.object({
  ...head('assay-workflow-import'),
  path: z.string(),
  task: z.string(),
  runs: z.array(z.object({ workflow: z.string(), findings: z.number() })),
});

const side = z.object({
  workflow: from('name', z.string()),
  runs: from('runs.length', z.number()),
});

const metricChange = z.object({
  metric: from('key', z.string()),
  baseline: from('before', measurement),
  candidate: from('after', measurement),
  difference: z.number().nullable().describe('Candidate − baseline, in the unit of the metric'),
  p: z.number().nullable(),
  p_holm: from('adjustedP', z.number().optional().describe('Corrected for being one of many')),
});

const rule = z.object({
  significant: from((one: DocumentedRule) => (one.measured ? one.significant : null), z.boolean().nullable()),
  reason: z.string().optional(),
  difference: z.number().optional(),
  pooled_sd: z.number().optional(),
  threshold: z.number().optional(),
  false_alarm_rate: from('falseAlarm', z.number().optional()),
  runs: z.array(z.number()).optional().describe('Of the baseline and of the candidate'),
});

const interval = z.object({ low: z.number(), high: z.number() });

type Paired = NonNullable<WorkflowComparison['paired']>;

function differenceOf({ difference, low, high, units }: Paired): Measurement {
  return estimate(difference, units, low === undefined || high === undefined ? {} : { low, high });
}

/** `workflow compare --format json`. */
export const workflowComparison = from(
  ({ comparison, known, mappings, notes }: ComparedWorkflows) => ({
    ...comparison,
    errors: comparison.errors.map((error) => ({ ...error, what: known?.get(error.task)?.get(error.id) })),
    mappings,
    notes,
  }),
  z.object({
    ...head('assay-workflow-comparison'),
    baseline: from('before', side),
    candidate: from('after', side),
    verdict: from(
      'verdict.verdict',
      z.enum([
        'improved',
        'improved on this error set only',
        'mixed: loses critical errors',
        'mixed: more false alarms',
        'within run noise',
        'too few to tell',
        'worse on this error set only',
        'worse',
        'not comparable',
      ]),
    ),
    because: from('verdict.because', z.string()),
    gate: from('verdict.gate', gate),
    by_severity: z.array(metricChange).describe('Detection of critical, important and minor errors'),
    primary: metricChange,
    left_out: z
      .array(z.object({ task: z.string(), before: z.number(), after: z.number() }))
      .describe('Tasks with too few runs on a side'),
    paired: z
      .object({
        before: z.number(),
        after: z.number(),
        difference: from(
          differenceOf,
          measurement.describe('In points: candidate − baseline; `n` counts the units'),
        ),
        p: z.number(),
        errors: z.number(),
        units: z.number(),
        by: z.enum(['task', 'document', 'error']).describe('What the units are'),
        clustered: z.boolean(),
        significant: z.boolean(),
        standard_error: z.number().nullable(),
        covers: z.literal('choice of errors and run noise').describe('What the interval covers'),
        power: z.object({
          detectable: z.number().nullable(),
          errors_for_this: z.number().nullable(),
          errors_for_20: z.number().nullable(),
        }),
      })
      .nullable()
      .describe('Over errors that both sides could find'),
    welch: from(
      ({ welch, before, after }: WorkflowComparison) =>
        welch && { ...welch, runs: before.runs.length + after.runs.length },
      z
        .object({
          difference: from(
            ({
              difference,
              runs,
              interval: ends,
            }: NonNullable<WorkflowComparison['welch']> & { runs: number }) =>
              estimate(difference, runs, { low: ends.low, high: ends.high }),
            measurement.describe('In points; `n` counts the runs of both sides'),
          ),
          t: z.number(),
          degrees_of_freedom: z.number(),
          p: z.number(),
          covers: z.literal('run noise only').describe('What the interval covers'),
        })
        .nullable()
        .describe('Over the scores of runs'),
    ),
    runs_needed: z.number().nullable(),
    documented_rule: from('rule', rule),
    mcnemar: from(
      'exact',
      z
        .object({
          only_before: z.number(),
          only_after: z.number(),
          p: z.number(),
          before: interval.nullable(),
          after: interval.nullable(),
        })
        .nullable(),
    ),
    improvement_delta: from(
      ({ improvement: { delta, ...rest } }: WorkflowComparison) => ({ ...delta, ...rest }),
      measurement.safeExtend({
        without_self_declared_depth: from(
          'withoutOwnDepth',
          z
            .number()
            .optional()
            .describe('Where depths are only claimed: the delta without them, which the meaning rests on'),
        ),
        meaning: z.string().nullable(),
        confidence: z.string().nullable(),
        documented_rule: from('rule', rule),
      }),
    ),
    critical_lost: from(
      ({ critical }: WorkflowComparison) => (critical.lost ?? []).map(({ task, id }) => ({ task, id })),
      z.array(z.object({ task: z.string(), id: z.string() })).describe('Critical errors lost beyond noise'),
    ),
    critical_interval: from(
      ({ critical: { interval } }: WorkflowComparison) => interval,
      z
        .object({ difference: z.number(), low: z.number(), high: z.number() })
        .nullable()
        .describe('Change of the detection of critical errors in points, 90% over runs'),
    ),
    precision_interval: from(
      ({ alarms: { interval } }: WorkflowComparison) => interval,
      z
        .object({ difference: z.number(), low: z.number(), high: z.number() })
        .nullable()
        .describe('Change of precision in points, 90% over runs'),
    ),
    missing_runs: from(
      'missing',
      z
        .array(z.object({ side: z.string(), task: z.string(), missing: z.array(z.number()) }))
        .describe('Numbered runs that are not there'),
    ),
    secondary: z.array(metricChange),
    errors: z.array(
      z.object({
        task: z.string(),
        id: z.string(),
        severity,
        what: z.string().optional().describe('As the ground truth describes it, where that is at hand'),
        document: z.string().optional(),
        before: z.number(),
        after: z.number(),
        weight: z.number(),
        found_before: z.boolean(),
        found_after: z.boolean(),
      }),
    ),
    confounders: z.array(
      z.object({ name: z.string(), state: z.string(), before: z.string(), after: z.string() }),
    ),
    claims: z.array(claim),
    ...reading,
  }),
);

const spread = measurement.safeExtend({ sd: measurement.describe('Between runs') });

function spreadOf(key: 'dr' | 'wds' | 'te' | 'precision' | 'dq' | 'oes') {
  return from((row: ExperimentRow) => ({ ...row[key].mean, sd: row[key].sd }), spread);
}

export const concernRow = z.object({
  workflow: z.string(),
  id: z.string(),
  layer: z.string(),
  points: z.number(),
  methods: z.number(),
  runs: z.number(),
  ce: from('efficiency', measurement),
  low_value: from('low', z.boolean()),
});

const workflow = z.string();

const fix = z.discriminatedUnion('kind', [
  z.object({ workflow, kind: z.literal('category'), cells: z.array(categoryCell) }),
  z.object({
    workflow,
    kind: z.literal('never-found'),
    errors: z.array(z.object({ task: z.string(), id: z.string(), severity })),
  }),
  z.object({ workflow, kind: z.literal('concern'), concerns: z.array(concernRow) }),
  z.object({ workflow, kind: z.literal('unresolved'), findings: z.number(), disputed: z.number() }),
  z.object({ workflow, kind: z.literal('truth'), discovery: z.number() }),
]);

const IS_BASELINE = unmeasured('this is the baseline');

function ruleOf({ against }: ExperimentRow) {
  return against?.rule.measured ? against.rule : undefined;
}

export const experimentRow = z.object({
  exp: z.string(),
  workflow: from('arm.workflow', z.string()),
  task: from('arm.task', z.string()),
  truth_hash: from('arm.truth.hash', z.string()),
  runs: from('arm.runs.length', z.number()),
  dr: spreadOf('dr'),
  wds: spreadOf('wds'),
  te: spreadOf('te'),
  precision: spreadOf('precision'),
  dq: spreadOf('dq'),
  oes: spreadOf('oes'),
  cost_per_error: from('costPerError.mean', measurement.describe('In dollars')),
  time_per_error: from('timePerError.mean', measurement.describe('In milliseconds')),
  id: from(
    ({ against }: ExperimentRow) => against?.delta ?? IS_BASELINE,
    measurement.describe('Improvement delta against the baseline'),
  ),
  significant: from((row: ExperimentRow) => ruleOf(row)?.significant, z.boolean().nullable()),
  false_alarm_rate: from((row: ExperimentRow) => ruleOf(row)?.falseAlarm, z.number().nullable()),
  verdict: from(({ against }: ExperimentRow) => against?.verdict?.verdict, z.string().nullable()),
  reason: from(
    ({ against }: ExperimentRow) => (against?.rule.measured === false ? against.rule.reason : undefined),
    z.string().optional().describe('Why nothing is said about significance'),
  ),
});

export const errorRow = z.object({
  task: z.string(),
  id: z.string(),
  severity,
  category: z.string(),
  description: z.string(),
  often: z.enum(['never', 'sometimes', 'always']),
  arms: z.array(
    z.object({
      workflow,
      runs: z.array(z.object({ run: z.string(), credit: z.number(), finding: z.string().optional() })),
      found: z.number(),
      credit: z.number(),
    }),
  ),
  found_by: z.array(z.string()),
});

/** `workflow report --format json`. */
export const workflowReport = from(
  ({ report, ...rest }: ReportedExperiment) => ({ ...report, ...rest }),
  z.object({
    ...head('assay-workflow-report'),
    experiment: from('name', z.string()),
    baseline: z.string(),
    experiments: z.array(experimentRow),
    comparisons: z.array(
      z.object({
        workflow: from('after.name', z.string()),
        verdict: from('verdict.verdict', z.string()),
        because: from('verdict.because', z.string()),
        dr_difference: from(
          ({ paired }: WorkflowComparison) =>
            paired ? differenceOf(paired) : unmeasured('no error that both sides could find'),
          measurement,
        ),
        p: from('paired.p', z.number().nullable()),
      }),
    ),
    errors: z.array(errorRow),
    heatmap: categories,
    concerns: z.array(concernRow),
    fix_next: from('fixes', z.array(fix)),
    claims: z.array(claim),
    scores: from(
      ({ experiments }: Report) => experiments.map(({ arm: { truth }, summary }) => ({ truth, summary })),
      z.array(reviewScore),
    ),
    ...reading,
  }),
);

/** Errors of an experiment beside the runs that found them. */
export const workflowMatrix = from(
  ({ report }: Pick<ReportedExperiment, 'report'>) => report,
  z.object({ ...head('assay-workflow-matrix'), errors: z.array(errorRow) }),
);
