import {
  gatePolicy,
  type OwnLines,
  type Standard,
  standardMetrics,
  zonesWith,
} from '../../decomposition/standard.ts';
import { AssayError } from '../../errors.ts';
import { type Metric, metricKey } from '../../measure/metric.ts';
import { didYouMean } from '../../suggest.ts';

type Declared = Pick<Metric<never>, 'id' | 'title' | 'better' | 'range' | 'zones'>;

/** Reports an implausible custom standard before measuring. */
export function checkStandard(standard: Standard): void {
  const metrics: readonly Declared[] = standardMetrics({ ...standard, gate: {} });
  const { lines = {}, leaveOut = [], minCases } = standard.gate ?? {};
  for (const key of leaveOut) metricNamed(key, metrics);
  for (const [key, own] of Object.entries(lines)) checkLines(key, own, metricNamed(key, metrics));
  if (minCases !== undefined && (!Number.isInteger(minCases) || minCases < 1)) {
    throw fault('minCases', `is a whole number from 1 on, not ${minCases}`);
  }
  if (gatePolicy(standard).gated.length === 0) {
    throw fault('leaveOut', 'leaves no metric in the gate, so nothing could pass');
  }
}

function metricNamed(key: string, metrics: readonly Declared[]): Declared {
  const found = metrics.find(({ id }) => metricKey(id) === key);
  if (found !== undefined) return found;
  const keys = metrics.map(({ id }) => metricKey(id));
  throw new AssayError('USAGE', `the gate: there is no metric "${key}"${didYouMean(key, keys)}`, {
    remedy: `It is one of ${keys.join(', ')}.`,
  });
}

function checkLines(key: string, own: OwnLines, { better, range, zones }: Declared): void {
  const named = typeof own === 'number' ? [own] : Object.values(own).filter((line) => line !== undefined);
  if (named.length === 0) throw fault(key, 'needs a line, e.g. { fail: 0.6, target: 0.7, excellent: 0.85 }');
  for (const line of named) {
    const meant = line > 1 && line <= 100 ? `; for ${line} percent write ${line / 100}` : '';
    if (!(line >= Math.min(0, range[0]) && line <= 1))
      throw fault(key, `lies from 0 to 1, not at ${line}${meant}`);
  }
  const { fail, target, excellent } = zonesWith(own, zones, better);
  const sign = better === 'higher' ? 1 : -1;
  if (sign * fail <= sign * target && sign * target <= sign * excellent) return;
  const order = better === 'higher' ? 'fail ≤ target ≤ excellent' : 'fail ≥ target ≥ excellent';
  throw fault(key, `has lines in the wrong order (${fail}, ${target}, ${excellent}); ${order} is required`);
}

function fault(place: string, what: string): AssayError {
  return new AssayError('USAGE', `the gate: ${place} ${what}`, {
    remedy: 'It is set by decomposition.gate in the configuration, and by the options of the gate.',
  });
}
