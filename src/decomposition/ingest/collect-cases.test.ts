import { expect, it } from 'vitest';
import { type Examined, measureCases } from '../../measure/measure.ts';
import { decompositionMetrics } from '../catalog.ts';
import type { CaseEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { OUTPUTS_WITH_WORDS, openCollector } from './collect-cases.ts';

const caseOf = (i: number): Examined<CaseEvidence> => ({
  id: `case-${i}`,
  evidence: {
    ...evidenceWith({ extracted: 4, correct: i % 4, expected: 4, found: i % 4 }),
    caseId: `case-${i}`,
  },
  notes: [],
});
const cases = Array.from({ length: OUTPUTS_WITH_WORDS + 1 }, (_, i) => caseOf(i));

function collect(list: readonly Examined<CaseEvidence>[], keepWords: boolean) {
  const collector = openCollector('alias', true, keepWords);
  for (const one of list) collector.add(one);
  return collector.collected();
}

it('keeps the words of a run that a person reads', () => {
  const { cases: kept, withWords, otherLevels } = collect(cases.slice(0, OUTPUTS_WITH_WORDS), false);
  expect(withWords).toBe(true);
  expect(JSON.stringify(kept)).toContain('concept 3');
  expect([...otherLevels.keys()]).toEqual(['semantic']);
});

it('keeps only what metrics count of a larger one, and they give the same values', () => {
  const { cases: kept, withWords } = collect(cases, false);
  expect(withWords).toBe(false);
  expect(JSON.stringify(kept.map((one) => 'evidence' in one && one.evidence))).not.toContain('concept 1');
  expect(measureCases(decompositionMetrics(), kept)).toEqual(measureCases(decompositionMetrics(), cases));
});

it('keeps the words however many there are when they will be printed, apart from what is counted', () => {
  const { withWords, words, cases: kept } = collect(cases, true);
  expect(withWords).toBe(false);
  expect(JSON.stringify(kept.map((one) => 'evidence' in one && one.evidence))).not.toContain('concept 1');
  expect([...(words ?? [])]).toEqual(cases.map((one) => [one.id, 'evidence' in one && one.evidence]));
  expect(words?.get('case-7')?.caseId).toBe('case-7');
  expect(words?.get('nobody')).toBeUndefined();
  expect(collect(cases, false).words).toBeUndefined();
});

it('counts repeats, not cases', () => {
  const [trial] = evidenceWith({ extracted: 4 }).trials;
  if (trial === undefined) throw new Error('no trial');
  const trials = Array.from({ length: OUTPUTS_WITH_WORDS + 1 }, () => trial);
  expect(collect([{ id: 'one', evidence: { caseId: 'one', trials }, notes: [] }], false).withWords).toBe(
    false,
  );
});
