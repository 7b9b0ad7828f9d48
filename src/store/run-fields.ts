/** A run is the one record that is not flat: a header, its metrics, and cases with metrics of their own. */
import type { Estimate, Measurement, Unmeasured } from '../measure/metric.ts';
import { finite, invalid, isPlainObject, normaliseObject } from './canonical.ts';
import { checkRecord, listFields } from './fields.ts';
import type { CaseResult, RunRecord } from './store.ts';

export type RunHeader = Omit<RunRecord, 'metrics' | 'cases'>;
export type CaseHeader = Omit<CaseResult, 'metrics'>;

export const RUN_FIELDS = listFields<RunHeader>({
  runId: 'text',
  instrument: 'text',
  subject: 'text',
  at: 'time',
  scorer: 'text',
  truthHash: 'text?',
  verdict: { oneOf: { passed: true, blocked: true, inconclusive: true, 'could not run': true } },
  judgement: 'json?',
  facts: 'json?',
  project: 'text?',
});

export const CASE_FIELDS = listFields<CaseHeader>({
  caseId: 'text',
  zone: { oneOf: { fail: true, 'below target': true, pass: true, excellent: true }, optional: true },
  error: 'text?',
  evidence: 'json?',
  baseline: 'json?',
});

export const ESTIMATE_FIELDS = listFields<Omit<Estimate, 'measured'>>({
  value: 'number',
  low: 'number?',
  high: 'number?',
  n: 'number',
  pooled: 'number?',
  coverage: 'number?',
  spread: 'number?',
  skipped: 'json?',
});

const UNMEASURED_FIELDS = listFields<Omit<Unmeasured, 'measured'>>({ reason: 'text' });

/** A run whose cases are checked one by one, while they are read; they can be read once. */
export type CheckedRun = Omit<RunRecord, 'cases'> & {
  readonly cases: Iterable<CaseResult>;
};

export function checkRun(
  run: unknown,
  where: string,
): { readonly run: CheckedRun; readonly caseCount: number } {
  if (!isPlainObject(run)) throw invalid(where, 'must be a plain object');
  const { metrics, cases, ...header } = run;
  if (!Array.isArray(cases)) throw invalid(`${where}.cases`, 'must be a list');
  const checked = {
    ...checkRecord<RunHeader>(RUN_FIELDS, header, where),
    metrics: checkMetrics(metrics, `${where}.metrics`),
    cases: checkCases(cases, `${where}.cases`),
  };
  return { run: checked, caseCount: cases.length };
}

function* checkCases(cases: readonly unknown[], where: string): Generator<CaseResult> {
  for (const [i, item] of cases.entries()) yield checkCase(item, `${where}[${i}]`);
}

function checkCase(item: unknown, where: string): CaseResult {
  if (!isPlainObject(item)) throw invalid(where, 'must be a plain object');
  const { metrics, ...header } = item;
  if (header.baseline !== undefined) checkMetrics(header.baseline, `${where}.baseline`);
  return {
    ...checkRecord<CaseHeader>(CASE_FIELDS, header, where),
    metrics: checkMetrics(metrics, `${where}.metrics`),
  };
}

function checkMetrics(metrics: unknown, where: string): Readonly<Record<string, Measurement>> {
  return normaliseObject(metrics, where, (item, id) => checkMeasurement(item, `${where}.${id}`));
}

function checkMeasurement(item: unknown, where: string): Measurement {
  if (!isPlainObject(item)) throw invalid(where, 'must be a plain object');
  const { measured, ...rest } = item;
  if (measured === false) {
    return { measured, ...checkRecord<Omit<Unmeasured, 'measured'>>(UNMEASURED_FIELDS, rest, where) };
  }
  if (measured !== true) throw invalid(`${where}.measured`, 'must be true or false');
  const estimate = checkRecord<Omit<Estimate, 'measured'>>(ESTIMATE_FIELDS, rest, where);
  if (estimate.skipped !== undefined) {
    normaliseObject(estimate.skipped, `${where}.skipped`, (count) => finite(count, `${where}.skipped`));
  }
  return { measured, ...estimate };
}
