import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../config.ts';
import type { CaseEvidence } from '../../decomposition/evidence.ts';
import { type JudgedPair, synonymStanding } from '../../decomposition/synonyms.ts';
import { type ModelServer, startModelServer } from '../../model/testing/model-server.ts';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { measureExample } from '../measure-examples.ts';
import { askSynonyms, pairsFor, ratePair, readSynonyms } from './judge-synonyms.ts';

const { decomposition } = configSchema.parse({});
let ports: OpenPorts;
let server: ModelServer;

/** Pairs the first of both lists, and names one that is on neither. */
beforeEach(async () => {
  ports = defaultPorts({ identity: () => 'ada' });
  server = await startModelServer(() => ({
    kind: 'answer',
    text: JSON.stringify({
      same: [
        { first: 1, second: 1 },
        { first: 99, second: 1 },
      ],
    }),
  }));
  onTestFinished(() => Promise.all([ports.close(), server.close()]).then(() => {}));
});

it('asks a model with names alone, and counts nothing of it before people have judged the same pairs', async () => {
  await measureExample({ thresholds: decomposition, matchLevel: decomposition.matchLevel }, ports);
  const request = { model: 'compatible/one', baseUrl: server.url, env: {} };
  const asked = await askSynonyms(request, ports);
  expect(asked.pairs).toHaveLength(1);
  expect(asked).toMatchObject({ counts: false, failed: [], recall: asked.withSynonyms });
  expect(server.requests[0]?.user).toMatch(/^First list:\n1\. .+\n\nSecond list:\n1\. [^\n]+/s);

  const waiting = await pairsFor({ author: 'ada' }, ports);
  expect(waiting).toHaveLength(asked.pairs.length);
  const [pair] = asked.pairs.filter(({ model }) => model === 1);
  if (pair === undefined) throw new Error('no pair');
  const { caseId, expected, extracted } = pair;
  await ratePair({ pair: { caseId, expected, extracted }, isSame: true, author: 'ada' }, ports);
  expect(await pairsFor({ author: 'ada' }, ports)).toHaveLength(waiting.length - 1);
  // What a person says counts at once.
  const { recall, withSynonyms } = await readSynonyms({}, ports);
  if (!recall.measured || !withSynonyms.measured) throw new Error('unmeasured');
  expect(withSynonyms.value).toBeGreaterThan(recall.value);
});

describe('a model', () => {
  const trial = (found: number) => ({
    expected: Array.from({ length: 40 }, (_, i) => ({
      label: `e${i}`,
      required: true,
      ...(i < found && { found: 'exact' as const }),
    })),
    concepts: [],
    relationships: [],
    expectedRelationships: [],
  });
  const cases: CaseEvidence[] = [{ caseId: 'a', trials: [trial(0)] }];
  /** `people` judged some; of these they say otherwise of `wrong`. */
  const pairs = (people: number, wrong: number): JudgedPair[] =>
    Array.from({ length: 40 }, (_, i) => ({
      caseId: 'a',
      expected: `e${i}`,
      extracted: `x${i}`,
      model: i % 2,
      ...(i < people && { people: i < wrong ? 1 - (i % 2) : i % 2 }),
    }));

  it('counts once it agrees with people on thirty pairs', () => {
    expect(synonymStanding(cases, pairs(29, 0)).counts).toBe(false);
    const standing = synonymStanding(cases, pairs(30, 0));
    expect(standing).toMatchObject({ counts: true, agreement: { value: 1, n: 30 } });
    // 15 that people call the same, and 5 more of the ten that only the model judged.
    expect(standing.withSynonyms).toMatchObject({ value: 0.5 });
  });

  it('does not count where its agreement is not certain, and people go before it', () => {
    // 26 of 30: kappa 0.733, its low end 0.49.
    const standing = synonymStanding(cases, pairs(30, 4));
    expect(standing).toMatchObject({ counts: false, agreement: { value: expect.closeTo(0.733, 3) } });
    expect(standing.withSynonyms).toMatchObject({ value: 15 / 40 });
  });
});
