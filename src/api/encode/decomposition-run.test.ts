import { expect, it } from 'vitest';
import { decompositionMetrics } from '../../decomposition/catalog.ts';
import type { CaseEvidence, TrialEvidence } from '../../decomposition/evidence.ts';
import { gatePolicy, regressionPolicy } from '../../decomposition/policy.ts';
import { resultOf, resultSchema, sideOf } from '../../decomposition/result-file.ts';
import { OVERALL_WEIGHTS } from '../../decomposition/weights.ts';
import { judge } from '../../judge/judge.ts';
import { type Examined, measureCases } from '../../measure/measure.ts';
import { decompositionResult } from '../schema/decomposition-result.ts';
import { decompositionRun } from '../schema/decomposition-run.ts';
import { encodeBaseline, encodeResult } from './decomposition-result.ts';
import { encodeSuiteRun } from './decomposition-run.ts';

const STANDARD = { weights: OVERALL_WEIGHTS, overallScale: 'documented' } as const;

const trial = (changes: Partial<TrialEvidence> = {}): TrialEvidence => ({
  concepts: [
    { label: 'ML', match: { expected: 'machine learning', level: 'acronym' }, quote: { state: 'none' } },
    { label: 'neural osmosis', canary: 'Neural Osmosis Learning', quote: { state: 'none' } },
    { label: 'banana', quote: { state: 'none' } },
  ],
  expected: [
    { label: 'machine learning', required: true, found: 'acronym' },
    { label: 'gradient', required: true },
  ],
  relationships: [
    {
      source: 'ML',
      target: 'banana',
      predicate: 'CAUSES',
      forbidden: true,
      quote: { state: 'none' },
    },
  ],
  expectedRelationships: [],
  ...changes,
});

function run(...trials: TrialEvidence[]) {
  const evidence: CaseEvidence = { caseId: 'one', trials };
  const metrics = decompositionMetrics();
  const cases: Examined<CaseEvidence>[] = [
    { id: 'one', evidence, notes: [] },
    { id: 'two', error: 'two.json does not exist' },
  ];
  const verdict = judge(
    {
      instrument: 'decomposition',
      subject: 'local',
      runId: 'r1',
      at: '2026-01-29T00:00:00.000Z',
      scorer: 's',
      truthHash: 'g',
    },
    metrics,
    cases,
    measureCases(metrics, cases),
    {},
    { gate: gatePolicy(STANDARD), compare: regressionPolicy(STANDARD) },
  );
  const facts = { extractor: 'local', matchLevel: 'alias' } as const;
  const encoded = encodeSuiteRun({ verdict, facts, evidence: new Map([['one', evidence]]) });
  expect(decompositionRun.parse(encoded)).toEqual(encoded);
  return encoded;
}

it('lists what each case matched, missed, added and invented', () => {
  const json = run(trial());
  expect(json.cases[0]).toMatchObject({
    id: 'one',
    matches: [{ label: 'ML', expected: 'machine learning', level: 'acronym' }],
    missed: ['gradient'],
    extra: ['banana'],
    canaries: ['Neural Osmosis Learning'],
    forbidden_relationships: [{ source: 'ML', target: 'banana', predicate: 'CAUSES' }],
  });
  expect(json.cases[0]).not.toHaveProperty('trials');
  expect(json.cases[1]).toMatchObject({
    id: 'two',
    error: 'two.json does not exist',
    metrics: {},
    zone: null,
  });
  expect(json.suite).toMatchObject({ n_cases: 2, n_errored: 1, truth_hash: 'g' });
  expect(json.gate).toMatchObject({ verdict: 'blocked', exit_code: 1 });
});

it('lists over repeats what any of them showed, and tells the trials apart', () => {
  const other = trial({ concepts: [], expected: [{ label: 'machine learning', required: true }] });
  const [one] = run(trial(), other).cases;
  expect(one).toMatchObject({ missed: ['gradient', 'machine learning'], trials: [{}, { matches: [] }] });
});

it('says which repeat failed, and lists what the others missed', () => {
  const failed = trial({ concepts: [], relationships: [], failed: 'the model refused' });
  const [one] = run(trial(), failed).cases;
  expect(one).toMatchObject({ missed: ['gradient'], trials: [{}, { error: 'the model refused' }] });
});

it('lists what could not be read', () => {
  const flawed = { label: 'x', quote: { state: 'none' as const }, flaw: 'confidence: too big' };
  expect(run(trial({ concepts: [flawed] })).cases[0]).toMatchObject({ flaws: ['x (confidence: too big)'] });
});

it('pools a single case to its own value', () => {
  const { suite } = run(trial());
  expect(suite.metrics.concept_recall).toMatchObject({ value: 0.5, micro: 0.5, n: 1 });
  expect(suite.metrics.hallucination_rate).toMatchObject({ value: 1 / 3, micro: 1 / 3 });
});

it('gives what was not measured no value, but a reason', () => {
  const json = run(trial({ relationships: [] }));
  expect(json.suite.metrics.relationship_accuracy).toEqual({
    value: null,
    low: null,
    high: null,
    n: 0,
    micro: null,
    zone: null,
    reason: expect.any(String),
  });
});

it('comes back from its JSON as the judge compares it, also as a baseline and in the ledger', () => {
  const json = run(trial());
  const side = sideOf(resultOf(json));
  expect(side).toMatchObject({ runId: 'r1', scorer: 's', truthHash: 'g' });
  expect(Object.keys(side.cases)).toEqual(['one']);
  expect(side.metrics['decomposition/concept-recall']).toMatchObject({ measured: true, value: 0.5 });
  const through = (value: unknown) => resultSchema.parse(JSON.parse(JSON.stringify(value)));
  const [baseline, entry] = [encodeBaseline(json), encodeResult(resultOf(json))];
  expect(sideOf(through(baseline))).toMatchObject({ metrics: side.metrics });
  const kept = sideOf(through(entry));
  for (const one of [baseline, entry]) expect(decompositionResult.parse(one)).toEqual(one);
  expect(kept.metrics).toEqual(side.metrics);
  expect(kept.cases.one?.['decomposition/overall']).toMatchObject({
    value:
      side.cases.one?.['decomposition/overall']?.measured && side.cases.one['decomposition/overall'].value,
  });
});
