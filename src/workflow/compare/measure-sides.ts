/**
 * Compares two workflows on the same tasks: measures every metric once per side and runs the tests that the verdict
 * uses.
 */
import type { SidesTests, SidesVerdict } from '../../judge/sides.ts';
import { estimate, type Measurement, type Metric, metricKey, unmeasured } from '../../measure/metric.ts';
import { mean, sampleSd } from '../../stats/descriptive.ts';
import { normalQuantile } from '../../stats/distributions.ts';
import { holm } from '../../stats/holm.ts';
import { wilson } from '../../stats/intervals.ts';
import { mcnemar } from '../../stats/mcnemar.ts';
import { neededN } from '../../stats/power.ts';
import { type Welch, welch } from '../../stats/welch.ts';
import { workflowMetrics } from '../catalog.ts';
import type { RunEvidence } from '../evidence.ts';
import type { Reading } from '../ingest/mapping.ts';
import type { ReviewMetric } from '../metric.ts';
import { overallEffectivenessWith } from '../metrics/overall-effectiveness-score.ts';
import { sameTasksNotes } from '../same-tasks.ts';
import { OES_COMPONENTS, type OesComponent, type OesWeights } from '../weights.ts';
import { claimsOf, confoundersOf, incomparable, RUNS_PER_TASK } from './claims.ts';
import { documentedRule, readDelta } from './documented-rule.ts';
import {
  errorWeight,
  type PairedError,
  type PairedTest,
  pairErrors,
  pairedTest,
  UNITS_NEEDED,
  verdictPower,
} from './paired-errors.ts';
import {
  criticalLoss,
  detectionGain,
  falseAlarms,
  isDeterministic,
  missingRuns,
  overErrors,
  type RunNoise,
} from './run-noise.ts';

/** Task → error id → description. */
export type KnownErrors = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type ComparisonSide = { readonly name: string; readonly runs: readonly RunEvidence[] };

export type MeasureOptions = {
  /**
   * Chosen before the comparison; the other metrics are corrected for multiple testing. Default: the detection rate.
   */
  readonly primary?: string | undefined;
  /**
   * What decides: the tests over errors and runs, or the documented rule alone. The rule is the default on OES where
   * OES is measured.
   */
  readonly rule?: DecidingRule | undefined;
  readonly components?: readonly OesComponent[];
  readonly weights?: OesWeights | undefined;
  /** The whole catalogue, as the caller configured it. */
  readonly metrics?: readonly ReviewMetric[];
  /** Compare even if the truths or the matchers differ. */
  readonly insist?: boolean;
};

export type DecidingRule = 'paired' | 'documented';

export type MetricChange = {
  readonly key: string;
  readonly metric: Metric<RunEvidence>;
  readonly before: Measurement;
  readonly after: Measurement;
  /** In the metric's unit. */
  readonly difference?: number;
  /** One score per run, or per round over several tasks; absent on a side where a run could not be measured. */
  readonly scores: { readonly before?: readonly number[]; readonly after?: readonly number[] };
  readonly p?: number;
  /** After Holm's correction over the secondary metrics. */
  readonly adjustedP?: number;
};

/** A comparison with its verdict. */
export type WorkflowComparison = ReturnType<typeof measureSides> & { readonly verdict: SidesVerdict };

export type ComparedWorkflows = Reading & {
  readonly comparison: WorkflowComparison;
  /** Error descriptions, if a ground truth is available. */
  readonly known?: KnownErrors;
};

const ALPHA = 0.05;

export function measureSides(before: ComparisonSide, after: ComparisonSide, options: MeasureOptions = {}) {
  const { components = OES_COMPONENTS } = options;
  const { metrics = workflowMetrics({ components, weights: options.weights }), insist = false } = options;
  const { common: kept, leftOut } = sharedTasks(before, after);
  const shared = ({ runs }: ComparisonSide) => runs.filter(({ task }) => kept.has(task));
  const [first, second] = [shared(before), shared(after)];
  const changes = metrics
    .filter(({ needs }) => needs === undefined)
    .map((metric) => changeOf(metric, first, second));
  const key = options.primary ?? defaultPrimary(options, changes);
  const named = changes.find((change) => change.key === key);
  if (named === undefined) throw new RangeError(`there is no metric "${key}"`);
  const primary = withoutOwnDepth(named, first, second, options);
  const { before: a = [], after: b = [] } = primary.scores;
  const weight = errorWeight(key);
  const errors = pairErrors(first, second, weight ?? (() => 1));
  const paired = weight && pairedTest(errors);
  const runTest = welchOf(primary);
  const constant = isConstant(a) && isConstant(b);
  const same = constant && isDeterministic(first) && isDeterministic(second);
  const exact = same && weight !== undefined ? exactTest(errors) : undefined;
  const claims = claimsOf(first, second);
  const difference = paired?.difference ?? primary.difference;
  const rule = documentedRule(a, b);
  const critical = criticalLoss(pairErrors(first, second, () => 1));
  const alarms = falseAlarms(first, second, detectionGain(first, second));
  const severalTasks = new Set(errors.map(({ task }) => task)).size > 1;
  const tests: SidesTests = {
    incomparable: insist ? [] : incomparable(first, second),
    tooFewRuns: claims.find(({ claim }) => claim === 'better')?.missing,
    unmeasured: first.length === 0 ? 'they have no task in common' : reasonOf(primary),
    difference,
    paired: paired && { ...paired, unitsNeeded: UNITS_NEEDED },
    moved: errors.filter(({ before: one, after: other }) => one !== other).length,
    runsDiffer: runsDiffer(runTest, constant && !same ? overErrors(errors) : undefined, difference),
    exact: exact && { significant: isExact(exact, errors, paired, difference) },
    byTask: primary.difference,
    unitName: paired === undefined ? 'errors' : `${paired.by}s`,
    unseen: unseenTasks(leftOut, before),
    losesCritical: critical.lost?.map(({ task, id }) => (severalTasks ? `${task} ${id}` : id)),
    moreFalseAlarms: alarmsText(alarms),
    documentedRule: options.rule === 'documented' && rule.measured ? rule : undefined,
  };
  return {
    before,
    after,
    /** What the verdict is based on. */
    tests,
    primary,
    paired: paired && { ...paired, power: verdictPower(paired, runTest) },
    welch: runTest,
    /** Runs on each side that would show this difference 80% of the time. */
    runsNeeded: runTest && neededRuns(a, b, runTest.difference),
    rule,
    exact,
    improvement: improvementOf(first, second, metrics, changes, options),
    /** Detection by severity, critical first: no gain makes up for lost critical errors. */
    bySeverity: SEVERITY_KEYS.flatMap((name) => changes.find((change) => change.key === name) ?? []),
    critical,
    alarms,
    /** Gaps in the run numbers. */
    missing: [before, after].flatMap((side) =>
      missingRuns(side.runs).map((one) => ({ side: side.name, ...one })),
    ),
    ownDepth: [first, second].some(hasOwnDepth),
    sameTasks: sameTasksNotes(errors),
    secondary: corrected(changes.filter((change) => change !== named)),
    errors,
    confounders: confoundersOf(before.runs, after.runs, first, second),
    claims,
    leftOut,
  };
}

/**
 * McNemar's test treats each error as found or not found. Where errors are weighted, partly found or clustered, the
 * paired test decides instead. McNemar must also point in the direction of the difference.
 */
function isExact(
  exact: ReturnType<typeof exactTest>,
  errors: readonly PairedError[],
  paired: PairedTest | undefined,
  difference: number | undefined,
): boolean {
  const plain = errors.every(
    ({ before, after, weight }) => weight === errors[0]?.weight && before % 1 === 0 && after % 1 === 0,
  );
  if (!plain || paired?.clustered === true) return paired?.significant === true;
  return exact.p < ALPHA && Math.sign(exact.onlyAfter - exact.onlyBefore) === Math.sign(difference ?? 0);
}

/** The documented rule uses OES as the improvement delta. */
function defaultPrimary({ rule }: MeasureOptions, changes: readonly MetricChange[]): string {
  const oes = changes.find((change) => change.key === 'oes');
  return rule === 'documented' && oes?.difference !== undefined ? 'oes' : 'dr';
}

/**
 * A depth that only the workflow itself claims must not decide: DQ uses the confirmed ones, OES is computed without DQ.
 */
function withoutOwnDepth(
  change: MetricChange,
  before: readonly RunEvidence[],
  after: readonly RunEvidence[],
  { components = OES_COMPONENTS, weights }: MeasureOptions,
): MetricChange {
  if (!['oes', 'dq'].includes(change.key) || ![before, after].some(hasOwnDepth)) return change;
  const [one, other] = [before, after].map((runs) => runs.map(withConfirmedDepth)) as [
    RunEvidence[],
    RunEvidence[],
  ];
  const counted = changeOf(change.metric, one, other);
  if (change.key === 'dq' || counted.difference !== undefined) return counted;
  const rest = components.filter((part) => part !== 'dq');
  return changeOf(overallEffectivenessWith({ components: rest, weights }), one, other);
}

function hasOwnDepth(runs: readonly RunEvidence[]): boolean {
  return runs.some(({ findings }) => findings.some(({ ownDepth }) => ownDepth));
}

function withConfirmedDepth(run: RunEvidence): RunEvidence {
  return {
    ...run,
    findings: run.findings.map(({ depth, ownDepth, ...finding }) =>
      ownDepth ? finding : { ...finding, depth },
    ),
  };
}

/** Scores that happen to be equal have no spread to test; the runs of each error do. */
function runsDiffer(
  runTest: Welch | undefined,
  byErrors: RunNoise | undefined,
  difference = 0,
): boolean | undefined {
  if (runTest !== undefined)
    return runTest.p < ALPHA && Math.sign(runTest.difference) === Math.sign(difference);
  if (byErrors === undefined) return undefined;
  return Math.abs(byErrors.difference) > normalQuantile(1 - ALPHA / 2) * byErrors.error;
}

/** Tasks that the candidate reviewed too rarely, although the baseline has enough runs or critical errors there. */
function unseenTasks(leftOut: readonly LeftOut[], before: ComparisonSide): string[] {
  return leftOut
    .filter(
      (one) => one.after < RUNS_PER_TASK && (one.before >= RUNS_PER_TASK || hasCritical(before, one.task)),
    )
    .map(({ task }) => task);
}

function alarmsText({ interval, falls, byChance }: ReturnType<typeof falseAlarms>): string | undefined {
  if (falls && interval !== undefined)
    return `it finds more errors, and precision falls by ${Math.abs(interval.difference).toFixed(1)} points`;
  return byChance === undefined
    ? undefined
    : `findings at random places of the same files would have gained ${byChance.toFixed(1)} points as well`;
}

function hasCritical({ runs }: ComparisonSide, task: string): boolean {
  return runs.some((run) => run.task === task && run.errors.some(({ severity }) => severity === 'CRITICAL'));
}

const SEVERITY_KEYS = ['dr_critical', 'dr_important', 'dr_minor'];

/**
 * A task that only one side reviewed is excluded. A task with too few runs is excluded only if other tasks have enough.
 */
type LeftOut = { readonly task: string; readonly before: number; readonly after: number };

function sharedTasks(before: ComparisonSide, after: ComparisonSide) {
  const runsOf = ({ runs }: ComparisonSide, task: string) => runs.filter((run) => run.task === task).length;
  const tasks = [...new Set(before.runs.map(({ task }) => task))].map((task) => ({
    task,
    before: runsOf(before, task),
    after: runsOf(after, task),
  }));
  const both = tasks.filter((one) => one.after > 0);
  const enough = both.filter((one) => Math.min(one.before, one.after) >= RUNS_PER_TASK);
  const used = enough.length === 0 ? both : enough;
  return {
    common: new Set(used.map(({ task }) => task)),
    leftOut: tasks.filter((one) => !used.includes(one)),
  };
}

function changeOf(
  metric: Metric<RunEvidence>,
  before: readonly RunEvidence[],
  after: readonly RunEvidence[],
): MetricChange {
  const [first, second] = overTasks(metric, before, after);
  const [a, b] = [runScores(before, metric), runScores(after, metric)];
  const scores = { before: a, after: b };
  return {
    key: metricKey(metric.id),
    metric,
    before: first,
    after: second,
    difference: first.measured && second.measured ? second.value - first.value : undefined,
    scores,
    p: welchOf({ scores })?.p,
  };
}

function welchOf({ scores: { before = [], after = [] } }: Pick<MetricChange, 'scores'>): Welch | undefined {
  return before.length > 1 && after.length > 1 ? welch(before, after) : undefined;
}

function reasonOf({ metric, before, after }: MetricChange): string | undefined {
  const missing = [before, after].find((one) => !one.measured);
  return missing?.measured === false ? `${metric.title} was not measured: ${missing.reason}` : undefined;
}

function corrected(changes: readonly MetricChange[]): MetricChange[] {
  const tested = changes.filter(({ p }) => p !== undefined);
  const adjusted = holm(tested.map(({ p }) => p as number));
  const byKey = new Map(tested.map(({ key }, i) => [key, adjusted[i]]));
  return changes.map((change) => ({ ...change, adjustedP: byKey.get(change.key) }));
}

/** At least two runs, all with the same score. */
function isConstant(scores: readonly number[]): boolean {
  return sampleSd(scores) === 0;
}

function exactTest(errors: readonly PairedError[]) {
  const [before, after] = [
    errors.filter(({ foundBefore }) => foundBefore),
    errors.filter(({ foundAfter }) => foundAfter),
  ];
  const onlyBefore = before.filter(({ foundAfter }) => !foundAfter).length;
  const onlyAfter = after.filter(({ foundBefore }) => !foundBefore).length;
  return {
    onlyBefore,
    onlyAfter,
    p: mcnemar(onlyBefore, onlyAfter),
    before: wilson(before.length, errors.length),
    after: wilson(after.length, errors.length),
  };
}

function neededRuns(a: readonly number[], b: readonly number[], difference: number): number | undefined {
  const pooled = Math.sqrt(mean([(sampleSd(a) ?? 0) ** 2, (sampleSd(b) ?? 0) ** 2]) as number);
  return neededN(pooled, difference, { design: 'two-arms' });
}

function improvementOf(
  before: readonly RunEvidence[],
  after: readonly RunEvidence[],
  metrics: readonly ReviewMetric[],
  changes: readonly MetricChange[],
  options: MeasureOptions,
) {
  const arms = [
    ...before.map((run) => ({ ...run, arm: 'baseline' as const })),
    ...after.map((run) => ({ ...run, arm: 'candidate' as const })),
  ];
  const improvement = metrics.find(({ id }) => metricKey(id) === 'improvement_delta') as ReviewMetric;
  const delta = improvement.compute(arms);
  const oes = changes.find(({ key }) => key === 'oes') as MetricChange;
  const counted = withoutOwnDepth(oes, before, after, options);
  const ruleOf = ({ scores }: MetricChange) => documentedRule(scores.before ?? [], scores.after ?? []);
  const [rule, countedRule] = [ruleOf(oes), ruleOf(counted)];
  const decided = counted === oes ? (delta.measured ? delta.value : undefined) : counted.difference;
  const isRead =
    delta.measured && decided !== undefined && !(incomparable(before, after).length > 0 && !options.insist);
  const { meaning, confidence } = isRead
    ? readDelta(decided, countedRule.measured && countedRule.significant)
    : {};
  return {
    delta,
    rule,
    /** The difference without depths that only the workflows claim; its interpretation is in this row. */
    withoutOwnDepth: counted === oes ? undefined : counted.difference,
    meaning,
    confidence,
  };
}

/**
 * One score per run. Over several tasks, a score belongs to a round: the first run of every task, then the second, and
 * so on, for as many rounds as every task has runs. Undefined if a run of a round could not be measured, because a
 * round without one task is not comparable.
 */
function runScores(runs: readonly RunEvidence[], metric: Metric<RunEvidence>): number[] | undefined {
  const tasks = [...Map.groupBy(runs, ({ task }) => task)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, all]) => all.toSorted((a, b) => a.run.localeCompare(b.run, 'en', { numeric: true })));
  const rounds = Math.min(...tasks.map((all) => all.length));
  if (tasks.length === 0) return undefined;
  const scores: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const values = tasks.map((all) => metric.compute([all[round] as RunEvidence]));
    const measured = values.flatMap((one) => (one.measured ? [one.value] : []));
    if (measured.length < values.length) return undefined;
    scores.push(mean(measured) as number);
  }
  return scores;
}

/** Every task has the same weight, however often it was reviewed: more runs of an easy task are no improvement. */
function overTasks(
  metric: Metric<RunEvidence>,
  before: readonly RunEvidence[],
  after: readonly RunEvidence[],
): readonly [Measurement, Measurement] {
  const tasksOf = (runs: readonly RunEvidence[]) => Map.groupBy(runs, ({ task }) => task);
  const [one, other] = [tasksOf(before), tasksOf(after)];
  if (one.size < 2) return [metric.compute(before), metric.compute(after)];
  const both = [...one]
    .map(([task, runs]) => [metric.compute(runs), metric.compute(other.get(task) ?? [])] as const)
    .filter(([first, second]) => first.measured && second.measured);
  if (both.length === 0) return [metric.compute(before), unmeasured('no task was measured on both sides')];
  const meanOf = (side: 0 | 1) => {
    const measured = both.flatMap((pair) => (pair[side].measured ? [pair[side]] : []));
    const n = measured.reduce((sum, each) => sum + each.n, 0);
    return estimate(mean(measured.map(({ value }) => value)) as number, n);
  };
  return [meanOf(0), meanOf(1)];
}
