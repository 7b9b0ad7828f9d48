import { expect, it } from 'vitest';
import type { Examined } from '../../measure/measure.ts';
import type { CaseEvidence } from '../evidence.ts';
import { evidenceWith } from '../example-evidence.ts';
import { collectCases } from './collect-cases.ts';

const caseOf = (i: number): Examined<CaseEvidence> => ({
  id: `case-${i}`,
  evidence: {
    ...evidenceWith({ extracted: 4, correct: i % 4, expected: 4, found: i % 4 }),
    caseId: `case-${i}`,
  },
  notes: [],
});

it('gives the cases at the level of the gate, and the same at the other levels a report shows', () => {
  const { cases, otherLevels } = collectCases([0, 1, 2].map(caseOf), 'alias', true);
  expect(cases.map(({ id }) => id)).toEqual(['case-0', 'case-1', 'case-2']);
  expect([...otherLevels].map(([level, some]) => [level, some.length])).toEqual([['semantic', 3]]);
});
