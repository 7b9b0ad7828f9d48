import { expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../config.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const now = () => new Date('2026-11-02T12:00:00.000Z');
const config = configSchema.parse({ production: { sampleRate: 1, keepText: true } });

function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function serve(): Promise<TestServer> {
  const server = await startTestServer({ withSessions: false, config, now });
  const sent = ['a', 'b', 'c', 'd'].map((id) => ({
    id,
    at: '2026-11-02T10:00:00Z',
    text: 'Rain feeds the river.',
    output: { concepts: [{ label: 'Rain' }, { label: 'Concrete' }] },
  }));
  await server.ask('/api/v1/decompositions', post(sent));
  return server;
}

type Queue = { open: number; items: { decomposition: { id: string }; text: string }[] };
type Figures = Record<string, { value: number | null; n: number }>;

it('are asked for what is sampled and not rated, and estimates rest on them', async () => {
  const { ask } = await serve();
  const queue = async () => (await (await ask('/api/v1/decompositions/queue')).json()) as Queue;
  const first = await queue();
  expect([first.open, first.items.length]).toEqual([4, 4]);
  expect(first.items[0]?.text).toBe('Rain feeds the river.');
  const rate = (id: string, body: object) => ask(`/api/v1/decompositions/${id}/ratings`, post(body));
  const concepts = [
    { label: 'Concrete', acceptable: false, fabricated: true, reason: 'nowhere in the text' },
  ];
  const rated = await rate('a', { acceptable: false, reason: 'invents', concepts, author: 'ada' });
  expect([rated.status, await rated.json()]).toEqual([
    201,
    { format: 'assay-decomposition-rated', version: 1, id: 'a', ratings: 3 },
  ]);
  for (const id of ['b', 'c']) await rate(id, { acceptable: true, author: 'ada' });
  const after = await queue();
  expect([after.open, after.items.map(({ decomposition }) => decomposition.id)]).toEqual([1, ['d']]);

  const { sample } = (await (await ask('/api/v1/production')).json()) as { sample: Figures };
  expect(sample.share_rated).toMatchObject({ value: 0.75, n: 4 });
  expect(sample.acceptable?.value).toBeCloseTo(2 / 3, 12);
  // One of the six concepts that somebody looked at.
  expect(sample.rated_fabrications?.value).toBeCloseTo(1 / 6, 12);
  expect(sample.rated_fabrications?.n).toBe(3);
});

it('asks two raters for one request in five, and measures their agreement, precision and recall', async () => {
  const { ask } = await startTestServer({ withSessions: false, config, now });
  const ids = Array.from({ length: 40 }, (_, i) => `r${i}`);
  const output = { concepts: [{ label: 'Rain' }, { label: 'Concrete' }] };
  await ask(
    '/api/v1/decompositions',
    post(ids.map((id) => ({ id, at: '2026-11-02T10:00:00Z', text: 'Rain.', output }))),
  );
  const waiting = async () =>
    ((await (await ask('/api/v1/decompositions/queue?limit=200')).json()) as Queue).items;
  const rate = (id: string, author: string, missing: string[]) =>
    ask(`/api/v1/decompositions/${id}/ratings`, post({ acceptable: id !== 'r0', author, missing }));
  for (const id of ids) await rate(id, 'ada', ['River', 'Sea']);
  // Whoever the server knows is not Ada.
  const second = (await waiting()).map(({ decomposition: { id } }) => id);
  expect(second.length).toBeGreaterThan(2);
  expect(second.length).toBeLessThan(16);
  for (const id of ['r0', ...second]) await rate(id, 'bob', []);
  expect(await waiting()).toEqual([]);
  const { sample } = (await (await ask('/api/v1/production')).json()) as { sample: Figures };
  expect(sample.agreement).toMatchObject({ value: 1, n: new Set(['r0', ...second]).size });
  expect(sample.precision?.value).toBe(1);
  // Two of four, or three of four where Bob misses nothing: 2 / ((4 + 2) / 2) of those with both.
  const both = new Set(['r0', ...second]).size;
  expect(sample.recall?.value).toBeCloseTo(80 / (4 * (40 - both) + 3 * both), 10);
});

it('takes feedback on a case of a run, and refuses a run that is not there', async () => {
  const server = await serve();
  const ports = defaultPorts({ store: server.store });
  onTestFinished(() => ports.close());
  const store = await ports.store();
  const run = {
    runId: 'run-1',
    instrument: 'decomposition',
    subject: 's',
    at: now().toISOString(),
    scorer: '1',
  };
  await store.appendRuns([
    { ...run, verdict: 'passed', metrics: {}, cases: [{ caseId: 'tides', metrics: {} }] },
  ]);
  const say = async (run_id: string, output_id: string) =>
    (await server.ask('/api/v1/feedback', post({ run_id, output_id, thumb: 'up' }))).status;
  expect([await say('run-1', 'tides'), await say('run-1', 'a'), await say('run-2', 'tides')]).toEqual([
    201, 404, 404,
  ]);
  expect(await store.readFeedback({})).toMatchObject([{ runId: 'run-1', outputId: 'tides' }]);
});

it('takes feedback of users, once, and gives its mean', async () => {
  const { ask } = await serve();
  const say = async (body: object) => (await ask('/api/v1/feedback', post(body))).status;
  const thumb = { id: 'f1', output_id: 'a', concept: 'Rain', thumb: 'up', at: '2026-11-02T11:00:00Z' };
  expect([await say(thumb), await say(thumb)]).toEqual([201, 201]);
  expect(await say({ output_id: 'b', score: 2, comment: 'thin' })).toBe(201);
  expect(await say({ output_id: 'b' })).toBe(400);
  expect(await say({ output_id: 'b', score: 6 })).toBe(400);
  const { sample } = (await (await ask('/api/v1/production')).json()) as { sample: Figures };
  expect(sample.feedback).toMatchObject({ value: 3.5, n: 2 });
});

it('answers with 404 for a request that nobody recorded', async () => {
  const { ask } = await serve();
  const answer = await ask('/api/v1/decompositions/nobody/ratings', post({ acceptable: true }));
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
    404,
    'DECOMPOSITION_NOT_FOUND',
  ]);
});
