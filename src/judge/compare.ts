import type { Measurement, Unit } from '../measure/metric.ts';
import type { Check } from './gate.ts';
import { type Paired, pairedChange } from './paired.ts';
import { inPoints } from './points.ts';
import { type Direction, TOLERANCE } from './zone.ts';

/** `lost`: the baseline had a value and this run has none. `not comparable`: no value then, or another yardstick. */
export type ChangeSize =
  | 'improved'
  | 'unchanged'
  | 'small regression'
  | 'regression'
  | 'lost'
  | 'not comparable';

export type Change = {
  readonly baseline: Measurement;
  readonly size: ChangeSize;
  /** In percentage points, positive when better, whatever the direction of the metric. */
  readonly points?: number;
  /** Over the cases that both runs measured: is the difference more than noise? */
  readonly paired?: Paired;
  /** A fall of one to five points whose interval over cases has room for none. */
  readonly isNoise?: true;
};

/** A regression somebody has looked at: let through, or a small one with its reason. */
export type Approval = {
  /** Absent: it was let through. */
  readonly kind?: 'reason';
  readonly metric: string;
  readonly reason: string;
  readonly who: string;
  readonly at: string;
};

/** One side of a comparison. `cases`: case id → metric id → measurement. */
export type Side = {
  readonly runId: string;
  readonly at: string;
  readonly scorer: string;
  readonly truthHash?: string;
  /** The name of the standard that it was held to; absent where it is not known. */
  readonly standard?: string;
  readonly metrics: Readonly<Record<string, Measurement>>;
  readonly cases: Readonly<Record<string, Readonly<Record<string, Measurement>>>>;
  /** Of a baseline whose cases are not there any more: what pairing them with those of the run gave. */
  readonly paired?: Readonly<Record<string, Paired>>;
};

export type ComparePolicy = {
  /** Metrics whose regression blocks, and whose small one asks for a reason. */
  readonly blocking: readonly string[];
  /** Those of them whose regression an approval lets through; all of them unless told. */
  readonly approvable?: readonly string[];
  readonly noisePoints: number;
  readonly blockPoints: number;
};

export type Comparison = {
  readonly baseline: { readonly runId: string; readonly at: string };
  /** Why the two runs should not be compared: another scorer, another truth. Empty when all is well. */
  readonly differences: readonly string[];
  readonly insisted: boolean;
  readonly changes: Readonly<Record<string, Change>>;
  readonly missingCases: readonly string[];
  readonly approvals: readonly Approval[];
};

type Compared = {
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  readonly better: Direction;
  readonly onlyWhereMeasured?: true;
};

export function compareWithBaseline(
  metrics: readonly Compared[],
  current: Side,
  baseline: Side,
  policy: ComparePolicy,
  options: { readonly approvals?: readonly Approval[]; readonly insist?: boolean } = {},
): Comparison {
  const differences = differencesBetween(current, baseline);
  const insisted = options.insist ?? false;
  const comparable = differences.length === 0 || insisted;
  return {
    baseline: { runId: baseline.runId, at: baseline.at },
    differences,
    insisted,
    changes: Object.fromEntries(
      metrics
        .filter((metric) => isStated(metric, current, baseline))
        .map((metric) => [
          metric.id,
          comparable
            ? changeOf(metric, current, baseline, policy)
            : { baseline: baselineOf(metric, baseline), size: 'not comparable' },
        ]),
    ),
    missingCases: Object.keys(baseline.cases).filter((id) => !Object.hasOwn(current.cases, id)),
    approvals: options.approvals ?? [],
  };
}

function isStated({ id, onlyWhereMeasured }: Compared, ...sides: readonly Side[]): boolean {
  return onlyWhereMeasured === undefined || sides.some(({ metrics }) => metrics[id]?.measured);
}

function differencesBetween(current: Side, baseline: Side): string[] {
  const differences: string[] = [];
  if (current.scorer !== baseline.scorer) {
    differences.push(
      `the baseline was measured by version ${baseline.scorer}, this run by ${current.scorer}`,
    );
  }
  if (current.truthHash !== baseline.truthHash) {
    differences.push('the baseline was measured against another golden set or ground truth');
  }
  const [now, then] = [current.standard, baseline.standard];
  if (now !== undefined && then !== undefined && now !== then) {
    differences.push(`the baseline was held to the standard ${then}, this run to ${now}`);
  }
  return differences;
}

function baselineOf({ id }: Compared, { metrics }: Side): Measurement {
  return metrics[id] ?? { measured: false, reason: 'not in the baseline' };
}

function changeOf(metric: Compared, current: Side, baseline: Side, policy: ComparePolicy): Change {
  const after = current.metrics[metric.id];
  const before = baselineOf(metric, baseline);
  if (!before.measured) return { baseline: before, size: 'not comparable' };
  if (after === undefined || !after.measured) return { baseline: before, size: 'lost' };
  const gain = metric.better === 'higher' ? after.value - before.value : before.value - after.value;
  const points = inPoints(gain, metric.unit);
  const paired = baseline.paired?.[metric.id] ?? pairedChange(metric, current.cases, baseline.cases);
  const size = sizeOf(points, policy);
  const isNoise = size === 'small regression' && hasRoomForNone(paired);
  return { baseline: before, points, size, ...(paired && { paired }), ...(isNoise && { isNoise }) };
}

function hasRoomForNone({ low, high }: Pick<Paired, 'low' | 'high'> = {}): boolean {
  return low !== undefined && high !== undefined && low <= 0 && high >= 0;
}

/** Under one point is no change, exactly one is a change; exactly five is still small. */
function sizeOf(points: number, policy: ComparePolicy): ChangeSize {
  if (Math.abs(points) < policy.noisePoints - TOLERANCE) return 'unchanged';
  if (points > 0) return 'improved';
  return -points > policy.blockPoints + TOLERANCE ? 'regression' : 'small regression';
}

/** A regression that blocks until somebody lets it through, or one that wants a reason. */
export type OpenRegression = {
  readonly metric: string;
  readonly points?: number;
  readonly needs: 'approval' | 'reason';
};

export function openRegressions(comparison: Comparison, policy: ComparePolicy): OpenRegression[] {
  if (comparison.differences.length > 0 && !comparison.insisted) return [];
  return policy.blocking.flatMap((metric): OpenRegression[] => {
    const change = comparison.changes[metric];
    const points = change?.points === undefined ? {} : { points: change.points };
    if (change?.size === 'small regression')
      return change.isNoise ? [] : [{ metric, ...points, needs: 'reason' }];
    const isDown = change?.size === 'regression' || change?.size === 'lost';
    return isDown && isApprovable(metric, policy) ? [{ metric, ...points, needs: 'approval' }] : [];
  });
}

function isApprovable(metric: string, { blocking, approvable = blocking }: ComparePolicy): boolean {
  return blocking.includes(metric) && approvable.includes(metric);
}

export function comparisonChecks(
  metrics: readonly Compared[],
  comparison: Comparison,
  policy: ComparePolicy,
): Check[] {
  if (comparison.differences.length > 0 && !comparison.insisted) {
    return comparison.differences.map((reason) => ({ id: 'baseline', outcome: 'inconclusive', reason }));
  }
  const checks = metrics.flatMap((metric) => {
    const change = comparison.changes[metric.id];
    return change === undefined ? [] : changeCheck(metric, change, comparison.approvals, policy);
  });
  if (comparison.missingCases.length > 0) {
    const names = comparison.missingCases.join(', ');
    checks.push({
      id: 'baseline:cases',
      outcome: 'blocked',
      reason: `cases of the baseline are missing: ${names}`,
    });
  }
  return checks;
}

function changeCheck(
  metric: Compared,
  change: Change,
  approvals: readonly Approval[],
  policy: ComparePolicy,
): Check[] {
  const id = `${metric.id}:baseline`;
  const drop = `${metric.title} got worse by ${Math.abs(change.points ?? 0).toFixed(1)} points since the baseline`;
  const entry = approvals.find((one) => one.metric === metric.id);
  const said = entry && `${entry.who} on ${entry.at.slice(0, 10)}: ${entry.reason}`;
  const blocks = policy.blocking.includes(metric.id);
  if (change.isNoise) return [{ id, outcome: 'passed', reason: `${drop}, within noise` }];
  if (change.size === 'small regression') {
    const wanted = blocks ? 'it needs a written reason' : 'find out why';
    const why = said === undefined ? wanted : `the reason given by ${said}`;
    return [{ id, outcome: 'warning', reason: `${drop}; ${why}` }];
  }
  if (change.size !== 'regression' && change.size !== 'lost') return [];
  const what =
    change.size === 'lost' ? `${metric.title} was measured in the baseline and is not any more` : drop;
  if (entry !== undefined && entry.kind === undefined && isApprovable(metric.id, policy)) {
    return [{ id, outcome: 'warning', reason: `${what}; approved by ${said}` }];
  }
  if (!blocks) return [{ id, outcome: 'warning', reason: what }];
  const way = isApprovable(metric.id, policy) ? 'it needs an approval' : 'investigate before going on';
  return [{ id, outcome: 'blocked', reason: `${what}; ${way}` }];
}
