/** Two workflows on the same tasks: is the new one better, or is the difference noise? */
import { type Measurement, type Metric, metricKey } from '../../measure/metric.ts';
import { holm } from '../../stats/holm.ts';
import type { Interval } from '../../stats/interval.ts';
import { mcnemar } from '../../stats/mcnemar.ts';
import { mean } from '../../stats/mean.ts';
import { neededN } from '../../stats/power.ts';
import { sampleSd } from '../../stats/sample-sd.ts';
import { type Welch, welch } from '../../stats/welch.ts';
import { wilson } from '../../stats/wilson.ts';
import { runMetrics } from '../catalog.ts';
import type { RunEvidence } from '../evidence.ts';
import { improvementDeltaWith } from '../metrics/improvement-delta.ts';
import { OES_COMPONENTS, type OesComponent } from '../weights.ts';
import { type Claim, claimsOf } from './claims.ts';
import { type ComparisonVerdict, verdictOf } from './comparison-verdict.ts';
import { type Confounder, confoundersOf, incomparable } from './confounders.ts';
import { type DocumentedRule, documentedRule, readDelta } from './documented-rule.ts';
import { overTasks } from './over-tasks.ts';
import {
  errorWeight,
  type PairedError,
  type PairedTest,
  type Power,
  pairErrors,
  pairedPower,
  pairedTest,
} from './paired-errors.ts';
import { runScores } from './run-scores.ts';

export type ComparisonSide = { readonly name: string; readonly runs: readonly RunEvidence[] };

export type CompareOptions = {
  /** Named before looking; the others are corrected for being many. */
  readonly primary?: string;
  readonly components?: readonly OesComponent[];
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
  readonly p?: number;
  /** After Holm's correction over the secondary metrics. */
  readonly adjustedP?: number;
};

export type ExactTest = {
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly p: number;
  readonly before?: Interval;
  readonly after?: Interval;
};

export type WorkflowComparison = {
  readonly before: ComparisonSide;
  readonly after: ComparisonSide;
  readonly verdict: ComparisonVerdict;
  readonly primary: MetricChange;
  readonly paired?: PairedTest & { readonly power: Power };
  readonly welch?: Welch;
  /** Runs on each side that would show this difference 80% of the time. */
  readonly runsNeeded?: number;
  readonly rule: DocumentedRule;
  readonly exact?: ExactTest;
  readonly improvement: {
    readonly delta: Measurement;
    readonly rule: DocumentedRule;
    readonly meaning?: string;
    readonly confidence?: string;
  };
  readonly secondary: readonly MetricChange[];
  readonly errors: readonly PairedError[];
  readonly confounders: readonly Confounder[];
  readonly claims: readonly Claim[];
};

const ALPHA = 0.05;

export function compareSides(
  before: ComparisonSide,
  after: ComparisonSide,
  options: CompareOptions = {},
): WorkflowComparison {
  const { primary: key = 'dr', components = OES_COMPONENTS, insist = false } = options;
  const metrics = runMetrics(components);
  const shared = sharedTasks(before, after);
  const [first, second] = [shared(before), shared(after)];
  const chosen = metrics.find((metric) => metricKey(metric.id) === key);
  if (chosen === undefined) throw new RangeError(`there is no metric "${key}"`);
  const primary = changeOf(chosen, first, second);
  const [a, b] = [runScores(first, chosen) ?? [], runScores(second, chosen) ?? []];
  const weight = errorWeight(key);
  const errors = pairErrors(first, second, weight ?? (() => 1));
  const paired = weight && pairedTest(errors);
  const runTest = a.length > 1 && b.length > 1 ? welch(a, b) : undefined;
  const exact = isConstant(a) && isConstant(b) && weight !== undefined ? exactTest(errors) : undefined;
  const claims = claimsOf(first, second);
  const difference = paired?.difference ?? primary.difference;
  const verdict = verdictOf({
    incomparable: insist ? [] : incomparable(first, second),
    tooFewRuns: claims.find(({ claim }) => claim === 'better')?.missing,
    unmeasured: first.length === 0 ? 'they have no task in common' : reasonOf(primary),
    difference,
    paired,
    moved: errors.filter(({ before: one, after: other }) => one !== other).length,
    runsDiffer: runTest && runTest.p < ALPHA && Math.sign(runTest.difference) === Math.sign(difference ?? 0),
    exact: exact && { significant: exact.p < ALPHA },
  });
  const runsNeeded = runTest && neededRuns(a, b, runTest.difference);
  return {
    before,
    after,
    verdict,
    primary,
    ...(paired && { paired: { ...paired, power: pairedPower(paired) } }),
    ...(runTest && { welch: runTest }),
    ...(runsNeeded !== undefined && { runsNeeded }),
    rule: documentedRule(a, b),
    ...(exact && { exact }),
    improvement: improvementOf(first, second, components, metrics),
    secondary: corrected(
      metrics.filter((metric) => metric !== chosen).map((metric) => changeOf(metric, first, second)),
    ),
    errors,
    confounders: confoundersOf(before.runs, after.runs),
    claims,
  };
}

/** A task that only one side reviewed says nothing about the difference. */
function sharedTasks(
  before: ComparisonSide,
  after: ComparisonSide,
): (side: ComparisonSide) => readonly RunEvidence[] {
  const tasks = new Set(before.runs.map(({ task }) => task));
  const both = new Set(after.runs.flatMap(({ task }) => (tasks.has(task) ? [task] : [])));
  return ({ runs }) => runs.filter(({ task }) => both.has(task));
}

function changeOf(
  metric: Metric<RunEvidence>,
  before: readonly RunEvidence[],
  after: readonly RunEvidence[],
): MetricChange {
  const [first, second] = overTasks(metric, before, after);
  const [a, b] = [runScores(before, metric), runScores(after, metric)];
  const test = a && b && a.length > 1 && b.length > 1 ? welch(a, b) : undefined;
  return {
    key: metricKey(metric.id),
    metric,
    before: first,
    after: second,
    ...(first.measured && second.measured && { difference: second.value - first.value }),
    ...(test && { p: test.p }),
  };
}

function reasonOf({ metric, before, after }: MetricChange): string | undefined {
  const missing = [before, after].find((one) => !one.measured);
  return missing?.measured === false ? `${metric.title} was not measured: ${missing.reason}` : undefined;
}

function corrected(changes: readonly MetricChange[]): MetricChange[] {
  const tested = changes.filter(({ p }) => p !== undefined);
  const adjusted = holm(tested.map(({ p }) => p as number));
  const byKey = new Map(tested.map(({ key }, i) => [key, adjusted[i] as number]));
  return changes.map((change) => {
    const adjustedP = byKey.get(change.key);
    return adjustedP === undefined ? change : { ...change, adjustedP };
  });
}

/** At least two runs, and all of them the same. */
function isConstant(scores: readonly number[]): boolean {
  return sampleSd(scores) === 0;
}

function exactTest(errors: readonly PairedError[]): ExactTest {
  const count = (fits: (error: PairedError) => boolean) => errors.filter(fits).length;
  const onlyBefore = count(({ foundBefore, foundAfter }) => foundBefore && !foundAfter);
  const onlyAfter = count(({ foundBefore, foundAfter }) => !foundBefore && foundAfter);
  const [before, after] = [
    wilson(
      count(({ foundBefore }) => foundBefore),
      errors.length,
    ),
    wilson(
      count(({ foundAfter }) => foundAfter),
      errors.length,
    ),
  ];
  return {
    onlyBefore,
    onlyAfter,
    p: mcnemar(onlyBefore, onlyAfter),
    ...(before && { before }),
    ...(after && { after }),
  };
}

function neededRuns(a: readonly number[], b: readonly number[], difference: number): number | undefined {
  const pooled = Math.sqrt(mean([(sampleSd(a) ?? 0) ** 2, (sampleSd(b) ?? 0) ** 2]) as number);
  return neededN(pooled, difference, { design: 'two-arms' });
}

function improvementOf(
  before: readonly RunEvidence[],
  after: readonly RunEvidence[],
  components: readonly OesComponent[],
  metrics: readonly Metric<RunEvidence>[],
): WorkflowComparison['improvement'] {
  const arms = [
    ...before.map((run) => ({ ...run, arm: 'baseline' as const })),
    ...after.map((run) => ({ ...run, arm: 'candidate' as const })),
  ];
  const delta = improvementDeltaWith(components).compute(arms);
  const overall = metrics.find(({ id }) => metricKey(id) === 'oes') as Metric<RunEvidence>;
  const rule = documentedRule(runScores(before, overall) ?? [], runScores(after, overall) ?? []);
  return { delta, rule, ...(delta.measured && readDelta(delta.value, rule.measured && rule.significant)) };
}
