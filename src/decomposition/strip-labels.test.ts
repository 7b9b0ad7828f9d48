import { expect, it } from 'vitest';
import { measureAll } from '../measure/measure.ts';
import { decompositionMetrics } from './catalog.ts';
import { type CaseEvidence, evidenceAt, type TrialEvidence } from './evidence.ts';
import { evidenceWith } from './example-evidence.ts';
import { examineOutputs } from './ingest/examine.ts';
import { readGoldenSet } from './ingest/golden-case.ts';
import { stripLabels } from './strip-labels.ts';

const metrics = decompositionMetrics();

it('gives every metric the same value as the evidence it is made from', async () => {
  const folder = 'examples/decomposition';
  const { cases } = await examineOutputs(readGoldenSet(`${folder}/golden`), `${folder}/outputs`);
  const evidence = cases.flatMap((one) => ('evidence' in one ? [one.evidence] : []));
  const made: CaseEvidence[] = [
    ...evidence,
    ...evidence.map((one) => evidenceAt(one, 'exact')),
    { caseId: 'repeats', trials: evidence.flatMap(({ trials }) => trials) },
    ...metrics.flatMap(({ example }) => example.cases),
    evidenceWith({ extracted: 20, correct: 16, duplicates: 2, quoted: 12, verified: 9, canaries: 1 }),
    { caseId: 'said again', trials: evidence.flatMap(({ trials }) => trials).map(sayingAgain) },
  ];
  expect(made.length).toBeGreaterThan(20);
  for (const one of made) expect(measureAll(metrics, [stripLabels(one)])).toEqual(measureAll(metrics, [one]));
  expect(measureAll(metrics, made.map(stripLabels))).toEqual(measureAll(metrics, made));
});

/** Its first relationship twice. */
function sayingAgain(trial: TrialEvidence): TrialEvidence {
  const [first] = trial.relationships;
  return first === undefined
    ? trial
    : { ...trial, relationships: [...trial.relationships, { ...first, duplicate: true }] };
}

it('holds no word of the text', async () => {
  const [one] = [evidenceWith({ extracted: 3, canaries: 1, expected: 2, relationships: 2 })];
  expect(JSON.stringify(stripLabels(one))).not.toMatch(/concept \d|canary \d/);
});
