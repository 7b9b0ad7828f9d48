import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJson } from './json.ts';
import { EMPTY_VERDICT, PARTLY_MEASURED_VERDICT, VERDICT } from './testing/fixture.ts';
import { anyVerdict, CONTROL } from './testing/fixture-arbitrary.ts';

test('a metric carries value, interval, n, zone and its change', () => {
  const { metrics } = JSON.parse(renderJson(VERDICT));
  expect(metrics.concept_recall).toEqual({
    value: 0.724,
    low: 0.681,
    high: 0.762,
    n: 11,
    pooled: 0.7312,
    zone: 'below target',
    unit: 'ratio',
    better: 'higher',
    change: {
      size: 'regression',
      points: -8,
      baseline: { value: 0.804, low: 0.761, high: 0.842, n: 12, pooled: null },
      paired: { cases: 11, points: -7.6, low: -11.2, high: -3.9, p: 0.0039, verdict: 'worse' },
    },
  });
});

test('a composite carries its coverage, in the suite and in each case', () => {
  const { metrics, cases } = JSON.parse(renderJson(PARTLY_MEASURED_VERDICT));
  expect(metrics.overall.coverage).toBe(0.85);
  expect(cases.map((item: typeof cases) => item.metrics.overall.coverage)).toEqual([1, 0.7]);
});

test('what was not measured is null with a reason', () => {
  const { metrics } = JSON.parse(renderJson(VERDICT));
  expect(metrics.relation_recall).toMatchObject({
    value: null,
    n: 0,
    reason: 'no case has relations in its golden answer',
  });
});

test('the top level has the same keys in every run', () => {
  const keys = [
    'instrument',
    'subject',
    'validity',
    'metrics',
    'cases',
    'comparison',
    'trends',
    'gate',
    'notes',
  ];
  expect(Object.keys(JSON.parse(renderJson(VERDICT)))).toEqual(keys);
  expect(Object.keys(JSON.parse(renderJson(EMPTY_VERDICT)))).toEqual(keys);
});

test('the gate says its verdict, its exit code, and why', () => {
  const { gate } = JSON.parse(renderJson(VERDICT));
  expect(gate).toMatchObject({ verdict: 'blocked', exit_code: 1 });
  expect(gate.checks).toHaveLength(5);
});

test('a case that could not be read has an error', () => {
  const { cases } = JSON.parse(renderJson(VERDICT));
  expect(cases[8]).toMatchObject({
    id: 'scan-0042',
    zone: null,
    metrics: {},
    error: expect.stringContaining('not JSON'),
  });
});

test('all keys of ours are snake_case', () => {
  expect(renderJson({ ...VERDICT, validity: { ...VERDICT.validity, skipped: {} } })).not.toMatch(
    /"[a-z]+[A-Z]\w*":/,
  );
});

test('any verdict gives JSON that holds its names exactly and prints without control characters', () => {
  fc.assert(
    fc.property(anyVerdict, (verdict) => {
      const json = renderJson(verdict);
      expect(json).not.toMatch(CONTROL);
      expect(JSON.parse(json).cases.map((item: { id: string }) => item.id)).toEqual(
        verdict.cases.map((item) => item.id),
      );
    }),
  );
});
