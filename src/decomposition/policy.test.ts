import { expect, it } from 'vitest';
import { judgeMetrics } from '../judge/verdict.ts';
import { measureAll } from '../measure/measure.ts';
import { decompositionMetrics } from './catalog.ts';
import { evidenceWith } from './evidence.ts';
import { explainOverall, type OverallScale } from './policy.ts';
import { OVERALL_WEIGHTS } from './weights.ts';

const AT_TARGET = {
  extracted: 100,
  correct: 65,
  quoted: 90,
  canaries: 2,
  expected: 100,
  found: 70,
  relationships: 100,
  correctRelationships: 60,
};
const explain = (counts: typeof AT_TARGET, scale: OverallScale = 'documented') => {
  const metrics = decompositionMetrics();
  return explainOverall(
    judgeMetrics(metrics, measureAll(metrics, [evidenceWith(counts)])),
    OVERALL_WEIGHTS,
    scale,
  );
};

it('says in one line why a run at every target fails on the documented scale', () => {
  const [line = '', ...more] = explain(AT_TARGET);
  expect(more).toEqual([]);
  expect(line).toBe(
    "Overall score is in the fail zone although every other metric meets its target, because a perfect run reaches 0.85 on the documented scale; on the attainable scale it is 0.75 (decomposition.overallScale: 'attainable' gates on that one).",
  );
  expect(explain(AT_TARGET, 'attainable')[0]).toMatch(/it is 0\.75 \(which the gate uses\)\.$/);
});

it('says nothing when another metric misses its target, or when the overall score does not fail', () => {
  expect(explain({ ...AT_TARGET, found: 69 })).toEqual([]);
  expect(explain({ ...AT_TARGET, correct: 98, canaries: 0, found: 100, correctRelationships: 100 })).toEqual(
    [],
  );
});
