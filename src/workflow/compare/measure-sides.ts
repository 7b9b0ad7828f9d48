/** Two workflows on the same tasks, every metric measured once on each side, and the tests that a verdict rests on. */
import type { SidesTests, SidesVerdict } from '../../judge/sides.ts';
import { estimate, type Measurement, type Metric, metricKey, unmeasured } from '../../measure/metric.ts';
import { mean, sampleSd } from '../../stats/descriptive.ts';
import { holm } from '../../stats/holm.ts';
import { wilson } from '../../stats/intervals.ts';
import { mcnemar } from '../../stats/mcnemar.ts';
import { neededN } from '../../stats/power.ts';
import { type Welch, welch } from '../../stats/welch.ts';
import { workflowMetrics } from '../catalog.ts';
import type { RunEvidence } from '../evidence.ts';
import type { Reading } from '../ingest/mapping.ts';
import type { ReviewMetric } from '../metric.ts';
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

/** Task → id of an error → what it is. */
export type KnownErrors = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type ComparisonSide = { readonly name: string; readonly runs: readonly RunEvidence[] };

export type MeasureOptions = {
  /** Named before looking; the others are corrected for being many. */
  readonly primary?: string;
  /** All of the catalogue, as the caller wants them. */
  readonly metrics?: readonly ReviewMetric[];
  /** Compare although the truths or the matchers differ. */
  readonly insist?: boolean;
};

export type MetricChange = {
  readonly key: string;
  readonly metric: Metric<RunEvidence>;
  readonly before: Measurement;
  readonly after: Measurement;
  /** In the unit of the metric. */
  readonly difference?: number;
  /** Of every run, or of every round over several tasks; absent on a side where one could not be measured. */
  readonly scores: { readonly before?: readonly number[]; readonly after?: readonly number[] };
  readonly p?: number;
  /** After Holm's correction over the secondary metrics. */
  readonly adjustedP?: number;
};

/** Measured, and judged. */
export type WorkflowComparison = ReturnType<typeof measureSides> & { readonly verdict: SidesVerdict };

export type ComparedWorkflows = Reading & {
  readonly comparison: WorkflowComparison;
  /** What the errors are, where a ground truth is at hand. */
  readonly known?: KnownErrors;
};

const ALPHA = 0.05;

export function measureSides(before: ComparisonSide, after: ComparisonSide, options: MeasureOptions = {}) {
  const { primary: key = 'dr', metrics = workflowMetrics(), insist = false } = options;
  const { common: kept, leftOut } = sharedTasks(before, after);
  const shared = ({ runs }: ComparisonSide) => runs.filter(({ task }) => kept.has(task));
  const [first, second] = [shared(before), shared(after)];
  const changes = metrics
    .filter(({ needs }) => needs === undefined)
    .map((metric) => changeOf(metric, first, second));
  const primary = changes.find((change) => change.key === key);
  if (primary === undefined) throw new RangeError(`there is no metric "${key}"`);
  const { before: a = [], after: b = [] } = primary.scores;
  const weight = errorWeight(key);
  const errors = pairErrors(first, second, weight ?? (() => 1));
  const paired = weight && pairedTest(errors);
  const runTest = welchOf(primary);
  const exact = isConstant(a) && isConstant(b) && weight !== undefined ? exactTest(errors) : undefined;
  const claims = claimsOf(first, second);
  const difference = paired?.difference ?? primary.difference;
  const bySeverity = SEVERITY_KEYS.flatMap((name) => changes.find((change) => change.key === name) ?? []);
  const tests: SidesTests = {
    incomparable: insist ? [] : incomparable(first, second),
    tooFewRuns: claims.find(({ claim }) => claim === 'better')?.missing,
    unmeasured: first.length === 0 ? 'they have no task in common' : reasonOf(primary),
    difference,
    paired: paired && { ...paired, unitsNeeded: UNITS_NEEDED },
    moved: errors.filter(({ before: one, after: other }) => one !== other).length,
    runsDiffer: runTest && runTest.p < ALPHA && Math.sign(runTest.difference) === Math.sign(difference ?? 0),
    exact: exact && { significant: isExact(exact, errors, paired, difference) },
    byTask: primary.difference,
    unseenCritical: leftOut.filter(({ task }) => hasCritical(before, task)).map(({ task }) => task),
    losesCritical:
      criticalCredit(first, second) < -TOLERANCE ||
      bySeverity.some(({ key: name, difference: fall = 0 }) => name === 'dr_critical' && fall < -TOLERANCE),
  };
  return {
    before,
    after,
    /** What a judge needs of all this. */
    tests,
    primary,
    paired: paired && { ...paired, power: verdictPower(paired, runTest) },
    welch: runTest,
    /** Runs on each side that would show this difference 80% of the time. */
    runsNeeded: runTest && neededRuns(a, b, runTest.difference),
    rule: documentedRule(a, b),
    exact,
    improvement: improvementOf(first, second, metrics, changes),
    /** Detection by severity, critical first: no gain makes up for critical errors that are lost. */
    bySeverity,
    secondary: corrected(changes.filter((change) => change !== primary)),
    errors,
    confounders: confoundersOf(before.runs, after.runs),
    claims,
    leftOut,
  };
}

/**
 * McNemar takes errors one by one, found or not: where they are weighed, found in part or come in clusters, the paired test
 * decides; and it must point the way the difference does.
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

/** How much more of all critical errors together is found, however they lie over the tasks. */
function criticalCredit(before: readonly RunEvidence[], after: readonly RunEvidence[]): number {
  const critical = pairErrors(before, after, ({ severity }) => (severity === 'CRITICAL' ? 1 : 0));
  return critical.reduce((sum, error) => sum + error.after - error.before, 0);
}

function hasCritical({ runs }: ComparisonSide, task: string): boolean {
  return runs.some((run) => run.task === task && run.errors.some(({ severity }) => severity === 'CRITICAL'));
}

const SEVERITY_KEYS = ['dr_critical', 'dr_important', 'dr_minor'];

/** Sums of thirds miss 0 by rounding. */
const TOLERANCE = 1e-9;

/**
 * A task that only one side reviewed says nothing about the difference; one with too few runs is left out where others
 * have enough, and is not left out where none has.
 */
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

/** At least two runs, and all of them the same. */
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
) {
  const arms = [
    ...before.map((run) => ({ ...run, arm: 'baseline' as const })),
    ...after.map((run) => ({ ...run, arm: 'candidate' as const })),
  ];
  const improvement = metrics.find(({ id }) => metricKey(id) === 'improvement_delta') as ReviewMetric;
  const delta = improvement.compute(arms);
  const { scores } = changes.find(({ key }) => key === 'oes') as MetricChange;
  const rule = documentedRule(scores.before ?? [], scores.after ?? []);
  const { meaning, confidence } = delta.measured
    ? readDelta(delta.value, rule.measured && rule.significant)
    : {};
  return { delta, rule, meaning, confidence };
}

/**
 * One score per run. Over several tasks a score is that of a round: the first run of every task, the second, and so on,
 * as many rounds as every task has runs. Undefined when a run of a round could not be measured: a round without one of
 * its tasks would be another exam.
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

/** Every task counts the same, however often it was reviewed: more runs of an easy one are no improvement. */
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
