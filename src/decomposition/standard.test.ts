import { expect, it } from 'vitest';
import { measureAll } from '../measure/measure.ts';
import { evidenceWith } from './example-evidence.ts';
import {
  gatePolicy,
  type OwnGate,
  ownStandard,
  standardMetrics,
  standardName,
  zonesWith,
} from './standard.ts';
import { OVERALL_WEIGHTS } from './weights.ts';

const DOCUMENTED = { fail: 0.6, target: 0.7, excellent: 0.85 };
const withGate = (gate: OwnGate) => ({ weights: OVERALL_WEIGHTS, overallScale: 'documented', gate }) as const;

it('keeps lines that were not named, but never on the worse side of one that was', () => {
  expect(zonesWith(0.5, DOCUMENTED, 'higher')).toEqual({ fail: 0.5, target: 0.7, excellent: 0.85 });
  expect(zonesWith(0.8, DOCUMENTED, 'higher')).toEqual({ fail: 0.8, target: 0.8, excellent: 0.85 });
  expect(zonesWith({ target: 0.5 }, DOCUMENTED, 'higher')).toEqual({
    fail: 0.5,
    target: 0.5,
    excellent: 0.85,
  });
  expect(zonesWith({ excellent: 0.65 }, DOCUMENTED, 'higher')).toEqual({
    fail: 0.6,
    target: 0.65,
    excellent: 0.65,
  });
  expect(zonesWith(0.01, { fail: 0.05, target: 0.02, excellent: 0 }, 'lower')).toEqual({
    fail: 0.01,
    target: 0.01,
    excellent: 0,
  });
  expect(zonesWith(0.4, undefined, 'higher')).toEqual({ fail: 0.4, target: 0.4, excellent: 0.4 });
});

it('gives every standard that is not the documented one a name of its own', () => {
  const name = (gate: OwnGate) => standardName(withGate(gate));
  expect(name({})).toBe('documented');
  // What repeats the documented lines is documented.
  expect(name({ lines: { concept_recall: 0.6 }, leaveOut: [], minCases: 5 })).toBe('documented');
  const names = [
    { lines: { concept_recall: 0.5 } },
    { lines: { concept_recall: 0.8 } },
    { leaveOut: ['provenance_coverage'] },
    { leaveOut: ['overall'] },
    { minCases: 3 },
  ].map(name);
  expect(names.every((one) => /^own\.[0-9a-f]{8}$/.test(one))).toBe(true);
  expect(new Set(names).size).toBe(names.length);
  expect(name({ leaveOut: ['overall', 'concept_f1'] })).toBe(name({ leaveOut: ['concept_f1', 'overall'] }));
});

it('gates a metric that has a fail line of yours, and not one that is left out', () => {
  const { gated, aside } = gatePolicy(
    withGate({ lines: { verified_provenance: 0.9 }, leaveOut: ['provenance_coverage'] }),
  );
  expect(gated).toContain('decomposition/verified-provenance');
  expect(gated).not.toContain('decomposition/provenance-coverage');
  expect(aside).toContain('decomposition/provenance-coverage');
});

it('scores without what is left out, its weight shared out among the rest', () => {
  const cases = [
    evidenceWith({
      extracted: 20,
      correct: 16,
      quoted: 0,
      expected: 25,
      found: 18,
      relationships: 40,
      correctRelationships: 28,
    }),
  ];
  const overallOf = (gate: OwnGate) =>
    measureAll(standardMetrics(withGate(gate)), cases)['decomposition/overall'];
  // 0.25 × 0.72 + 0.2 × 0.8 + 0.2 × 0.7
  expect(overallOf({})).toMatchObject({ value: expect.closeTo(0.48, 9), coverage: 1 });
  // The same over 0.65 of the weight, on the scale of 0.85.
  expect(overallOf({ leaveOut: ['provenance_coverage'] })).toMatchObject({
    value: expect.closeTo((0.48 * 0.85) / 0.65, 9),
    coverage: expect.closeTo(0.8, 9),
  });
});

it('says what is yours, and whether it asks for less than is documented', () => {
  const own = (gate: OwnGate) => ownStandard(withGate(gate));
  expect(own({})).toBeUndefined();
  expect(own({ lines: { concept_recall: 0.8 } })).toEqual({
    leftOut: [],
    says: ['Concept recall fails below 80% (documented 60%), target 80% (documented 70%)'],
    looser: false,
  });
  expect(own({ lines: { hallucination_rate: 0.1 } })?.looser).toBe(true);
  expect(own({ minCases: 8 })).toMatchObject({ says: ['at least 8 cases (documented 5)'], looser: false });
  expect(own({ leaveOut: ['relationship_accuracy'] })).toEqual({
    leftOut: ['Relationship accuracy'],
    says: ['Relationship accuracy is excluded'],
    looser: true,
  });
});
