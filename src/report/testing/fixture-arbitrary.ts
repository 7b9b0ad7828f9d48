/** Any verdict at all, for the laws that hold for every input. Only tests import this. */
import fc from 'fast-check';
import { gate } from '../../judge/gate.ts';
import type { JudgedCase, JudgedMetric, Verdict } from '../../judge/verdict.ts';
import { ZONES } from '../../judge/zone.ts';
import { estimate, type Measurement, type Unit, unmeasured } from '../../measure/metric.ts';

/** What must never reach a screen; our own line breaks are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose.
export const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

const HOSTILE = [
  '\u001b[2J',
  '\u009b31m',
  'a\nb\r\nc\td',
  '\u202egnp.exe',
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  ']]>',
  '&amp;',
  '"\'`|\\',
  '=1+1',
  '＝1',
  '@octocat #12',
  '\ud800',
  '\uffff',
  '日本語 👩‍👩‍👧 e\u0301',
  'x'.repeat(300),
  '__proto__',
  '',
];

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 3 }).map((parts) => parts.join(' ')),
);

const anyNumber = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -5, max: 2000 }),
);

const anyMeasurement: fc.Arbitrary<Measurement> = fc.oneof(
  fc.tuple(anyNumber, fc.nat()).map(([value, n]) => estimate(value, n)),
  fc
    .tuple(anyNumber, anyNumber, anyNumber, fc.nat())
    .map(([value, low, high, n]) => estimate(value, n, { low, high })),
  anyText.map(unmeasured),
);

const UNITS: readonly Unit[] = ['ratio', 'percent', 'score', 'count', 'points-per-1k-tokens', 'usd', 'ms'];

const anyMetric: fc.Arbitrary<JudgedMetric> = fc
  .record({
    id: anyText,
    title: anyText,
    unit: fc.constantFrom(...UNITS),
    better: fc.constantFrom('higher', 'lower'),
    measurement: anyMeasurement,
    zone: fc.option(fc.constantFrom(...ZONES), { nil: undefined }),
  })
  .map(({ zone, ...metric }) => ({ ...metric, ...(zone !== undefined && { zone }) }));

const anyCase: fc.Arbitrary<JudgedCase> = fc
  .record({
    id: anyText,
    metrics: fc.array(anyMetric, { maxLength: 3 }),
    zone: fc.option(fc.constantFrom(...ZONES), { nil: undefined }),
    notes: fc.array(anyText, { maxLength: 2 }),
    error: fc.option(anyText, { nil: undefined }),
  })
  .map(({ zone, error, ...item }) => ({
    ...item,
    ...(zone !== undefined && { zone }),
    ...(error !== undefined && { error }),
  }));

const anyCheck = fc.record({
  id: anyText,
  outcome: fc.constantFrom(
    'passed' as const,
    'warning' as const,
    'blocked' as const,
    'inconclusive' as const,
  ),
  reason: anyText,
});

const anyTrendPoint = fc.record({
  runId: anyText,
  at: fc.oneof(fc.constantFrom('2026-11-14T09:30:00.000Z', '2026-11-07T09:30:00.000Z', 'no date'), anyText),
  value: fc.double({ min: -10, max: 1000, noNaN: true }),
});

export const anyVerdict: fc.Arbitrary<Verdict> = fc
  .record({
    text: fc.array(anyText, { minLength: 5, maxLength: 5 }),
    metrics: fc.array(anyMetric, { maxLength: 5 }),
    cases: fc.array(anyCase, { maxLength: 13 }),
    checks: fc.array(anyCheck, { maxLength: 5 }),
    points: fc.array(anyTrendPoint, { maxLength: 4 }),
  })
  .map(
    ({
      text: [instrument = '', subject = '', runId = '', scorer = '', note = ''],
      metrics,
      cases,
      checks,
      points,
    }) => ({
      instrument,
      subject,
      validity: {
        runId,
        at: '2026-11-14T09:30:00.000Z',
        scorer,
        truthHash: note,
        cases: cases.length,
        skipped: { [note]: 1 },
      },
      metrics,
      cases,
      trends: [{ metric: subject, title: note, unit: 'ratio', points, declines: 3, alert: true }],
      gate: gate(checks),
      notes: [note],
    }),
  );
