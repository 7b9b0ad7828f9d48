import type { Check } from '../judge/gate.ts';
import type { JudgedCase, Verdict } from '../judge/verdict.ts';
import { formatJudged } from './number.ts';
import { plain } from './unsafe-text.ts';

type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

type TestCase = {
  readonly name: string;
  readonly outcome: Outcome;
  readonly message: string;
  readonly type: string;
  readonly output: readonly string[];
};

type Suite = { readonly name: string; readonly cases: () => Iterable<TestCase> };

/** For CI systems that draw JUnit reports: the checks of the gate are one suite, the cases another. */
export function renderJunit(verdict: Verdict): string {
  return [...junitPieces(verdict)].join('');
}

/** The same a case at a time: there may be thousands, each with all its values in words. */
export function* junitPieces(verdict: Verdict): Generator<string> {
  const ofGate = gateCases(verdict);
  const suites: Suite[] = [
    { name: 'gate', cases: () => ofGate },
    { name: 'cases', cases: () => verdict.cases.values().map((item) => judgedCase(item, verdict)) },
  ];
  const counted = suites.map(({ cases }) => countOutcomes(cases()));
  const name = attribute(`${verdict.instrument} ${verdict.subject}`);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="${name}" ${countWords(counted)} time="0">\n`;
  for (const [index, suite] of suites.entries())
    yield* suitePieces(suite, countWords(counted.slice(index, index + 1)), verdict);
  yield '</testsuites>\n';
}

/**
 * A gate without checks still says something: nothing was measured, or it could not run. Most systems draw a skipped
 * test green, and a run in which nothing was measured is never green: it is an error.
 */
function gateCases({ gate, metrics }: Verdict): TestCase[] {
  const nothing = !metrics.some((metric) => metric.measurement.measured);
  const checks = gate.checks.map((check) => checkCase(check, nothing));
  if (checks.length > 0 && gate.verdict !== 'could not run') return checks;
  const message = gate.reasons.join('; ');
  const outcome = gate.verdict === 'passed' ? 'passed' : 'error';
  return [{ name: 'gate', outcome, message, type: gate.verdict, output: [] }, ...checks];
}

const CHECK_OUTCOMES: Readonly<Record<Check['outcome'], Outcome>> = {
  passed: 'passed',
  warning: 'passed',
  blocked: 'failure',
  inconclusive: 'skipped',
};

function checkCase(check: Check, nothingMeasured: boolean): TestCase {
  const outcome = CHECK_OUTCOMES[check.outcome];
  return {
    name: check.id,
    outcome: outcome === 'skipped' && nothingMeasured ? 'error' : outcome,
    message: check.reason,
    type: check.outcome,
    output: check.outcome === 'warning' ? [`warning: ${check.reason}`] : [],
  };
}

/**
 * A case that its policy calls failed is a failure, whatever the whole did. Elsewhere the gate decides: a case in the fail
 * zone is a failure only in a run that is blocked, so that this report is not red where the exit code is green.
 */
function judgedCase(item: JudgedCase, verdict: Verdict): TestCase {
  const values = item.metrics.map((metric) => {
    const { title, measurement, zone } = metric;
    const reason = measurement.measured ? '' : ` (${measurement.reason})`;
    return `${title}: ${formatJudged(metric)}${zone === undefined ? reason : `, ${zone}`}`;
  });
  const base = { name: item.id, output: [...values, ...item.notes] };
  if (item.error !== undefined) return { ...base, outcome: 'error', message: item.error, type: 'error' };
  const measured = item.metrics.some((metric) => metric.measurement.measured);
  if (!measured) return { ...base, outcome: 'skipped', message: 'unmeasured', type: 'unmeasured' };
  const failed = item.failed === true || (item.zone === 'fail' && verdict.gate.verdict === 'blocked');
  const zone = item.zone ?? 'no target';
  return { ...base, outcome: failed ? 'failure' : 'passed', message: failingMetrics(item), type: zone };
}

function failingMetrics(item: JudgedCase): string {
  const failing = item.metrics.filter((metric) => metric.zone === 'fail').map((metric) => metric.title);
  return failing.length === 0 ? 'in the fail zone' : `in the fail zone: ${failing.join(', ')}`;
}

function* suitePieces({ name, cases }: Suite, counts: string, verdict: Verdict): Generator<string> {
  yield `  <testsuite name="${attribute(name)}" ${counts} time="0" timestamp="${attribute(verdict.validity.at)}">\n`;
  for (const item of cases()) yield `${caseLines(item, `${verdict.instrument}.${name}`).join('\n')}\n`;
  yield '  </testsuite>\n';
}

function caseLines(item: TestCase, className: string): string[] {
  const open = `    <testcase classname="${attribute(className)}" name="${attribute(item.name)}" time="0"`;
  const inner = [
    ...outcomeLines(item),
    ...(item.output.length > 0
      ? [`      <system-out>${item.output.map(content).join('\n')}</system-out>`]
      : []),
  ];
  return inner.length === 0 ? [`${open}/>`] : [`${open}>`, ...inner, '    </testcase>'];
}

function outcomeLines({ outcome, message, type }: TestCase): string[] {
  if (outcome === 'passed') return [];
  if (outcome === 'skipped') return [`      <skipped message="${attribute(message)}"/>`];
  return [
    `      <${outcome} message="${attribute(message)}" type="${attribute(type)}">${content(message)}</${outcome}>`,
  ];
}

function countOutcomes(cases: Iterable<TestCase>): Record<Outcome, number> {
  const count = { passed: 0, failure: 0, error: 0, skipped: 0 };
  for (const { outcome } of cases) count[outcome] += 1;
  return count;
}

function countWords(counted: readonly Record<Outcome, number>[]): string {
  const sum = (...outcomes: Outcome[]) =>
    counted.reduce((all, one) => all + outcomes.reduce((some, outcome) => some + one[outcome], 0), 0);
  const tests = sum('passed', 'failure', 'error', 'skipped');
  return `tests="${tests}" failures="${sum('failure')}" errors="${sum('error')}" skipped="${sum('skipped')}"`;
}

/** `plain` has made visible whatever XML 1.0 forbids: controls, lone surrogates, non-characters. */
function content(text: string): string {
  return plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;');
}
