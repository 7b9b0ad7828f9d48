import { expect, it } from 'vitest';
import { caseChecks, gate, standardChecks } from './gate.ts';
import { zoneOf } from './zone.ts';

it('says why, and what deserves a look although it passed', () => {
  const check = (outcome: 'passed' | 'warning') => ({ id: outcome, outcome, reason: `it is ${outcome}` });
  expect(gate([check('passed'), check('warning')]).reasons).toEqual(['it is warning']);
});

it('warns of a standard that asks for less, and cannot pass on a single draft', () => {
  const standard = { leftOut: [], says: ['recall 0.5'], looser: true };
  expect(standardChecks({ gated: [], standard })).toMatchObject([{ outcome: 'warning' }]);
  expect(caseChecks([], { gated: [], drafts: ['a'] })).toMatchObject([{ outcome: 'inconclusive' }]);
});

it('takes a sum that misses its line by rounding for one on the line', () => {
  expect(zoneOf(0.1 + 0.2, { fail: 0.3, target: 0.3, excellent: 0.3 }, 'lower')).toBe('excellent');
});
