/** How the score of a workflow is told to people. */
import type { Gate } from '../../judge/gate.ts';
import type { Measurement } from '../../measure/metric.ts';
import type { Block, Column, Document, Row, TableBlock } from '../../report/document.ts';
import { formatAmount, formatCount, formatPercent, formatScore, UNMEASURED } from '../../report/number.ts';
import { bandOf } from '../../workflow/bands.ts';
import { errorsAcross } from '../../workflow/errors-across.ts';
import type { Mapping } from '../../workflow/ingest/mapping.ts';
import { RUNS_FOR_STABILITY } from '../../workflow/stability.ts';
import type { MetricRow, ScoreSummary } from '../../workflow/summary.ts';
import type { GroundTruth } from '../../workflow/truth.ts';

export type Scored = {
  readonly truth: GroundTruth;
  readonly summary: ScoreSummary;
  /** Where somebody asked for minimums. */
  readonly gate: Gate | undefined;
  readonly trends: readonly string[];
  readonly mappings: readonly Mapping[];
  readonly notes: readonly string[];
  /** The options that name truth and runs, for the next command. */
  readonly inputs?: string;
};

/** The rows of the documented table, in its order and with its names. */
const NAMES: Readonly<Record<string, string>> = {
  dr: 'DR',
  dr_critical: 'DR_critical',
  dr_important: 'DR_important',
  dr_minor: 'DR_minor',
  wds: 'WDS',
  te: 'TE',
  ce_layer_a: 'CE_layer_A',
  ce_layer_b: 'CE_layer_B',
  ce_layer_c: 'CE_layer_C',
  precision: 'P',
  dis: 'DIS',
  dq: 'DQ',
  cc: 'CC',
  fc: 'FC',
  oes: 'OES',
};

/** More runs than this have no room beside each other; their lowest and highest value stand for them. */
const RUNS_SHOWN = 5;

export function scoreDocument(scored: Scored): Document {
  const { truth, summary, gate, inputs } = scored;
  const [first] = summary.runs;
  const { workflow } = first?.run ?? { workflow: '' };
  return {
    title: `${workflow} on ${truth.task}: ${formatAmount(summary.runs.length, 'run')}`,
    ...(gate && { verdict: gate.verdict }),
    answer: [...(gate?.reasons ?? []).map((reason) => `${reason}.`), answerOf(scored)].join(' '),
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
      ...(inputs === undefined ? [] : [`assay workflow heatmap ${inputs}`]),
      ...(inputs === undefined || unresolvedOf(summary) === 0
        ? []
        : [`assay workflow blind start ${inputs}`]),
      'assay workflow history',
    ],
  };
}

function answerOf({ truth, summary }: Scored): string {
  const { overall } = rowOf(summary, 'dr');
  const runs = summary.runs.length;
  const errors = formatAmount(truth.errors.length, 'known error');
  if (!overall.measured) return `Nothing could be scored: ${overall.reason}.`;
  const band = bandOf('dr', overall.value);
  const interval =
    overall.low === undefined || overall.high === undefined || runs < 2
      ? ''
      : `, 95% interval ${formatPercent(overall.low)} to ${formatPercent(overall.high)}`;
  const found = `It finds ${formatPercent(overall.value)} of ${errors}${interval}`;
  if (runs < RUNS_FOR_STABILITY) {
    return `${found}. ${formatAmount(runs, 'run')} ${runs === 1 ? 'is' : 'are'} too few to call the workflow assessed: ${RUNS_FOR_STABILITY} runs on the same task are needed.`;
  }
  return `${found}: ${band?.word}, ${band?.meaning}. ${summary.stability === undefined ? '' : `Over ${runs} runs it is ${summary.stability}.`}`.trim();
}

function rowOf({ rows }: ScoreSummary, key: string): MetricRow {
  return rows.find((row) => row.key === key) as MetricRow;
}

function valueText(key: string, measurement: Measurement): string {
  if (!measurement.measured) return UNMEASURED;
  const { value } = measurement;
  if (['te', 'dq', 'precision'].includes(key) || key.startsWith('ce_')) return value.toFixed(2);
  return formatPercent(value);
}

function spreadText(key: string, sd: Measurement): string {
  return sd.measured ? valueText(key, sd).replace('%', '') : UNMEASURED;
}

function experimentTable(summary: ScoreSummary): TableBlock {
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
    rows: Object.entries(NAMES).map(([key, metric]) => tableRow(summary, key, metric)),
  };
}

function tableRow(summary: ScoreSummary, key: string, metric: string): Row {
  const row = summary.rows.find((one) => one.key === key);
  if (row === undefined) {
    const { fc } = summary.across;
    return { metric, mean: valueText(key, fc), ...wordOf(key, fc) };
  }
  const values = row.perRun.flatMap((one) => (one.measured ? [one.value] : []));
  const end = (value: number) =>
    values.length === 0 ? UNMEASURED : valueText(key, { measured: true, value, n: 1 });
  return {
    metric,
    ...Object.fromEntries(row.perRun.map((one, i) => [`run${i}`, valueText(key, one)])),
    lowest: end(Math.min(...values)),
    highest: end(Math.max(...values)),
    mean: valueText(key, row.overall),
    sd: spreadText(key, row.sd),
    rs: row.rs.measured ? formatScore(row.rs.value) : UNMEASURED,
    ...wordOf(key, row.overall),
  };
}

function wordOf(key: string, measurement: Measurement): Row {
  const band = measurement.measured ? bandOf(key, measurement.value) : undefined;
  return { word: band?.word ?? '' };
}

/** `DR = 65% ± 8% (RS = 0.88) - STABLE` */
function stabilityBlock(summary: ScoreSummary): Block[] {
  const items = ['dr', 'wds', 'precision', 'dq'].flatMap((key) => {
    const { overall, sd, rs } = rowOf(summary, key);
    if (!overall.measured || !sd.measured || !rs.measured) return [];
    const whole = (value: number) =>
      key === 'dr' || key === 'wds' ? `${Math.round(value)}%` : value.toFixed(2);
    const word = bandOf('rs', rs.value)?.word.toUpperCase();
    return [
      `${NAMES[key]} = ${whole(overall.value)} ± ${whole(sd.value)} (RS = ${rs.value.toFixed(2)}) - ${word}`,
    ];
  });
  if (items.length === 0) return [];
  const runs = formatAmount(summary.runs.length, 'run');
  return [{ kind: 'list', title: `Stability over ${runs}: ${summary.stability}`, items }];
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

/** Findings that were judged right or wrong. */
function judgedOf({ runs }: ScoreSummary): number {
  return runs.reduce(
    (sum, { counts }) => sum + counts.matched + counts.partial + counts.bonus + counts.false,
    0,
  );
}

function notesOf({ truth, summary, trends, notes }: Scored): string[] {
  const { runs, labels, across, sensitivity } = summary;
  const findings = runs.flatMap(({ run }) => run.findings);
  const [unresolved, invented] = [
    unresolvedOf(summary),
    findings.filter(({ quoteMissing }) => quoteMissing).length,
  ];
  const [none, half, full] = [sensitivity['0'], sensitivity['0.5'], sensitivity['1']].map((one) =>
    valueText('dr', one),
  );
  const { found_any: any, found_all: all } = across;
  return [
    `DR with a partial match counted as nothing, half, one: ${none}, ${half}, ${full}.`,
    ...(any.measured && all.measured
      ? [
          `${formatPercent(any.value)} of the errors are found in some run, ${formatPercent(all.value)} in every run. RS does not see this, and from ${formatAmount(runs.length, 'run')} it is itself uncertain.`,
        ]
      : []),
    ...(unresolved > 0
      ? [
          `Precision rests on ${formatCount(judgedOf(summary))} of ${formatAmount(findings.length, 'finding')}; ${formatCount(unresolved)} ${unresolved === 1 ? 'stays' : 'stay'} unresolved, and out of it, until somebody labels ${unresolved === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(invented > 0
      ? [`${formatAmount(invented, 'quote')} not found in the reviewed documents: they prove nothing.`]
      : []),
    ...labelNotes(labels),
    ...depthNotes(summary),
    ...unmeasuredNotes(summary),
    ...trends,
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

/** The same reason once, with every metric that shares it. */
function unmeasuredNotes({ rows, across }: ScoreSummary): string[] {
  const missing = [...rows, { key: 'fc', overall: across.fc }].flatMap(({ key, overall }) =>
    NAMES[key] === undefined || overall.measured ? [] : [{ name: NAMES[key], reason: overall.reason }],
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
