/** The view of an experiment: the answer, the tables, what to fix next, and what may be claimed. */
import type { Action } from '../../report/action.ts';
import type { IntervalsChart } from '../../report/chart.ts';
import { formatAmount, formatCount, formatInterval, formatPercent } from '../../report/number.ts';
import type { Block, Column, TableBlock, Tile, View } from '../../report/view.ts';
import { workflowsOf } from '../reports/error-matrix.ts';
import { anyFalseAlarm, type ExperimentRow } from '../reports/experiments.ts';
import type { Fix, Report, ReportClaim, ReportedExperiment } from '../reports/report.ts';
import { sizesText } from './comparison.ts';
import { categoryTable, heatmapChart, heatmapNotes, LEGEND, lowCategories, turnedTable } from './heatmap.ts';
import { isPlainName, onSameReviews, type Typed } from './next-steps.ts';
import { concernsTable, crossTable, errorMatrixChart, errorsTable } from './report-tables.ts';
import { experimentTable, stabilityBlock, writtenOutBlock } from './score-metrics.ts';

const REPORT_NAMES = 'DR WDS TE P DQ OES ID Sig? CE DIS CC FC StdDev RS'.split(' ');

/** `turned`: on a narrow screen the heatmap lists its categories vertically. */
export function reportView({ name, report, notes }: ReportedExperiment, turned = false, typed?: Typed): View {
  const { arms, heatmap } = report;
  const several = new Set(arms.map(({ task }) => task)).size > 1;
  return {
    title: name,
    answer: `${answerOf(report)} (${sizeOf(report)})`,
    tiles: detectionTiles(report, several),
    blocks: [
      crossTable(report, turned),
      { kind: 'chart', repeats: true, chart: intervalsChart(report) },
      writtenOutBlock(REPORT_NAMES),
      {
        kind: 'list',
        title: 'What to fix next',
        items: report.fixes.flatMap((fix) => fixText(fix, several)),
      },
      { kind: 'list', title: 'What may be claimed', items: claimItems(report.claims) },
      errorsTable(report),
      { kind: 'chart', repeats: true, chart: errorMatrixChart(report) },
      turned ? turnedTable(heatmap) : categoryTable(heatmap),
      { kind: 'chart', repeats: true, chart: heatmapChart(heatmap) },
      ...metricBlocks(report),
      { ...concernsTable(report), folded: true },
    ],
    notes: [...notesOf(report), `${LEGEND}.`, ...heatmapNotes(heatmap), ...notes],
    next: typed ? nextOf(workflowsOf(arms), typed) : [],
  };
}

/** More tiles than this are hard to scan; the table contains all values. */
const TILES_SHOWN = 4;

function detectionTiles({ experiments }: Report, several: boolean): Tile[] {
  return experiments.slice(0, TILES_SHOWN).map(({ arm, dr: { mean } }) => {
    const interval = mean.measured ? formatInterval(mean.low, mean.high, 'percent') : '';
    return {
      label: `${arm.workflow}${several ? ` on ${arm.task}` : ''}: detection rate`,
      value: mean,
      unit: 'percent',
      madeOf: 'Known errors across runs',
      aside: `${interval === '' ? '' : `${interval} · `}${formatAmount(arm.runs.length, 'run')}`,
    };
  });
}

function sizeOf({ arms, errors }: Report): string {
  const [workflows, tasks] = [workflowsOf(arms).length, new Set(arms.map(({ task }) => task)).size];
  const runs = arms.reduce((sum, arm) => sum + arm.runs.length, 0);
  return [
    formatAmount(workflows, 'workflow'),
    formatAmount(tasks, 'task'),
    formatAmount(errors.length, 'known error'),
    formatAmount(runs, 'run'),
  ].join(', ');
}

function answerOf({ comparisons, errors, experiments }: Report): string {
  const never = errors.filter(({ often }) => often === 'never').length;
  const missed =
    errors.length === 0
      ? ''
      : never === 0
        ? 'Every known error is found in some run.'
        : `${formatCount(never)} of ${formatAmount(errors.length, 'known error')} ${never === 1 ? 'is' : 'are'} never found.`;
  const compared = comparisons.map(
    ({ before, after, verdict }) =>
      `${after.name} against ${before.name}: ${verdict.verdict} (${verdict.because}).`,
  );
  const single = comparisons.length > 0 ? [] : experiments.map(detectionText);
  return [...compared, ...single, missed].filter((part) => part !== '').join(' ');
}

function detectionText({ arm, dr }: ExperimentRow): string {
  if (!dr.mean.measured) return `${arm.workflow} on ${arm.task} could not be scored: ${dr.mean.reason}.`;
  const { value, low, high } = dr.mean;
  const interval =
    low === undefined || high === undefined
      ? ''
      : `, 95% interval ${formatPercent(low)} to ${formatPercent(high)}`;
  return `${arm.workflow} finds ${formatPercent(value)} of the known errors of ${arm.task} in ${formatAmount(arm.runs.length, 'run')}${interval}.`;
}

/** Above this number, tables are folded and each experiment shows one line with its stability. */
const TABLES_SHOWN = 3;

/** For each experiment, the documented table and its stability lines, as in a score. */
function metricBlocks({ experiments }: Report): Block[] {
  const many = experiments.length > TABLES_SHOWN;
  const lines = experiments.map(
    ({ exp, arm, summary }) =>
      `${exp} ${arm.workflow} on ${arm.task}: ${summary.stability ?? `not measured, ${formatAmount(arm.runs.length, 'run')}`}`,
  );
  return [
    ...(many
      ? [{ kind: 'list', title: 'Stability (the least stable RS of the table)', items: lines } as const]
      : []),
    ...experiments.flatMap((row) => {
      const [metrics, ...stability] = scoreBlocks(row);
      return many ? [{ ...metrics, folded: true }] : [metrics, ...stability];
    }),
  ];
}

function scoreBlocks({ exp, arm, summary }: ExperimentRow): [TableBlock, ...Block[]] {
  const { columns, ...table } = experimentTable(summary);
  // Align only values, not metric names and words.
  const isWord = ({ key }: Column) => key === 'metric' || key === 'word';
  const metrics: TableBlock = {
    ...table,
    title: `${exp} ${arm.workflow} on ${arm.task}: metrics`,
    columns: columns.map((column) => ({ ...column, unit: isWord(column) ? 'name' : 'count' })),
  };
  if (summary.stability === undefined) return [metrics];
  return [metrics, ...stabilityBlock(summary).map((block) => ({ ...block, title: `${exp} ${block.title}` }))];
}

function intervalsChart({ experiments }: Report): IntervalsChart {
  return {
    kind: 'intervals',
    title: 'Detection rate with its 95% interval over the runs',
    unit: 'percent',
    rows: experiments.flatMap(({ arm, dr: { mean } }) => {
      if (!mean.measured) return [];
      const { value, low, high } = mean;
      return [{ label: `${arm.workflow} on ${arm.task}`, value, low, high }];
    }),
  };
}

/** The first ten names. */
function some(names: readonly string[]): string {
  const more = names.length - 10;
  return `${names.slice(0, 10).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

function fixText(fix: Fix, severalTasks: boolean): string[] {
  if (fix.kind === 'category') return lowCategories(fix.workflow, fix.cells);
  return [
    `${fix.kind === 'never-found' || fix.kind === 'concern' ? '▲' : '–'} ${fix.workflow}: ${sayFix(fix, severalTasks)}`,
  ];
}

function sayFix(fix: Exclude<Fix, { kind: 'category' }>, severalTasks: boolean): string {
  switch (fix.kind) {
    case 'never-found': {
      const errors = fix.errors.map(
        ({ task, id, severity }) => `${severalTasks ? `${task} ` : ''}${id} (${severity.toLowerCase()})`,
      );
      return `${formatAmount(errors.length, 'error')} never found: ${some(errors)}`;
    }
    case 'concern': {
      const concerns = fix.concerns.map(({ id, efficiency }) =>
        efficiency.measured ? `${id} ${efficiency.value.toFixed(2)}` : id,
      );
      return `low-value concerns, under half of its mean CE: ${some(concerns)}`;
    }
    case 'unresolved': {
      const disputed = fix.disputed > 0 ? `, ${formatCount(fix.disputed)} of them disputed` : '';
      return `${formatAmount(fix.findings, 'finding')} unresolved${disputed}; to be labelled in a blind evaluation`;
    }
    case 'truth':
      return `${formatPercent(fix.discovery)} of its confirmed findings are not in the ground truth; complete it`;
  }
}

/** Claims that are not allowed list what is missing, each gap once. */
function claimItems(claims: readonly ReportClaim[]): string[] {
  const allowed = Map.groupBy(
    claims.filter((one) => one.allowed),
    ({ claim }) => claim,
  );
  const refused = Map.groupBy(
    claims.filter((one) => !one.allowed),
    ({ claim, missing }) => JSON.stringify([claim, missing]),
  );
  return [
    ...[...allowed].map(([claim, all]) => `✓ ${said(claim)}: ${some(all.map(({ about }) => about))}`),
    ...[...refused.values()].map(([first, ...rest]) => {
      const all = [first, ...rest].flatMap((one) => one ?? []);
      return `✗ not "${first?.claim}": ${some(all.map(({ about }) => about))}. ${first?.missing}`;
    }),
  ];
}

/** Enough runs only allow the claim; the verdict decides whether it is true. */
function said(claim: ReportClaim['claim']): string {
  return claim === 'better' ? 'enough runs to say whether it is "better"' : `"${claim}"`;
}

function notesOf({ experiments }: Report): string[] {
  const rules = experiments.flatMap(({ against }) => (against?.rule.measured ? [against.rule] : []));
  const alarms = [...new Map(rules.map(({ runs, falseAlarm }) => [sizesText(runs), falseAlarm]))].map(
    ([runs, rate]) => `${(100 * rate).toFixed(2)}% at ${runs}`,
  );
  const together =
    rules.length > 1
      ? `, and ${(100 * anyFalseAlarm(experiments)).toFixed(0)}% that one of these ${rules.length} rows is such an alarm`
      : '';
  const missing = experiments.flatMap(({ oes }) => (oes.mean.measured ? [] : [oes.mean.reason]));
  const unruled = experiments.flatMap(({ against, oes }) =>
    against?.rule.measured === false && oes.mean.measured ? [against.rule.reason] : [],
  );
  return [
    alarms.length > 0 &&
      `Sig? is the documented rule |ID| > 2 × pooled SD; its false-alarm rate is ${alarms.join(', ')}${together}. The answer above follows the paired test over errors.`,
    ...[...new Set(missing)].map((reason) => `OES and ID unmeasured: ${reason}.`),
    ...[...new Set(unruled)].map((reason) => `Sig? not measured: ${reason}.`),
  ].filter((note) => note !== false);
}

function nextOf([baseline = '', candidate = baseline]: readonly string[], typed: Typed): Action[] {
  return [
    onSameReviews('workflow heatmap', typed),
    { ...onSameReviews('workflow report', typed, { format: 'html' }), into: 'report.html' },
    ...(isPlainName(candidate)
      ? [onSameReviews('workflow export', typed, { workflow: candidate, out: 'findings.sarif' })]
      : []),
  ];
}
