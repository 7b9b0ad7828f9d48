/** The view of a comparison. */
import type { Action } from '../../report/action.ts';
import {
  formatAmount,
  formatCount,
  formatMeasurement,
  formatPercent,
  formatPoints,
  formatRatio,
} from '../../report/number.ts';
import { type Block, type ItemColumn, type TableBlock, tableOf, type View } from '../../report/view.ts';
import type { DocumentedRule } from '../compare/documented-rule.ts';
import type {
  ComparisonSide,
  KnownErrors,
  MetricChange,
  WorkflowComparison,
} from '../compare/measure-sides.ts';
import { type PairedTest, UNITS_NEEDED } from '../compare/paired-errors.ts';
import { inSameStore, onSameReviews, type Typed } from './next-steps.ts';
import { styled } from './score-metrics.ts';

export function compareView(
  comparison: WorkflowComparison,
  notes: readonly string[] = [],
  typed?: Typed,
  known?: KnownErrors,
): View {
  const { before, after, verdict } = comparison;
  return {
    title: `${before.name} → ${after.name}: ${verdict.verdict}`,
    answer: answerOf(comparison),
    blocks: [
      severityTable(comparison),
      { kind: 'list', title: 'Evidence', items: evidenceOf(comparison) },
      ...(verdict.verdict === 'not comparable' ? [] : intervalsChart(comparison)),
      ...secondaryTable(comparison),
      confoundersTable(comparison),
      errorsTable(comparison, known),
    ],
    notes: [...notesOf(comparison), ...notes],
    next: [
      ...(typed ? [nextOf(typed)] : []),
      { operation: 'metrics', positionals: ['workflow/improvement-delta'] },
    ],
  };
}

/** Suggests a report of both sides, or their history if they come only from the store. */
function nextOf(typed: Typed): Action {
  const { experiment, truth } = typed.given;
  if (experiment !== undefined) return onSameReviews('workflow report', { ...typed, words: [] });
  return truth === undefined
    ? inSameStore('workflow history', typed)
    : onSameReviews('workflow report', typed);
}

function sizeOf({ before, after, paired }: WorkflowComparison): string {
  const [a, b] = [before.runs.length, after.runs.length];
  const runs = a === b ? `${formatAmount(a, 'run')} each` : `${a} and ${b} runs`;
  return paired === undefined ? runs : `${formatAmount(paired.errors, 'error')}, ${runs}`;
}

function answerOf(comparison: WorkflowComparison): string {
  const { before, after, verdict, claims } = comparison;
  const size = sizeOf(comparison);
  const general = claims.find(({ claim }) => claim === 'generalises');
  const beyond =
    general?.missing === undefined
      ? ''
      : ` Whether it generalises to other tasks is not known yet: ${general.missing}.`;
  switch (verdict.verdict) {
    case 'improved':
      return `${after.name} is better than ${before.name} (${size}): ${verdict.because}.${beyond}`;
    case 'worse':
      return `${after.name} is worse than ${before.name} (${size}): ${verdict.because}.${beyond}`;
    case 'improved on this error set only':
      return `${after.name} is better on this error set; whether it generalises is not known yet (${size}): ${verdict.because}.`;
    case 'worse on this error set only':
      return `${after.name} is worse on this error set; whether it generalises is not known yet (${size}): ${verdict.because}.`;
    case 'mixed: loses critical errors':
    case 'mixed: more false alarms':
      return `${after.name} is no improvement over ${before.name} (${size}): ${verdict.because}.`;
    case 'within run noise':
      return `No difference between ${before.name} and ${after.name} exceeds the run noise (${size}): ${verdict.because}.`;
    case 'too few to tell':
      return `Too few runs or errors to distinguish ${before.name} from ${after.name} (${size}): ${verdict.because}.`;
    case 'not comparable':
      return `${before.name} and ${after.name} cannot be compared: ${verdict.because}.${verdict.insistable ? ' --insist compares them all the same.' : ''}`;
  }
}

function evidenceOf(comparison: WorkflowComparison): string[] {
  const { primary, paired, welch, rule, exact, improvement } = comparison;
  return [
    `${primary.metric.title} ${paired === undefined ? movement(primary) : pairedText(paired)}`,
    welch === undefined
      ? 'Run scores: no test, for want of runs or of spread'
      : `Run scores (Welch): ${signed(welch.difference, primary)} [${bare(welch.interval.low, primary)}, ${bare(welch.interval.high, primary)}], t = ${welch.t.toFixed(2)}, ${welch.degreesOfFreedom.toFixed(1)} degrees of freedom, ${pText(welch.p)}; the interval covers run noise only`,
    `Documented rule |difference| > 2 × pooled SD: ${ruleText(rule)}`,
    exact !== undefined &&
      `Neither score varies: ${formatAmount(exact.onlyAfter, 'error')} found by the candidate alone, ${formatCount(exact.onlyBefore)} by the baseline alone, exact McNemar ${pText(exact.p)}; found ${shareText(exact.before)} → ${shareText(exact.after)} (Wilson 95%)`,
    improvementText(improvement),
    ...guardTexts(comparison),
    ...powerText(comparison),
  ].filter((line) => line !== false);
}

function movement({ before, after, metric }: MetricChange): string {
  return `${formatMeasurement(before, metric.unit)} → ${formatMeasurement(after, metric.unit)}`;
}

function pairedText(paired: PairedTest): string {
  const { before, after, low, high } = paired;
  const interval = low === undefined || high === undefined ? '' : ` [${plain(low)}, ${plain(high)}]`;
  const by = paired.clustered ? `, by ${formatAmount(paired.units, paired.by)}` : '';
  return `${formatPercent(before)} → ${formatPercent(after)}: ${formatPoints(paired.difference)}${interval}, paired over ${formatAmount(paired.errors, 'error')}${by}, ${pText(paired.p)}${interval === '' ? '' : '; the interval covers the choice of errors and run noise'}`;
}

function plain(points: number): string {
  return formatPoints(points).replace(' points', '');
}

/** A signed difference of the primary metric: shares in points, others in their unit. */
function signed(value: number, { metric }: MetricChange): string {
  return metric.unit === 'percent' ? formatPoints(value) : bare(value, { metric });
}

function bare(value: number, { metric }: Pick<MetricChange, 'metric'>): string {
  if (metric.unit === 'percent') return plain(value);
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`;
}

function pText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`;
}

function ruleText(rule: DocumentedRule): string {
  if (!rule.measured) return `not applied, ${rule.reason}`;
  const alarm = `false alarms of that rule at ${sizesText(rule.runs)}: ${(100 * rule.falseAlarm).toFixed(2)}%`;
  return `${rule.significant ? 'significant' : 'not significant'} (${alarm})`;
}

export function sizesText([one, other]: readonly [before: number, after: number]): string {
  return one === other ? formatAmount(one, 'run') : `${one} and ${other} runs`;
}

function shareText(interval: { readonly low: number; readonly high: number } | undefined): string {
  return interval === undefined ? '–' : `${formatRatio(interval.low)} to ${formatRatio(interval.high)}`;
}

/** Warnings about the gain: precision, F1, critical errors, and what random findings would have earned. */
function guardTexts({ alarms, critical, secondary, primary }: WorkflowComparison): string[] {
  const changes = [primary, ...secondary];
  const of = (key: string) => changes.find((change) => change.key === key);
  const [precision, f1, chance] = ['precision', 'f1', 'chance_level'].map(of);
  const fell = critical.fell.map(
    ({ id, before, after }) => `${id} ${before.toFixed(2)} → ${after.toFixed(2)}`,
  );
  return [
    precision !== undefined &&
      precision.difference !== undefined &&
      `Precision ${movement(precision)}${intervalText(alarms.interval)}; F1 ${f1 === undefined ? '–' : movement(f1)}`,
    chance?.difference !== undefined &&
      `Chance level, the detection rate of as many findings of the same width at random places: ${movement(chance)}`,
    fell.length > 0 &&
      `Critical errors found less often${intervalText(critical.interval)}: ${fell.join(', ')}`,
  ].filter((line) => line !== false);
}

function intervalText(interval: { readonly low: number; readonly high: number } | undefined): string {
  return interval === undefined
    ? ''
    : ` (change [${plain(interval.low)}, ${plain(interval.high)}], 90% over runs)`;
}

/** Guard notes that programs reading the result also need. */
export function guardNotes({ missing, sameTasks, ownDepth }: WorkflowComparison): string[] {
  return [
    ...missing.map((one) => `Missing: ${missingText(one)}.`),
    ...sameTasks,
    ...(ownDepth ? ['Depths are self-declared and not confirmed, so they do not affect the verdict.'] : []),
  ];
}

export function missingText({ side, task, missing }: WorkflowComparison['missing'][number]): string {
  const shown = missing.slice(0, 10).join(', ');
  return `run ${shown}${missing.length > 10 ? ' …' : ''} of ${side} on ${task} ${missing.length === 1 ? 'is' : 'are'} not there`;
}

function improvementText({
  delta,
  rule,
  withoutOwnDepth,
  meaning,
  confidence,
}: WorkflowComparison['improvement']): string {
  const name = 'Improvement delta of the overall effectiveness (OES)';
  if (!delta.measured) return `${name} unmeasured: ${delta.reason}`;
  if (meaning === undefined)
    return `${name} ${plain(delta.value)}; without a meaning, because nothing else compares`;
  const own =
    withoutOwnDepth === undefined
      ? ''
      : ` (${plain(withoutOwnDepth)} without self-declared depth, which decides nothing)`;
  return `${name} ${plain(delta.value)}${own}: ${meaning}, confidence ${confidence}; documented rule ${rule.measured ? (rule.significant ? 'significant' : 'not significant') : ruleText(rule)}`;
}

function powerText({ paired, runsNeeded, welch, primary }: WorkflowComparison): string[] {
  const { errorsForThis, errorsFor20, detectable } = paired?.power ?? {};
  const unit = paired?.by ?? 'error';
  const unitsFor = (errors: number) =>
    paired === undefined || !paired.clustered ? errors : Math.ceil((errors * paired.units) / paired.errors);
  const runs = runsNeeded === undefined ? '' : `${formatAmount(runsNeeded, 'run')} of each`;
  return [
    detectable !== undefined &&
      `Smallest difference that these errors show 80% of the time: ${plain(detectable).replace('+', '')} points`,
    paired !== undefined &&
      errorsForThis !== undefined &&
      errorsFor20 !== undefined &&
      `To see ${formatPoints(paired.difference)} 80% of the time: ${formatAmount(unitsFor(errorsForThis), unit)}${paired.clustered ? ' of the same kind' : ''}, or ${formatCount(unitsFor(errorsFor20))} for +20${runs === '' ? '' : `; in the run scores ${runs}`}`,
    paired?.clustered === true &&
      paired.units < UNITS_NEEDED &&
      `At least ${UNITS_NEEDED} ${unit}s are needed to generalise; there ${paired.units === 1 ? 'is' : 'are'} ${paired.units}. More errors in the same ${unit}s do not help`,
    errorsForThis === undefined &&
      runs !== '' &&
      welch !== undefined &&
      `To see ${signed(welch.difference, primary)} in the run scores 80% of the time: ${runs}`,
  ].filter((line) => line !== false);
}

function intervalsChart({ paired, welch, primary, before, after }: WorkflowComparison): Block[] {
  if (primary.metric.unit !== 'percent') return [];
  const rows = [
    paired && changeRow('errors, paired', paired.difference, paired.low, paired.high),
    welch && changeRow('runs (Welch)', welch.difference, welch.interval.low, welch.interval.high),
  ].filter((row) => row !== undefined);
  if (rows.length === 0) return [];
  const title = `${after.name} against ${before.name}: change of ${primary.metric.title.toLowerCase()} in points`;
  return [
    {
      kind: 'chart',
      repeats: true,
      chart: { kind: 'intervals', title, unit: 'percent', rows, lines: [{ label: 'no change', value: 0 }] },
    },
  ];
}

/** A difference of shares is shown in points. */
function changeRow(label: string, value: number, low: number | undefined, high: number | undefined) {
  if (low === undefined || high === undefined) return { label, value, text: formatPoints(value) };
  return { label, value, low, high, text: `${formatPoints(value)} [${plain(low)}, ${plain(high)}]` };
}

/** Shown first, because no gain elsewhere makes up for lost critical errors. */
function severityTable({ bySeverity, before, after }: WorkflowComparison): TableBlock {
  return tableOf('Detection by severity', bySeverity, [
    { key: 'metric', title: 'severity', of: ({ key }) => key.replace(/^dr_/, '') },
    ...sidesOf(before.name, after.name),
    { key: 'change', of: ({ difference }) => ({ value: difference, unit: 'points' }) },
  ]);
}

function sidesOf(before: string, after: string): ItemColumn<MetricChange>[] {
  return [
    { key: 'before', title: before, of: (change) => styled(change.metric, change.before) },
    { key: 'after', title: after, of: (change) => styled(change.metric, change.after) },
  ];
}

/** A comparison fits on one screen: the most important rows, the rest on request. */
const ROWS = 5;

/** Metrics not shown elsewhere and measured on at least one side. */
function othersOf({ bySeverity, secondary }: WorkflowComparison): readonly MetricChange[] {
  const said = new Set([...bySeverity.map(({ key }) => key), 'precision', 'f1', 'chance_level']);
  return secondary.filter(
    (change) => !said.has(change.key) && (change.before.measured || change.after.measured),
  );
}

/** Metrics that changed, most certain first. */
function secondaryTable(comparison: WorkflowComparison): TableBlock[] {
  const { before, after } = comparison;
  const shown = othersOf(comparison)
    .filter(({ difference }) => difference !== 0)
    .toSorted((a, b) => (a.adjustedP ?? 2) - (b.adjustedP ?? 2));
  return shown.length === 0 ? [] : [changeTable(before.name, after.name, shown)];
}

/** Unchanged metrics share one line. */
function unchangedText(comparison: WorkflowComparison): string[] {
  const same = othersOf(comparison)
    .filter(({ difference }) => difference === 0)
    .map(({ metric, after }) => `${metric.title} ${formatMeasurement(after, metric.unit)}`);
  return same.length === 0 ? [] : [`Unchanged: ${same.join(', ')}.`];
}

function changeTable(before: string, after: string, shown: readonly MetricChange[]): TableBlock {
  return tableOf(
    'Other metrics (p from run scores, corrected by Holm)',
    shown,
    [
      { key: 'metric', of: ({ metric }) => metric.title },
      ...sidesOf(before, after),
      {
        key: 'change',
        of: ({ difference, metric }) => ({
          // Show seconds instead of milliseconds.
          value: metric.unit === 'ms' && difference !== undefined ? difference / 1000 : difference,
          unit: metric.unit === 'percent' ? 'points' : 'difference',
        }),
      },
      { key: 'p', title: 'p (Holm)', of: ({ adjustedP }) => ({ value: adjustedP, unit: 'p-value' }) },
    ],
    { limit: ROWS },
  );
}

/** Differences appear in the notes. */
function confoundersTable({ confounders, before, after }: WorkflowComparison): TableBlock {
  const words = { held: 'yes', differs: 'no', 'not recorded': 'not recorded' };
  return tableOf(
    'Held constant',
    confounders,
    [
      { key: 'name', title: 'what' },
      { key: 'state', title: 'held', of: ({ state }) => words[state] },
      { key: 'before', title: before.name },
      { key: 'after', title: after.name },
    ],
    { folded: true },
  );
}

/** The errors that changed most, so that the user can check what changed. */
function errorsTable({ errors, before, after }: WorkflowComparison, known?: KnownErrors): TableBlock {
  const moved = errors
    .filter((error) => error.before !== error.after)
    .toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  const keyOf = (task: string, id: string) => JSON.stringify([task, id]);
  const examined = new Map(
    before.runs.flatMap((run) => run.errors.map((error) => [keyOf(run.task, error.id), error] as const)),
  );
  const several = new Set(errors.map(({ task }) => task)).size > 1;
  return tableOf(
    'Errors that moved (mean credit over the runs: 0 never found, 1 always)',
    moved,
    [
      several && { key: 'task', unit: 'name' },
      { key: 'id', title: 'error', unit: 'name' },
      { key: 'severity', of: ({ task, id }) => examined.get(keyOf(task, id))?.severity.toLowerCase() },
      { key: 'category', priority: 2, of: ({ task, id }) => examined.get(keyOf(task, id))?.category },
      known !== undefined && {
        key: 'what',
        title: 'what it is',
        min: 24,
        priority: 1,
        of: ({ task, id }) => known.get(task)?.get(id),
      },
      { key: 'before', title: before.name, unit: 'score' },
      { key: 'after', title: after.name, unit: 'score' },
    ],
    { limit: ROWS },
  );
}

function notesOf(comparison: WorkflowComparison): string[] {
  const { confounders, claims, before, after, welch, leftOut } = comparison;
  const differing = confounders.filter(({ state }) => state === 'differs').map(({ name }) => name);
  const answer = answerOf(comparison);
  // Omit what the answer already says.
  const refused = claims.filter(({ allowed, missing = '' }) => !allowed && !answer.includes(missing));
  const few = Math.min(before.runs.length, after.runs.length);
  return [
    ...leftOut.map(
      ({ task, before: one, after: other }) =>
        `Left out, for want of runs: ${task} (${formatAmount(one, 'run')} of ${before.name}, ${formatCount(other)} of ${after.name}).`,
    ),
    ...unchangedText(comparison),
    ...[before, after].flatMap(unjudgedText),
    ...differing
      .filter((name) => name !== 'task')
      .map((name) => `The ${name} differs between the sides, so it may explain the difference.`),
    differing.includes('task') && 'Only tasks that both sides reviewed are compared.',
    ...refused.map(({ claim, missing }) => `Not claimed: "${claim}". ${missing}.`),
    few === 3 &&
      welch !== undefined &&
      'A permutation of three runs against three cannot go below p = 0.10; the t test assumes that run scores are roughly normal.',
  ].filter((note) => note !== false);
}

/** Unjudged findings count against precision until they are labelled. */
function unjudgedText({ name, runs }: ComparisonSide): string[] {
  const classes = runs.flatMap(({ findings }) => findings.map((finding) => finding.class));
  const counted = classes.filter((one) => one !== 'DUPLICATE').length;
  const unjudged = classes.filter((one) => one === 'UNRESOLVED').length;
  if (unjudged === 0) return [];
  return [
    `Unjudged: ${formatCount(unjudged)} of ${formatAmount(counted, 'finding')} of ${name} (${formatRatio(unjudged / counted)}).`,
  ];
}
