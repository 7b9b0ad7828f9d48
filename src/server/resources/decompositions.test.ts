import { expect, it } from 'vitest';
import { configSchema } from '../../config.ts';
import { openStore } from '../../store/open.ts';
import { startTestServer } from '../testing/test-server.ts';

const TEXT =
  'Rain feeds the river. The river floods the plain in spring. Farmers build levees against floods, and levees hold the water back.';
const output = {
  concepts: [
    { label: 'Rain', sourceQuote: 'Rain feeds the river.', confidence: 0.9 },
    { label: 'Levee', sourceQuote: 'Farmers build dams of concrete', confidence: 0.7 },
    { label: 'Quantum computing', confidence: 0.31 },
  ],
  relationships: [{ source: 'Rain', target: 'River', predicate: 'CAUSES' }],
};
const sent = (id: string, more: object = {}) => ({
  id,
  at: '2026-11-02T10:00:30.000Z',
  latency_ms: 1200,
  cost_usd: 0.02,
  prompt_version: 'v1',
  model: 'm',
  text: TEXT,
  output,
  ...more,
});

function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

type Sample = Record<string, { value: number | null; n: number; low: number | null }> & { sampled: number };
type Answer = {
  whole: Sample & { requests: number };
  sample: Sample;
  spans: { at: string; requests: number }[];
};

it('counts, verifies and keeps a request once, and says how the service did', async () => {
  const config = configSchema.parse({ production: { sampleRate: 1, keepText: true } });
  const { ask, store } = await startTestServer({ withSessions: false, config });
  const all = [sent('a'), sent('b', { at: '2026-11-02T11:00:00+01:00' })];
  const first = await ask('/api/v1/decompositions', post(all));
  expect([first.status, await first.json()]).toEqual([
    201,
    { format: 'assay-decompositions-recorded', version: 1, added: 2, known: 0, sampled: 2, ahead: 0 },
  ]);
  const again = await ask('/api/v1/decompositions', post(sent('a')));
  expect(await again.json()).toMatchObject({ added: 0, known: 1, sampled: 0 });
  const failed = await ask(
    '/api/v1/decompositions',
    post({ id: 'c', at: all[0]?.at, status: 'error', error_kind: 'timeout' }),
  );
  expect(await failed.json()).toMatchObject({ added: 1, sampled: 0 });

  const answer = (await (await ask('/api/v1/production?by=minute')).json()) as Answer;
  expect(answer.whole.requests).toBe(3);
  expect(answer.whole.error_rate?.value).toBeCloseTo(1 / 3, 12);
  expect(answer.whole.concepts).toMatchObject({ value: 3, n: 2 });
  expect(answer.whole.confidence?.value).toBeCloseTo((0.9 + 0.7 + 0.31) / 3, 9);
  expect(answer.sample.sampled).toBe(2);
  // One of two quotes stands in the text, and one of three concepts is never mentioned in it.
  expect(answer.sample.quotes_verified).toMatchObject({ value: 0.5, n: 2 });
  expect(answer.sample.unmentioned_concepts?.value).toBeCloseTo(1 / 3, 12);
  expect(answer.sample.acceptable).toMatchObject({ value: null, n: 0 });
  expect(answer.spans.map(({ at, requests }) => [at, requests])).toEqual([['2026-11-02T10:00:00.000Z', 3]]);

  const opened = await openStore(store);
  expect((await opened.readDecompositionText('a'))?.text).toBe(TEXT);
  const [record] = await opened.readDecompositions({ ids: ['a'] });
  expect(record).toMatchObject({
    textLength: TEXT.length,
    predicates: { CAUSES: 1 },
    sample: { probability: 1 },
  });
  expect(JSON.stringify(record)).not.toContain('levees');
  await opened.close();
});

it('keeps no text unless the team says so, and masks keys where it does', async () => {
  const key = 'sk-proj-abcdefghij1234567890';
  for (const keepText of [false, true]) {
    const config = configSchema.parse({ production: { sampleRate: 1, keepText } });
    const { ask, store } = await startTestServer({ withSessions: false, config });
    await ask('/api/v1/decompositions', post(sent('a', { text: `${TEXT} ${key}`, topic: `about ${key}` })));
    const opened = await openStore(store);
    expect(
      JSON.stringify([await opened.readDecompositions(), await opened.readDecompositionText('a')]),
    ).not.toContain(key);
    expect((await opened.readDecompositionText('a')) === undefined).toBe(!keepText);
    await opened.close();
  }
});

it('counts an output that nobody can read as an error', async () => {
  const { ask } = await startTestServer({ withSessions: false });
  await ask('/api/v1/decompositions', post(sent('a', { output: 'I am sorry, I cannot do that.' })));
  const answer = (await (await ask('/api/v1/production')).json()) as Answer;
  expect(answer.whole.error_rate?.value).toBe(1);
  expect(answer.whole.concepts?.value).toBeNull();
});

it('reads outputs in a shape of their own by the mapping of the configuration', async () => {
  const config = configSchema.parse({ decomposition: { map: { concepts: 'things[].called' } } });
  const { ask } = await startTestServer({ withSessions: false, config });
  await ask('/api/v1/decompositions', post(sent('a', { output: { things: [{ called: 'Rain' }] } })));
  const answer = (await (await ask('/api/v1/production')).json()) as Answer;
  expect(answer.whole.concepts?.value).toBe(1);
});

it.each([
  [{}],
  [[]],
  [sent('a#b')],
  [sent('a', { at: 'yesterday' })],
  [sent('a', { sample: { probability: 0, stratum: 's' } })],
  [sent('a', { cost_usd: -1 })],
  [sent('a', { unknown: 1 })],
])('refuses %j', async (body) => {
  const { ask } = await startTestServer({ withSessions: false });
  const answer = await ask('/api/v1/decompositions', post(body));
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'REQUEST_INVALID']);
});

it('gives the figures of the last minutes, and says whether the last day is other than the week before', async () => {
  const now = () => new Date('2026-11-09T12:30:10.000Z');
  const { ask } = await startTestServer({ withSessions: false, now });
  const many = (count: number, day: string, concepts: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: `${day}-${i}`,
      at: `${day}T10:${String(i % 60).padStart(2, '0')}:00.000Z`,
      concepts: concepts + (i % 5),
      relationships: 40,
    }));
  for (const [day, count, concepts] of [
    ['2026-11-04', 300, 18],
    ['2026-11-09', 200, 9],
  ] as const)
    expect((await ask('/api/v1/decompositions', post(many(count, day, concepts)))).status).toBe(201);
  const minutes = (await (await ask('/api/v1/production?by=minute&last_minutes=121')).json()) as Answer;
  expect(minutes.spans.map(({ at }) => at)).toEqual(
    Array.from({ length: 30 }, (_, i) => `2026-11-09T10:${30 + i}:00.000Z`),
  );
  expect((await ask('/api/v1/production?last_minutes=0')).status).toBe(400);
  const drift = (await (await ask('/api/v1/production/drift')).json()) as {
    before: { requests: number };
    after: { requests: number };
    parts: { what: string; before: number | null; after: number | null; verdict: string }[];
  };
  expect([drift.before.requests, drift.after.requests]).toEqual([300, 200]);
  const verdicts = drift.parts.map(({ what, verdict }) => `${what}: ${verdict}`);
  expect(verdicts).toEqual([
    'confidence: too few to tell',
    'concepts: moved',
    'relationships: no sign',
    'confidences: too few to tell',
    'predicates: too few to tell',
  ]);
  expect(drift.parts[1]).toMatchObject({ before: 20, after: 11 });
});

it.each([
  [{ id: 'a' }, 'body.at: is missing'],
  [{ ...sent('a'), latency_ms: '12' }, 'body.latency_ms: is "12"'],
  [[sent('a'), { ...sent('b'), latency_ms: '12' }], 'body.1.latency_ms: is "12"'],
])('says what is wrong with a request that it refuses, %#', async (body, words) => {
  const { ask } = await startTestServer({ withSessions: false });
  const answer = await ask('/api/v1/decompositions', post(body));
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining(words),
  ]);
});
