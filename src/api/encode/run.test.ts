import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_VERDICT, PARTLY_MEASURED_VERDICT, VERDICT } from '../../report/testing/fixture.ts';
import { anyVerdict } from '../../report/testing/fixture-arbitrary.ts';
import { run } from '../schema/run.ts';
import { encodeRun } from './run.ts';

test.each([
  ['blocked', VERDICT],
  ['partly measured', PARTLY_MEASURED_VERDICT],
  ['empty', EMPTY_VERDICT],
])('a run that is %s has the documented shape', (_, verdict) => {
  expect(run.parse(encodeRun(verdict))).toEqual(encodeRun(verdict));
});

test('any run has the documented shape after a journey through JSON', () => {
  fc.assert(
    fc.property(anyVerdict, (verdict) => {
      expect(run.safeParse(JSON.parse(JSON.stringify(encodeRun(verdict)))).error).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

test('what was not measured is null with its reason, never a number', () => {
  const { metrics } = encodeRun(VERDICT).suite;
  for (const one of Object.values(metrics)) expect(one.value === null).toBe(one.reason !== undefined);
  expect(Object.values(metrics).some((one) => one.value === null)).toBe(true);
});

test('an instrument adds its own facts beside the shared ones', () => {
  const wire = encodeRun(VERDICT, { run: { model: 'm' }, case: (id) => ({ note: id }) });
  expect(wire.run).toMatchObject({ subject: VERDICT.subject, model: 'm' });
  expect(wire.cases[0]).toMatchObject({ note: VERDICT.cases[0]?.id });
});
