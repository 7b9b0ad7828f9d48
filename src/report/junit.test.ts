import { DOMParser, type Element } from '@xmldom/xmldom';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { couldNotRun, gate } from '../judge/gate.ts';
import type { Verdict } from '../judge/verdict.ts';
import { renderJunit } from './junit.ts';
import { EMPTY_VERDICT, PASSED_VERDICT, VERDICT } from './testing/fixture.ts';
import { anyVerdict } from './testing/fixture-arbitrary.ts';

function parse(xml: string): Element {
  const stop = (level: string, message: string) => {
    // A replacement character is legal; the parser only wonders about it.
    if (level !== 'warning') throw new Error(`${level}: ${message}`);
  };
  const root = new DOMParser({ onError: stop }).parseFromString(xml, 'text/xml').documentElement;
  if (root === null) throw new Error('no root element');
  return root;
}

function caseNamed(root: Element, name: string): Element {
  const found = Array.from(root.getElementsByTagName('testcase')).find(
    (item) => item.getAttribute('name') === name,
  );
  if (found === undefined) throw new Error(`no test case ${name}`);
  return found;
}

test('a blocked check is a failure with its reason, a warning is output', () => {
  const root = parse(renderJunit(VERDICT));
  const blocked = caseNamed(root, 'sample/concept-recall:baseline').getElementsByTagName('failure')[0];
  expect(blocked?.getAttribute('message')).toBe(
    'Concept recall fell by 8.0 points since the baseline; it needs an approval',
  );
  const warned = caseNamed(root, 'sample/invented-rate:baseline');
  expect(warned.getElementsByTagName('failure')).toHaveLength(0);
  expect(warned.getElementsByTagName('system-out')[0]?.textContent).toContain('warning: Invented concepts');
});

test('a case that could not be read is an error', () => {
  const error = caseNamed(parse(renderJunit(VERDICT)), 'scan-0042').getElementsByTagName('error')[0];
  expect(error?.getAttribute('message')).toContain('not JSON');
});

test('a run without measurements is an error: a skipped test looks green', () => {
  const error = caseNamed(parse(renderJunit(EMPTY_VERDICT)), 'gate').getElementsByTagName('error')[0];
  expect(error?.getAttribute('message')).toBe('nothing was measured');
});

test('a check that has nothing to go by is an error when nothing was measured, else skipped', () => {
  const check = { id: 'x', outcome: 'inconclusive', reason: 'it was not measured' } as const;
  const outcomes = (verdict: Verdict) => {
    const one = caseNamed(parse(renderJunit({ ...verdict, gate: gate([check]) })), 'x');
    return ['error', 'skipped'].filter((name) => one.getElementsByTagName(name).length > 0);
  };
  expect(
    outcomes({ ...VERDICT, metrics: VERDICT.metrics.filter((one) => !one.measurement.measured) }),
  ).toEqual(['error']);
  expect(outcomes(VERDICT)).toEqual(['skipped']);
});

test('a run that could not run is an error', () => {
  const root = parse(renderJunit({ ...EMPTY_VERDICT, gate: couldNotRun(['a: not JSON', 'b: not JSON']) }));
  expect(caseNamed(root, 'gate').getElementsByTagName('error')[0]?.getAttribute('message')).toBe(
    'a: not JSON; b: not JSON',
  );
});

test('a run that passes has no failure, even if a single case is in the fail zone', () => {
  const failing = VERDICT.cases.filter((item) => item.zone === 'fail');
  const root = parse(renderJunit({ ...PASSED_VERDICT, cases: failing }));
  expect(root.getAttribute('failures')).toBe('0');
  expect(root.getElementsByTagName('system-out')[0]?.textContent).toContain('Concept recall: 41.0%, fail');
});

test('the totals add up', () => {
  const root = parse(renderJunit(VERDICT));
  expect(root.getAttribute('tests')).toBe('17');
  expect(root.getAttribute('failures')).toBe(String(root.getElementsByTagName('failure').length));
  expect(root.getAttribute('errors')).toBe('1');
});

test('any verdict gives well-formed XML with one test case per check and per case', () => {
  fc.assert(
    fc.property(anyVerdict, (verdict) => {
      const root = parse(renderJunit(verdict));
      const expected = Math.max(1, verdict.gate.checks.length) + verdict.cases.length;
      expect(root.getElementsByTagName('testcase')).toHaveLength(expected);
    }),
  );
});
