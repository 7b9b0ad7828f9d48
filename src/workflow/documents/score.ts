/** How the score of a workflow is told to people. */
import type { Verdict } from '../../judge/verdict.ts';
import { estimate, type Measurement, metricKey } from '../../measure/metric.ts';
import type { Block, Column, Document, ListBlock, Row, Styled, TableBlock } from '../../report/document.ts';
import {
  formatAmount,
  formatCount,
  formatMeasurement,
  formatPercent,
  formatRatio,
  formatValue,
} from '../../report/number.ts';
import { bandOf } from '../bands.ts';
import { workflowMetrics } from '../catalog.ts';
import { errorsAcross } from '../errors-across.ts';
import type { Mapping } from '../ingest/mapping.ts';
import type { ReviewMetric } from '../metric.ts';
import type { Minimums } from '../policy.ts';
import { RUNS_FOR_STABILITY } from '../stability.ts';
import { type AcrossRuns, type MetricRow, type ScoreSummary, STABILITY_KEYS } from '../summary.ts';
import type { GroundTruth } from '../truth.ts';
import { inSameStore, onSameReviews, type Typed } from './next-steps.ts';

export type Scored = {
  readonly truth: GroundTruth;
  readonly verdict: Verdict;
  readonly summary: ScoreSummary;
  readonly minimums: Minimums;
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
};

/** More runs than this have no room beside each other; their lowest and highest value stand for them. */
const RUNS_SHOWN = 5;

export function scoreDocument(scored: Scored, typed: Typed): Document {
  const { truth, summary, verdict, minimums } = scored;
  // Without minimums nothing was asked for, so nothing was passed either.
  const gate = minimums.size > 0 ? verdict.gate : undefined;
  return {
    title: `${verdict.subject} on ${truth.task}: ${formatAmount(summary.runs.length, 'run')}`,
    ...(gate && { verdict: gate.verdict }),
    answer: [
      ...(gate?.reasons ?? []).map((reason) => `${reason}.`),
      ...(gate === undefined ? [] : unjudgedText(summary)),
      answerOf(scored),
    ].join(' '),
    blocks: [
      experimentTable(summary),
      ...stabilityBlock(summary),
      countsTable(summary),
      ...missedBlock(summary),
      matchesTable(summary),
      ...mappingBlock(scored.mappings),
    ],
    notes: notesOf(scored),
    next: [
      onSameReviews('workflow heatmap', typed),
      // A blind evaluation takes the whole of what it is given, in formats that need no mapping.
      ...(unresolvedOf(summary) === 0 ||
      typed.given.workflow !== undefined ||
      typed.given.mapping !== undefined
        ? []
        : [onSameReviews('workflow blind start', typed)]),
      inSameStore('workflow history', typed),
    ],
  };
}

function answerOf({ truth, summary }: Pick<Scored, 'truth' | 'summary'>): string {
  const { overall } = rowOf(summary, 'dr');
  const runs = summary.runs.length;
  const errors = formatAmount(truth.errors.length, 'known error');
  if (!overall.measured) return `Nothing could be scored: ${overall.reason}.`;
  const band = bandOf('dr', overall.value);
  const interval = intervalsText(summary);
  const found = `It finds ${formatPercent(overall.value)} of ${errors}${interval}`;
  if (runs < RUNS_FOR_STABILITY) {
    return `${found}. ${formatAmount(runs, 'run')} ${runs === 1 ? 'is' : 'are'} too few to call the workflow assessed: ${RUNS_FOR_STABILITY} runs on the same task are needed.`;
  }
  return `${found}: ${band?.word}, ${band?.meaning}. ${summary.stability === undefined ? '' : `Over ${runs} runs it is ${summary.stability}.`}`.trim();
}

/** Each with what it covers: runs of the same review on the same errors vary less than other errors would. */
function intervalsText(summary: ScoreSummary): string {
  const overRuns = rowOf(summary, 'dr').overall;
  const overErrors = summary.across.find(({ key }) => key === 'dr_over_errors')?.overall;
  const ends = (one: Measurement | undefined, what: string) =>
    one?.measured !== true || one.low === undefined || one.high === undefined
      ? []
      : [`${formatPercent(one.low)} to ${formatPercent(one.high)} ${what}`];
  const parts = [
    ...(summary.runs.length < 2 ? [] : ends(overRuns, 'over runs (run noise only)')),
    ...ends(overErrors, 'over errors (choice of errors and run noise)'),
  ];
  return parts.length === 0 ? '' : `, 95% interval ${parts.join(', ')}`;
}

function rowOf({ rows }: ScoreSummary, key: string): MetricRow {
  return rows.find((row) => row.key === key) as MetricRow;
}

/** The documented table has shares as percentages and everything else with two digits. */
export function styled({ unit }: Pick<ReviewMetric, 'unit'>, measurement: Measurement): Styled {
  return { value: withoutInterval(measurement), style: unit === 'percent' ? 'percent' : 'score' };
}

/** The interval of the detection rate stands in the answer; beside every value there is no room for one. */
export function withoutInterval(measurement: Measurement): Measurement {
  return measurement.measured ? estimate(measurement.value, measurement.n) : measurement;
}

export function experimentTable(summary: ScoreSummary): TableBlock {
  const shown = summary.runs.length <= RUNS_SHOWN ? summary.runs : [];
  const runColumns: Column[] = shown.map(({ run }, i) => ({
    key: `run${i}`,
    // A long name has no room beside the others; the counts below name the runs in the same order.
    header: `run ${run.run.length <= 6 ? run.run : i + 1}`,
    style: 'text',
  }));
  const ends: Column[] =
    shown.length > 0
      ? []
      : [
          { key: 'lowest', header: 'lowest', style: 'text' },
          { key: 'highest', header: 'highest', style: 'text' },
        ];
  return {
    kind: 'table',
    title: 'Experiment metrics',
    columns: [
      { key: 'metric', header: 'metric', style: 'text' },
      ...runColumns,
      ...ends,
      { key: 'mean', header: 'mean', style: 'text' },
      { key: 'sd', header: 'SD', style: 'text' },
      { key: 'rs', header: 'RS', style: 'text' },
      { key: 'word', header: '', style: 'text' },
    ],
    rows: inTable(summary).map(tableRow),
  };
}

type TableMetric = AcrossRuns & Partial<Pick<MetricRow, 'perRun' | 'sd' | 'rs'>>;

/** The composite comes last, as in the documented table. */
function inTable({ rows, across }: ScoreSummary): TableMetric[] {
  const all: readonly TableMetric[] = [...rows, ...across];
  const order = workflowMetrics().map(({ id }) => id);
  return all
    .filter(({ metric }) => metric.aside !== true)
    .toSorted((a, b) => order.indexOf(a.metric.id) - order.indexOf(b.metric.id));
}

function nameOf({ label, title }: ReviewMetric): string {
  return label ?? title;
}

function tableRow({ key, metric, overall, perRun, sd, rs }: TableMetric): Row {
  const name = nameOf(metric);
  const mean = styled(metric, overall);
  if (perRun === undefined || sd === undefined || rs === undefined) {
    return { metric: name, mean, ...wordOf(key, overall) };
  }
  const values = perRun.flatMap((one) => (one.measured ? [one.value] : []));
  const end = (value: number): Styled => ({
    value: values.length === 0 ? undefined : value,
    style: mean.style,
  });
  return {
    metric: name,
    ...Object.fromEntries(perRun.map((one, i) => [`run${i}`, styled(metric, one)])),
    lowest: end(Math.min(...values)),
    highest: end(Math.max(...values)),
    mean,
    sd: { value: sd, style: mean.style },
    rs: { value: rs, style: 'score' },
    ...wordOf(key, overall),
  };
}

function wordOf(key: string, measurement: Measurement): Row {
  const band = measurement.measured ? bandOf(key, measurement.value) : undefined;
  return { word: band?.word ?? '' };
}

/** `DR = 65% ± 8% (RS = 0.88) - STABLE` */
export function stabilityBlock(summary: ScoreSummary): ListBlock[] {
  const items = STABILITY_KEYS.flatMap((key) => {
    const { metric, overall, sd, rs } = rowOf(summary, key);
    if (!overall.measured || !sd.measured || !rs.measured) return [];
    const whole = (value: number) => (metric.unit === 'percent' ? `${Math.round(value)}%` : value.toFixed(2));
    const word = bandOf('rs', rs.value)?.word.toUpperCase();
    return [
      `${nameOf(metric)} = ${whole(overall.value)} ± ${whole(sd.value)} (RS = ${rs.value.toFixed(2)}) - ${word}`,
    ];
  });
  if (items.length === 0) return [];
  const runs = formatAmount(summary.runs.length, 'run');
  return [
    {
      kind: 'list',
      title: `Stability over ${runs}: ${summary.stability}`,
      items: [...items, ...untoldStability(summary)],
    },
  ];
}

/** The same reason once, with every metric that shares it. */
function untoldStability({ stabilityUntold }: ScoreSummary): string[] {
  return [...Map.groupBy(stabilityUntold, ({ reason }) => reason)].map(
    ([reason, all]) => `Not told for ${all.map(({ metric }) => nameOf(metric)).join(', ')}: ${reason}`,
  );
}

function countsTable(summary: ScoreSummary): TableBlock {
  const names = ['matched', 'partial', 'missed', 'bonus', 'false', 'duplicate', 'unresolved'] as const;
  return {
    kind: 'table',
    title: 'What became of errors and findings',
    limit: 10,
    columns: [
      { key: 'run', header: 'run', style: 'name' },
      ...names.map((name) => ({ key: name, header: name, style: 'count' as const })),
    ],
    rows: summary.runs.map(({ run, counts }) => ({ run: run.run, ...counts })),
  };
}

function missedBlock({ runs }: ScoreSummary): Block[] {
  const never = errorsAcross(runs.map(({ run }) => run)).filter(({ found }) => found === 0);
  if (never.length === 0) return [];
  const shown = never.slice(0, 10).map(({ id }) => id);
  const more = never.length > 10 ? ` and ${formatCount(never.length - 10)} more (--format json)` : '';
  return [{ kind: 'list', title: 'Never found', items: [`${shown.join(', ')}${more}`] }];
}

function matchesTable({ runs }: ScoreSummary): TableBlock {
  return {
    kind: 'table',
    title: 'Why findings match errors',
    folded: true,
    columns: [
      { key: 'run', header: 'run', style: 'text' },
      { key: 'finding', header: 'finding', style: 'name' },
      { key: 'error', header: 'error', style: 'name' },
      { key: 'match', header: 'match', style: 'text' },
      { key: 'criteria', header: 'because of', style: 'text' },
      { key: 'credited', header: 'credited', style: 'text' },
    ],
    rows: runs.flatMap(({ run }) =>
      run.edges.map(({ finding, error, strength, criteria, chosen }) => ({
        run: run.run,
        finding,
        error,
        match: strength,
        criteria: criteria.join(', '),
        credited: chosen ? 'yes' : 'no',
      })),
    ),
  };
}

function mappingBlock(mappings: readonly Mapping[]): Block[] {
  if (mappings.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Translated from another format',
      limit: 10,
      columns: [
        { key: 'field', header: 'field', style: 'text' },
        { key: 'from', header: 'from', style: 'name' },
        { key: 'to', header: 'to', style: 'name' },
        { key: 'count', header: 'times', style: 'count' },
        { key: 'because', header: 'because', style: 'text' },
      ],
      rows: mappings.map(({ field, from, to, count, because }) => ({ field, from, to, count, because })),
    },
  ];
}

function unresolvedOf({ runs }: ScoreSummary): number {
  return runs.reduce((sum, { counts }) => sum + counts.unresolved, 0);
}

/** Said wherever something is gated: what nobody has judged counts against precision, and labels would move it. */
function unjudgedText(summary: ScoreSummary): string[] {
  const unjudged = unresolvedOf(summary);
  const of = unjudged + judgedOf(summary);
  if (unjudged === 0) return [];
  return [
    `${formatCount(unjudged)} of ${formatAmount(of, 'finding')} (${formatRatio(unjudged / of)}) ${unjudged === 1 ? 'is' : 'are'} unjudged and ${unjudged === 1 ? 'counts' : 'count'} against precision.`,
  ];
}

/** Findings that were judged right or wrong. */
function judgedOf({ runs }: ScoreSummary): number {
  return runs.reduce(
    (sum, { counts }) => sum + counts.matched + counts.partial + counts.bonus + counts.false,
    0,
  );
}

function notesOf({ truth, summary, verdict, minimums, notes }: Scored): string[] {
  const { runs, labels, across, sensitivity } = summary;
  const findings = runs.flatMap(({ run }) => run.findings);
  const [unresolved, invented] = [
    unresolvedOf(summary),
    findings.filter(({ quoteMissing }) => quoteMissing).length,
  ];
  const [none, half, full] = [sensitivity['0'], sensitivity['0.5'], sensitivity['1']].map((one) =>
    formatMeasurement(one, 'percent'),
  );
  const [any, all] = ['found_any', 'found_all'].map((key) => across.find((one) => one.key === key)?.overall);
  return [
    `DR with a partial match counted as nothing, half, one: ${none}, ${half}, ${full}.`,
    ...(any?.measured && all?.measured
      ? [
          `${formatPercent(any.value)} of the errors are found in some run, ${formatPercent(all.value)} in every run. RS does not see this, and from ${formatAmount(runs.length, 'run')} it is itself uncertain.`,
        ]
      : []),
    ...(unresolved > 0
      ? [
          `${formatCount(judgedOf(summary))} of ${formatAmount(findings.length, 'finding')} are judged; ${formatCount(unresolved)} ${unresolved === 1 ? 'is' : 'are'} not, and ${unresolved === 1 ? 'counts' : 'count'} against precision until somebody labels ${unresolved === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(invented > 0
      ? [`${formatAmount(invented, 'quote')} not found in the reviewed documents: they prove nothing.`]
      : []),
    ...labelNotes(labels),
    ...depthNotes(summary),
    ...unmeasuredNotes(summary),
    ...verdict.notes,
    ...askedFor(verdict, minimums),
    ...notes,
    `Ground truth ${truth.version} (${truth.hash.slice(0, 12)}), matcher ${runs[0]?.run.matcherVersion}.`,
  ];
}

function labelNotes({
  authors,
  findings,
  disputed,
  settled,
  againstCriteria,
  pairs,
}: ScoreSummary['labels']): string[] {
  if (authors.length === 0) return [];
  const agreement = pairs.flatMap(({ authors: [one, other], kappa, n }) =>
    kappa.measured
      ? [`${one} and ${other} kappa ${kappa.value.toFixed(2)} over ${formatAmount(n, 'finding')}`]
      : [],
  );
  return [
    `${formatAmount(findings, 'finding')} labelled by ${authors.join(', ')}; ${formatAmount(disputed, 'dispute')} open, ${formatCount(settled)} settled by a third label; ${formatAmount(againstCriteria, 'label')} against place, quote and lines.`,
    ...(agreement.length > 0 ? [`Agreement: ${agreement.join('; ')}.`] : []),
  ];
}

function depthNotes({ runs }: ScoreSummary): string[] {
  const [confirmed, deep] = [runs.map((run) => run.confirmed), runs.map((run) => run.withDepth)].map(
    (counts) => counts.reduce((sum, count) => sum + count, 0),
  ) as [number, number];
  if (deep === confirmed || deep === 0) return [];
  return [
    `DQ rests on ${formatCount(deep)} of ${formatAmount(confirmed, 'confirmed finding')}: the others carry no depth.`,
  ];
}

/** What was asked for beside what there is. */
function askedFor({ metrics }: Verdict, minimums: Minimums): string[] {
  const asked = metrics.flatMap(({ id, title, unit, measurement }) => {
    const least = minimums.get(metricKey(id));
    return least === undefined
      ? []
      : [`${title} ${formatMeasurement(measurement, unit)}, at least ${formatValue(least, unit)}`];
  });
  return asked.length === 0 ? [] : [`Asked for: ${asked.join('; ')}.`];
}

/** The same reason once, with every metric that shares it. */
function unmeasuredNotes(summary: ScoreSummary): string[] {
  const missing = inTable(summary).flatMap(({ metric, overall }) =>
    overall.measured ? [] : [{ name: nameOf(metric), reason: overall.reason }],
  );
  return [...Map.groupBy(missing, ({ reason }) => reason)].map(
    ([reason, all]) => `${all.map(({ name }) => name).join(', ')} unmeasured: ${reason}.`,
  );
}

/** One row per metric and run, for machines that read tables. */
export function scoreTable({ rows, runs }: ScoreSummary): TableBlock {
  return {
    kind: 'table',
    title: 'Metrics',
    columns: [
      { key: 'workflow', header: 'workflow', style: 'text' },
      { key: 'task', header: 'task', style: 'text' },
      { key: 'run', header: 'run', style: 'text' },
      { key: 'metric', header: 'metric', style: 'text' },
      { key: 'value', header: 'value', style: 'text' },
      { key: 'reason', header: 'reason', style: 'text' },
    ],
    rows: runs.flatMap(({ run: { workflow, task, run } }, i) =>
      rows.map(({ key, perRun }) => {
        const one = perRun[i];
        return {
          workflow,
          task,
          run,
          metric: key,
          value: one?.measured ? one.value : undefined,
          reason: one?.measured === false ? one.reason : undefined,
        };
      }),
    ),
  };
}
