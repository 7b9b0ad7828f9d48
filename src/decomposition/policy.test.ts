import { expect, it } from 'vitest';
import { zoneChecks } from '../judge/gate.ts';
import { judgeMetrics } from '../judge/verdict.ts';
import { zoneOf } from '../judge/zone.ts';
import { measureAll } from '../measure/measure.ts';
import { decompositionMetrics } from './catalog.ts';
import { evidenceWith } from './example-evidence.ts';
import { verifiedProvenance } from './metrics/verified-provenance.ts';
import { explainOverall, gatePolicy, type OverallScale, standardMetrics } from './standard.ts';
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

const checksOf = (counts: Parameters<typeof evidenceWith>[0]) => {
  const metrics = decompositionMetrics();
  return zoneChecks(
    judgeMetrics(metrics, measureAll(metrics, [evidenceWith(counts)])),
    gatePolicy({ weights: OVERALL_WEIGHTS, overallScale: 'attainable' }),
  );
};

it('warns of a single canary and of a single forbidden relationship, and blocks neither', () => {
  const fine = { ...AT_TARGET, canaries: 0, verified: 96, quoted: 96 };
  const outcomes = (counts: typeof fine & { forbiddenRelationships?: number }) =>
    checksOf(counts).flatMap(({ id, outcome }) => (outcome === 'passed' ? [] : [`${outcome} ${id}`]));
  expect(outcomes(fine)).toEqual([]);
  expect(outcomes({ ...fine, canaries: 1 })).toEqual(['warning decomposition/hallucination-rate:warning']);
  expect(outcomes({ ...fine, forbiddenRelationships: 1 })).toEqual([
    'warning decomposition/forbidden-relationship-rate:warning',
  ]);
});

it.each([
  [
    'relationship_recall',
    { expectedRelationships: 100, correctRelationships: 49 },
    { expectedRelationships: 100, correctRelationships: 60 },
  ],
  ['verified_provenance', { verified: 49 }, { verified: 96 }],
  ['quote_names_concept', { verified: 96, named: 47 }, { verified: 96, named: 60 }],
  ['duplicate_rate', { relationships: 0, correctRelationships: 0, duplicates: 60 }, { duplicates: 3 }],
] as const)('warns of %s by default, and blocks where the configuration says so', (key, low, fine) => {
  const id = `decomposition/${key.replaceAll('_', '-')}`;
  const outcome = (counts: object, guards?: 'block') => {
    const standard = { weights: OVERALL_WEIGHTS, overallScale: 'documented' as const, gate: { guards } };
    const metrics = standardMetrics(standard);
    const all = { ...AT_TARGET, canaries: 0, quoted: 96, verified: 96, ...counts };
    const judged = judgeMetrics(metrics, measureAll(metrics, [evidenceWith(all)]));
    return zoneChecks(judged, gatePolicy(standard))
      .filter((check) => check.id.startsWith(id) && check.outcome !== 'passed')
      .map((check) => check.outcome);
  };
  expect(outcome(low)).toEqual(['warning']);
  expect(outcome(fine)).toEqual([]);
  expect(outcome(low, 'block')).toEqual(['blocked', 'warning']);
  expect(outcome(fine, 'block')).toEqual([]);
});

it('has a target for verified provenance that never blocks', () => {
  const zoneAt = (verified: number) =>
    zoneOf(verified, verifiedProvenance.zones ?? { fail: 1, target: 1, excellent: 1 }, 'higher');
  expect([0, 0.94, 0.95, 1].map(zoneAt)).toEqual(['below target', 'below target', 'pass', 'excellent']);
  expect(gatePolicy({ weights: OVERALL_WEIGHTS, overallScale: 'documented' }).gated).not.toContain(
    verifiedProvenance.id,
  );
});
