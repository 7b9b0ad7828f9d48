import type { JudgedMetric } from './verdict.ts';
import { meets } from './zone.ts';

/** What one rule says: it blocks, it warns, it has too little evidence to say, or all is well. */
export type Check = {
  readonly id: string;
  readonly outcome: 'passed' | 'warning' | 'blocked' | 'inconclusive';
  readonly reason: string;
};

export type GateVerdict = 'passed' | 'blocked' | 'inconclusive' | 'could not run';

/** The same for every command. */
export const EXIT_CODES: Readonly<Record<GateVerdict, 0 | 1 | 2 | 3>> = {
  passed: 0,
  blocked: 1,
  inconclusive: 2,
  'could not run': 3,
};

export type Gate = {
  readonly verdict: GateVerdict;
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly checks: readonly Check[];
  /** Why the verdict is what it is, and what deserves a look although it passed. */
  readonly reasons: readonly string[];
};

/** One blocking check blocks; short of that one inconclusive check is inconclusive; no check at all is too. */
export function gate(checks: readonly Check[]): Gate {
  const has = (outcome: Check['outcome']) => checks.some((check) => check.outcome === outcome);
  const verdict: GateVerdict = has('blocked')
    ? 'blocked'
    : has('inconclusive') || checks.length === 0
      ? 'inconclusive'
      : 'passed';
  const reasons =
    checks.length === 0
      ? ['nothing was measured']
      : checks.filter((check) => check.outcome !== 'passed').map((check) => check.reason);
  return { verdict, exitCode: EXIT_CODES[verdict], checks, reasons };
}

/** Not one case could be read: the fault lies before the measuring, and nothing was judged. */
export function couldNotRun(reasons: readonly string[]): Gate {
  return { verdict: 'could not run', exitCode: EXIT_CODES['could not run'], checks: [], reasons };
}

/** Which metrics may block, and which raise a warning as soon as they are worse than a line. */
export type GatePolicy = {
  readonly gated: readonly string[];
  readonly warnWhenWorseThan?: Readonly<Record<string, number>>;
  /** Metrics that another one stands for: their zones are shown and decide nothing, in a case as in the gate. */
  readonly aside?: readonly string[];
};

/** A gated metric in the fail zone blocks; one that could not be measured leaves the gate inconclusive. */
export function zoneChecks(metrics: readonly JudgedMetric[], policy: GatePolicy): Check[] {
  const unknown = policy.gated.filter((id) => !metrics.some((metric) => metric.id === id));
  const known = metrics.flatMap((metric) => {
    const checks: Check[] = [];
    if (policy.gated.includes(metric.id)) checks.push(zoneCheck(metric));
    const line = policy.warnWhenWorseThan?.[metric.id];
    if (
      line !== undefined &&
      metric.measurement.measured &&
      !meets(metric.measurement.value, line, metric.better)
    ) {
      checks.push({
        id: `${metric.id}:warning`,
        outcome: 'warning',
        reason: `${metric.title} is worse than the warning line; look before you go on`,
      });
    }
    return checks;
  });
  return [...known, ...unknown.map(unknownCheck)];
}

/** A gate that silently drops what it should hold would be green for the wrong reason. */
function unknownCheck(id: string): Check {
  return { id, outcome: 'inconclusive', reason: `${id} is gated, but there is no such metric` };
}

function zoneCheck(metric: JudgedMetric): Check {
  if (!metric.measurement.measured) {
    return {
      id: metric.id,
      outcome: 'inconclusive',
      reason: `${metric.title} was not measured: ${metric.measurement.reason}`,
    };
  }
  if (metric.zone === 'fail') {
    return { id: metric.id, outcome: 'blocked', reason: `${metric.title} is in the fail zone` };
  }
  return { id: metric.id, outcome: 'passed', reason: `${metric.title} is not in the fail zone` };
}
