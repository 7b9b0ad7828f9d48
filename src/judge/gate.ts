import { inPoints } from './points.ts';
import type { JudgedCase, JudgedMetric } from './verdict.ts';
import { meets } from './zone.ts';

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
  readonly reasons: readonly string[];
};

/**
 * One blocking check blocks; short of that one inconclusive check is inconclusive; no check at all is too. Against a draft
 * nothing is blocked: neither agreeing nor disagreeing with a proposal proves anything.
 */
export function gate(checks: readonly Check[]): Gate {
  const has = (outcome: Check['outcome']) => checks.some((check) => check.outcome === outcome);
  const isDraft = checks.some(({ id }) => id === DRAFTS);
  const verdict: GateVerdict =
    has('blocked') && !isDraft
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

/** What somebody asks instead of what is documented, in words. */
export type OwnStandard = {
  /** Titles of the metrics that decide nothing although the documented standard gates them. */
  readonly leftOut: readonly string[];
  readonly says: readonly string[];
  readonly looser: boolean;
};

/** A standard of one's own never goes unsaid, and one that asks for less is a warning. */
export function standardChecks({ standard }: GatePolicy): Check[] {
  if (standard === undefined) return [];
  const outcome = standard.looser ? 'warning' : 'passed';
  return [{ id: 'standard', outcome, reason: `your standard: ${standard.says.join('; ')}` }];
}

export type GatePolicy = {
  readonly gated: readonly string[];
  readonly warnWhenWorseThan?: Readonly<Record<string, number>>;
  /** Metrics that another one stands for: their zones are shown and decide nothing, in a case as in the gate. */
  readonly aside?: readonly string[];
  /** What a case with a metric in the fail zone does; without it such a case is only shown. */
  readonly caseFailures?: 'warn' | 'block';
  /** Fewer cases than this prove nothing. */
  readonly minCases?: number;
  /** Cases whose truth a program proposed and nobody has corrected: what agrees with them proves nothing. */
  readonly drafts?: readonly string[];
  /** Why the numbers prove nothing: what was measured, or measured against, is not what it should be. */
  readonly doubts?: readonly string[];
  /** Why a part could not be measured at all: then nothing is judged. */
  readonly notRun?: readonly string[];
  readonly standard?: OwnStandard;
  /** Repeats of one case that differ by more points than this (standard deviation) raise a warning. */
  readonly widestSpread?: number;
};

/** A gated metric in the fail zone blocks; one that could not be measured leaves the gate inconclusive. */
export function zoneChecks(metrics: readonly JudgedMetric[], policy: GatePolicy): Check[] {
  const unknown = policy.gated.filter((id) => !metrics.some((metric) => metric.id === id));
  const known = metrics.flatMap((metric) => {
    const checks: Check[] = [];
    if (policy.gated.includes(metric.id)) {
      checks.push(zoneCheck(metric), ...spreadCheck(metric, policy.widestSpread ?? Infinity));
    }
    const line = policy.warnWhenWorseThan?.[metric.id];
    if (
      line !== undefined &&
      metric.measurement.measured &&
      !meets(metric.measurement.value, line, metric.better)
    ) {
      checks.push({
        id: `${metric.id}:warning`,
        outcome: 'warning',
        reason: `${metric.title} is worse than the warning line of ${sayLine(line, metric.unit)}`,
      });
    }
    return checks;
  });
  return [...known, ...unknown.map(unknownCheck)];
}

function sayLine(line: number, unit: JudgedMetric['unit']): string {
  return unit === 'ratio' ? `${Number((line * 100).toFixed(4))}%` : String(line);
}

/** How many failed cases are named; the others are counted. */
const NAMED_CASES = 5;

/** What the cases say beside the suite: too few of them, or failed ones that a mean would hide. */
export function caseChecks(cases: readonly JudgedCase[], policy: GatePolicy): Check[] {
  const { caseFailures, minCases = 0, drafts = [], doubts = [] } = policy;
  const failed = cases.filter((one) => one.failed === true);
  const checks: Check[] = [];
  if (caseFailures !== undefined && failed.length > 0) {
    const outcome = caseFailures === 'block' ? 'blocked' : 'warning';
    checks.push({ id: 'cases:failed', outcome, reason: sayFailed(failed, policy) });
  }
  if (drafts.length > 0) checks.push(draftsCheck(drafts));
  checks.push(...doubts.map((reason): Check => ({ id: 'integrity', outcome: 'inconclusive', reason })));
  if (cases.length > 0 && cases.length < minCases) {
    const more = minCases - cases.length;
    const reason = `${cases.length} of at least ${minCases} ${minCases === 1 ? 'case' : 'cases'}: too few to pass; ${more} more ${more === 1 ? 'is' : 'are'} needed`;
    checks.push({ id: 'cases', outcome: 'inconclusive', reason });
  }
  return checks;
}

const DRAFTS = 'cases:drafts';

function draftsCheck(drafts: readonly string[]): Check {
  const named = drafts.slice(0, NAMED_CASES).join(', ');
  const more = drafts.length > NAMED_CASES ? ` and ${drafts.length - NAMED_CASES} more` : '';
  const what = drafts.length === 1 ? 'is a draft' : 'are drafts';
  const reason = `${named}${more} ${what} that nobody has corrected; agreeing with a proposal proves nothing`;
  return { id: DRAFTS, outcome: 'inconclusive', reason };
}

function sayFailed(failed: readonly JudgedCase[], { aside = [] }: GatePolicy): string {
  const named = failed.slice(0, NAMED_CASES).map(({ id, metrics }) => {
    const titles = metrics.filter((one) => one.zone === 'fail' && !aside.includes(one.id));
    return `${id} (${titles.map(({ title }) => title).join(', ')})`;
  });
  const more = failed.length - named.length;
  return `${failed.length} ${failed.length === 1 ? 'case' : 'cases'} failed: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Repeats that differ widely: what one of them shows, another may not. */
function spreadCheck(metric: JudgedMetric, widest: number): Check[] {
  const { measurement, title, unit, id } = metric;
  const spread = measurement.measured ? inPoints(measurement.spread ?? 0, unit) : 0;
  if (spread <= widest) return [];
  const reason = `${title} differs by ${spread.toFixed(1)} points between repeats of the same case (standard deviation); a single answer says little`;
  return [{ id: `${id}:spread`, outcome: 'warning', reason }];
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
