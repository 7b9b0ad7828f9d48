/** The view of a score. */
import type { Verdict } from '../../judge/verdict.ts';
import { type Measurement, metricKey } from '../../measure/metric.ts';
import type { Action } from '../../report/action.ts';
import {
  formatAmount,
  formatCount,
  formatMeasurement,
  formatPercent,
  formatRatio,
  formatValue,
} from '../../report/number.ts';
import { type Block, type ItemColumn, type TableBlock, tableOf, type View } from '../../report/view.ts';
import { bandOf } from '../bands.ts';
import { errorsAcross } from '../counts.ts';
import type { Mapping } from '../ingest/mapping.ts';
import type { Minimums } from '../policy.ts';
import { categoryHeatmap } from '../reports/category-heatmap.ts';
import { RUNS_FOR_STABILITY } from '../stability.ts';
import type { ReviewRunSummary, ScoredReviews, ScoreSummary } from '../summary.ts';
import type { GroundTruth } from '../truth.ts';
import { OES_WEIGHTS } from '../weights.ts';
import { coverageTable } from './heatmap.ts';
import { inSameStore, onSameReviews, type Typed } from './next-steps.ts';
import { experimentTable, inTable, nameOf, rowOf, stabilityBlock, writtenOutBlock } from './score-metrics.ts';

const SCORE_NAMES = 'DR WDS TE CE P DIS DQ CC FC OES StdDev RS'.split(' ');

export function scoreView(scored: ScoredReviews, typed?: Typed): View {
  const { truth, summary, verdict, minimums } = scored;
  // Without minimums there is no gate to pass.
  const gate = minimums.size > 0 ? verdict.gate : undefined;
  return {
    title: `${verdict.subject} on ${truth.task}: ${formatAmount(summary.runs.length, 'run')}`,
    ...(gate && { verdict: gate.verdict }),
    answer: [
      ...(gate?.reasons ?? []).map((reason) => `${reason}.`),
      ...(gate === undefined ? [] : unjudgedText(summary)),
      ...(truth.draft === undefined
        ? []
        : ['The ground truth is an uncorrected draft, so this proves nothing yet.']),
      answerOf(scored),
    ].join(' '),
    blocks: [
      experimentTable(summary),
      writtenOutBlock(SCORE_NAMES),
      ...stabilityBlock(summary),
      coverageTable(categoryHeatmap(summary.runs.map(({ run }) => run))),
      countsTable(summary),
      ...missedBlock(summary, truth),
      matchesTable(summary),
      ...mappingBlock(scored.mappings),
    ],
    notes: notesOf(scored),
    next: typed ? nextOf(summary, typed) : [],
  };
}

function nextOf(summary: ScoreSummary, typed: Typed): Action[] {
  // A blind evaluation covers its whole input, so it is suggested only without a filter.
  const blind = unresolvedOf(summary) > 0 && typed.given.workflow === undefined;
  return [
    onSameReviews('workflow heatmap', typed),
    ...(blind ? [onSameReviews('workflow blind start', typed)] : []),
    inSameStore('workflow history', typed),
  ];
}

function answerOf({ truth, summary }: Pick<ScoredReviews, 'truth' | 'summary'>): string {
  const { overall } = rowOf(summary, 'dr');
  const runs = summary.runs.length;
  const errors = formatAmount(truth.errors.length, 'known error');
  if (!overall.measured) return `Nothing could be scored: ${overall.reason}.`;
  const band = bandOf('dr', overall.value);
  const interval = intervalsText(summary);
  const found = `It finds ${formatPercent(overall.value)} of ${errors}${chanceText(summary)}${interval}`;
  if (runs < RUNS_FOR_STABILITY) {
    return `${found}. ${formatAmount(runs, 'run')} ${runs === 1 ? 'is' : 'are'} too few to call the workflow assessed: ${RUNS_FOR_STABILITY} runs on the same task are needed.`;
  }
  return `${found}: ${band?.word}, ${band?.meaning}. ${summary.stability === undefined ? '' : `Over ${runs} runs it is ${summary.stability}.`}`.trim();
}

/** What the same number of random findings would detect. */
function chanceText(summary: ScoreSummary): string {
  const { overall } = rowOf(summary, 'chance_level');
  return overall.measured ? ` (chance level ${formatPercent(overall.value)})` : '';
}

/** What each interval covers: repeated runs on the same errors vary less than other errors would. */
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

/** Number of findings without a judgement. */
function unresolvedOf({ runs }: ScoreSummary): number {
  return runs.reduce((sum, { counts }) => sum + counts.unresolved, 0);
}

/** Shown for every gate: unjudged findings count against precision, and labels would change it. */
function unjudgedText(summary: ScoreSummary): string[] {
  const unjudged = unresolvedOf(summary);
  if (unjudged === 0) return [];
  const of = unjudged + judgedOf(summary);
  const [are, count] = unjudged === 1 ? ['is', 'counts'] : ['are', 'count'];
  return [
    `${formatCount(unjudged)} of ${formatAmount(of, 'finding')} (${formatRatio(unjudged / of)}) ${are} unjudged and ${count} against precision.`,
  ];
}

/** Number of findings judged right or wrong. */
function judgedOf({ runs }: ScoreSummary): number {
  return runs.reduce(
    (sum, { counts }) => sum + counts.matched + counts.partial + counts.bonus + counts.false,
    0,
  );
}

function notesOf({ truth, summary, verdict, minimums, notes }: ScoredReviews): string[] {
  const { runs, labels, across, sensitivity } = summary;
  const findings = runs.flatMap(({ run }) => run.findings);
  const unresolved = unresolvedOf(summary);
  const invented = findings.filter(({ quoteMissing }) => quoteMissing).length;
  const [none, half, full] = [sensitivity['0'], sensitivity['0.5'], sensitivity['1']].map((one) =>
    formatMeasurement(one, 'percent'),
  );
  const [any, all] = ['found_any', 'found_all'].map((key) => across.find((one) => one.key === key)?.overall);
  const [are, count, them] = unresolved === 1 ? ['is', 'counts', 'it'] : ['are', 'count', 'them'];
  return [
    `DR with a partial match counted as nothing, half, one: ${none}, ${half}, ${full}.`,
    any?.measured === true &&
      all?.measured === true &&
      `${formatPercent(any.value)} of the errors are found in some run, ${formatPercent(all.value)} in every run. RS does not see this, and from ${formatAmount(runs.length, 'run')} it is itself uncertain.`,
    unresolved > 0 &&
      `${formatCount(judgedOf(summary))} of ${formatAmount(findings.length, 'finding')} are judged; ${formatCount(unresolved)} ${are} not, and ${count} against precision until you label ${them}.`,
    invented > 0 &&
      `${formatAmount(invented, 'quote')} not found in the reviewed documents: they prove nothing.`,
    ...costNotes(summary),
    ...labelNotes(labels),
    ...depthNotes(summary),
    ...unmeasuredNotes(summary),
    ...verdict.notes,
    ...minimumNotes(verdict, minimums),
    ...notes,
    `Ground truth ${truth.version} (${truth.hash.slice(0, 12)}), matcher ${runs[0]?.run.matcherVersion}.`,
  ].filter((note) => note !== false);
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

/** A fifth of the OES comes from depth, which may only be claimed by the workflow. */
function ownDepthText(own: number, deep: number, oes: Measurement, dq: Measurement): string {
  const claimed = `${formatCount(own)} of ${formatAmount(deep, 'depth')} ${own === 1 ? 'is' : 'are'} self-declared and not confirmed`;
  if (!oes.measured || !dq.measured) return `${claimed}.`;
  const points = (OES_WEIGHTS.dq * 20 * dq.value * own) / deep;
  return `${claimed}. ${points.toFixed(1)} of the ${oes.value.toFixed(1)} points of OES rest on them, and a comparison ignores these points.`;
}

function depthNotes(summary: ScoreSummary): string[] {
  const { runs } = summary;
  const [oes, dq] = [rowOf(summary, 'oes').overall, rowOf(summary, 'dq').overall];
  const confirmed = runs.reduce((sum, run) => sum + run.confirmed, 0);
  const deep = runs.reduce((sum, run) => sum + run.withDepth, 0);
  const own = runs.reduce((sum, run) => sum + run.ownDepth, 0);
  return [
    ...(own === 0 ? [] : [ownDepthText(own, deep, oes, dq)]),
    ...(deep === confirmed || deep === 0
      ? []
      : [
          `DQ rests on ${formatCount(deep)} of ${formatAmount(confirmed, 'confirmed finding')}: the others carry no depth.`,
        ]),
  ];
}

/** Each minimum with the measured value. */
function minimumNotes({ metrics }: Verdict, minimums: Minimums): string[] {
  const asked = metrics.flatMap(({ id, title, unit, measurement }) => {
    const least = minimums.get(metricKey(id));
    return least === undefined
      ? []
      : [`${title} ${formatMeasurement(measurement, unit)}, at least ${formatValue(least, unit)}`];
  });
  return asked.length === 0 ? [] : [`Asked for: ${asked.join('; ')}.`];
}

function costNotes(summary: ScoreSummary): string[] {
  const parts = ['cost_per_error', 'time_per_error'].flatMap((key) => {
    const { metric, overall } = rowOf(summary, key);
    return overall.measured ? [`${metric.title} ${formatMeasurement(overall, metric.unit)}`] : [];
  });
  return parts.length === 0 ? [] : [`${parts.join(', ')}.`];
}

/** Each reason once, with every metric that shares it. */
function unmeasuredNotes(summary: ScoreSummary): string[] {
  const missing = inTable(summary).flatMap(({ metric, overall }) =>
    overall.measured ? [] : [{ name: nameOf(metric), reason: overall.reason }],
  );
  return [...Map.groupBy(missing, ({ reason }) => reason)].map(
    ([reason, all]) => `${all.map(({ name }) => name).join(', ')} unmeasured: ${reason}.`,
  );
}

/** Classes of errors and findings in a score, with reasons. */
function countsTable({ runs }: ScoreSummary): TableBlock {
  const names = ['matched', 'partial', 'missed', 'bonus', 'false', 'duplicate', 'unresolved'] as const;
  return tableOf(
    'What became of errors and findings',
    runs,
    [
      { key: 'run', unit: 'name', of: ({ run }) => run.run },
      ...names.map(
        (key): ItemColumn<ReviewRunSummary> => ({ key, unit: 'count', of: ({ counts }) => counts[key] }),
      ),
    ],
    { limit: 10 },
  );
}

function missedBlock({ runs }: ScoreSummary, { errors }: GroundTruth): Block[] {
  const never = errorsAcross(runs.map(({ run }) => run)).filter(({ found }) => found === 0);
  if (never.length === 0) return [];
  const known = new Map(errors.map((error) => [error.id, error]));
  const shown = never.slice(0, 10).map(({ id }) => {
    const { severity, description } = known.get(id) ?? {};
    return `${id}${severity === undefined ? '' : ` (${severity.toLowerCase()})`}: ${description ?? ''}`;
  });
  const more = never.length > 10 ? [`and ${formatCount(never.length - 10)} more (--format json)`] : [];
  return [{ kind: 'list', title: 'Never found', items: [...shown, ...more] }];
}

/** Omitted in a terminal. */
function matchesTable({ runs }: ScoreSummary): TableBlock {
  const edges = runs.flatMap(({ run }) => run.edges.map((edge) => ({ ...edge, run: run.run })));
  return tableOf(
    'Why findings match errors',
    edges,
    [
      { key: 'run' },
      { key: 'finding', unit: 'name' },
      { key: 'error', unit: 'name' },
      { key: 'match', of: ({ strength }) => strength },
      { key: 'criteria', title: 'because of', of: ({ criteria }) => criteria.join(', ') },
      { key: 'credited', of: ({ chosen }) => (chosen ? 'yes' : 'no') },
    ],
    { folded: true },
  );
}

function mappingBlock(mappings: readonly Mapping[]): Block[] {
  if (mappings.length === 0) return [];
  return [
    tableOf(
      'Translated from another format',
      mappings,
      [
        { key: 'field' },
        { key: 'from', unit: 'name' },
        { key: 'to', unit: 'name' },
        { key: 'count', title: 'times', unit: 'count' },
        { key: 'because' },
      ],
      { limit: 10 },
    ),
  ];
}
