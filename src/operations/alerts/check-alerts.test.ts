import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { changeAlert } from './change-alert.ts';
import { checkAlerts } from './check-alerts.ts';
import { requests } from './testing/requests.ts';

const START = Date.parse('2026-11-16T05:00:30.000Z');
const MINUTE = 60_000;

let now = START;
let ports: OpenPorts;

beforeEach(() => {
  now = START;
  ports = defaultPorts({ now: () => new Date(now), identity: () => 'ada' });
  onTestFinished(() => ports.close());
});

type Part = Parameters<typeof requests>[3];

/** Requests of the last minute, then a look. */
async function look(name: string, count: number, part?: Part, rules = {}) {
  const store = await ports.store();
  await store.appendDecompositions(requests(name, count, now, part));
  return checkAlerts({ rules }, ports);
}

const confidence = (n: number, sum: number) => ({ n, sum, bins: [n, ...Array<number>(19).fill(0)] });
const failing: Part = (i) => (i % 5 === 0 ? { status: 'error', errorKind: 'timeout' } : {});
const ids = (list: readonly { readonly alertId: string }[]) => list.map(({ alertId }) => alertId);
const stateOf = async (id: string) =>
  (await (await ports.store()).trackAlerts({ alertId: id, now: new Date(now).toISOString() }))[0]?.state;

describe('a look at production', () => {
  it('fires when a line is crossed, says nothing while it stays so, and resolves when it is over', async () => {
    const first = await look('a', 60, failing);
    expect(ids(first.fired)).toEqual(['errors-high:production:1']);
    expect(first.fired[0]).toMatchObject({
      severity: 'critical',
      message: 'Error rate, last 5 minutes: 20.0%, above 1.0% (60 requests): check that the API is available',
    });
    now += MINUTE;
    expect(await look('b', 50, failing)).toMatchObject({ fired: [], resolved: [] });
    now += 17 * MINUTE;
    const over = await look('c', 50);
    expect(ids(over.resolved)).toEqual(['errors-high:production:1']);
    expect(over.resolved[0]).toMatchObject({ who: 'assay', state: 'resolved' });
    now += MINUTE;
    expect(await look('d', 50)).toMatchObject({ fired: [], resolved: [] });
    now += 17 * MINUTE;
    expect(ids((await look('e', 50, failing)).fired)).toEqual(['errors-high:production:2']);
  });

  it('never fires on two requests, and on three only where no chance could fail them all', async () => {
    const bad: Part = () => ({
      status: 'error',
      latencyMs: 60_000,
      costUsd: 5,
      concepts: 0,
      confidence: confidence(1, 0.1),
    });
    const { fired, findings } = await look('a', 2, bad);
    expect(fired).toEqual([]);
    expect(new Set(findings.map(({ state }) => state))).toEqual(new Set(['too few to tell']));
    expect(ids((await look('b', 1, bad)).fired)).toEqual([
      'errors-high:production:1',
      'latency-high:production:1',
    ]);
  });

  it('looks back over a longer time where a short one does not tell, and says which', async () => {
    const store = await ports.store();
    for (let hour = 0; hour < 6; hour += 1)
      await store.appendDecompositions(
        requests(`h${hour}`, 10, now - hour * 61 * MINUTE, (i) => (i === 0 ? { status: 'error' } : {})),
      );
    const { fired } = await checkAlerts({ rules: {} }, ports);
    expect(fired.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Error rate, last 6 hours: 10\.0%, above 1\.0% \(60 requests\)/),
    ]);
  });

  it('sees what begins after a healthy day, in minutes', async () => {
    const store = await ports.store();
    for (let hour = 1; hour <= 24; hour += 1)
      await store.appendDecompositions(requests(`h${hour}`, 20, now - hour * 60 * MINUTE));
    const { fired } = await look('a', 12, (i) => ({
      ...(i % 3 === 0 && { status: 'error' as const }),
      confidence: confidence(2, 1 + (i % 3) / 10),
    }));
    expect(fired.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Error rate, last 5 minutes: 33\.3%, above 1\.0% \(12 requests\)/),
      expect.stringMatching(/^Average confidence, last 5 minutes: 0\.55, below 0\.70 \(12 requests\)/),
    ]);
  });

  it('keeps an alert open while there are too few requests to tell', async () => {
    await look('a', 60, failing);
    now += 1500 * MINUTE;
    expect((await look('b', 3)).resolved).toEqual([]);
    expect(await stateOf('errors-high:production:1')).toBe('open');
  });

  it.each([
    ['latency-high', () => ({ latencyMs: 9000 }), /^p95 latency, last 5 minutes: \d{4} ms, above 5000 ms/],
    [
      'cost-high',
      (i: number) => ({ costUsd: 0.2 + i / 1000 }),
      /^Cost per decomposition, last 5 minutes: \$0\.2/,
    ],
    ['concepts-few', (i: number) => ({ concepts: 4 + (i % 3) }), /^Concepts per topic, last 5 minutes: 5,/],
    [
      'confidence-low',
      (i: number) => ({ confidence: confidence(2, 1 + (i % 3) / 100) }),
      /^Average confidence, last 5 minutes: 0\.5\d, below 0\.70/,
    ],
    [
      'hallucination-unmentioned',
      (i: number) => ({
        sample: { probability: 0.05, stratum: 'all' },
        unmentioned: { concepts: 20, unmentioned: i % 4 },
      }),
      /^Share of concepts that their text never mentions, last 5 minutes: 7\.\d%, above 2\.0% \(60 sampled outputs\)/,
    ],
    [
      'hallucination-unsupported',
      (i: number) => ({
        sample: { probability: 0.05, stratum: 'all' },
        quotes: { given: 20, verified: 20 - (i % 4) },
      }),
      /^Share of quotes that do not occur in their text/,
    ],
  ])('fires %s', async (rule, part, message) => {
    const { fired } = await look('a', 60, part);
    expect(fired.map((alert) => alert.rule)).toEqual([rule]);
    expect(fired[0]?.message).toMatch(message);
  });

  it('fires on what raters call made up', async () => {
    const store = await ports.store();
    const drawn = { sample: { probability: 0.05, stratum: 'all' }, concepts: 10 };
    const at = new Date(now).toISOString();
    for (let i = 0; i < 40; i += 1)
      await store.appendRatings([
        { ratingId: `w${i}`, kind: 'decomposition', subjectId: `a-${i}`, author: 'ada', rating: 0, at },
        {
          ratingId: `f${i}`,
          kind: 'decomposition-fabrication',
          subjectId: `a-${i}#dragon`,
          author: 'ada',
          rating: 1,
          at,
        },
      ]);
    const { fired } = await look('a', 40, () => drawn);
    expect(fired.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['hallucination-rated', 'critical'],
    ]);
    expect(fired[0]?.message).toContain('10.0%, above 2.0% (40 sampled outputs)');
  });

  it('says that a sample is too small to tell, where there is enough to sample from', async () => {
    expect((await look('a', 599)).fired).toEqual([]);
    const { fired } = await look('b', 1);
    expect(fired.map(({ rule, severity }) => [rule, severity])).toEqual([['sample-too-small', 'warning']]);
    expect(fired[0]?.message).toContain('last 24 hours: 0, below 30 (600 requests)');
    const seen = {
      sample: { probability: 0.05, stratum: 'all' },
      unmentioned: { concepts: 9, unmentioned: 0 },
    };
    // As many as it asks for may be fewer again in a minute; 30 + 3√30 are clearly enough.
    expect(ids((await look('c', 46, () => seen)).resolved)).toEqual([]);
    expect(ids((await look('d', 1, () => seen)).resolved)).toEqual(['sample-too-small:production:1']);
  });

  it('looks at a prompt version or a model alone where it is told to, beside the whole', async () => {
    const slow = (i: number) => ({
      promptVersion: i % 20 === 0 ? 'v2' : 'v1',
      latencyMs: i % 20 === 0 ? 9000 : 900,
    });
    await look('a', 800, slow);
    const narrowed = [
      { rule: 'latency-high', promptVersion: 'v2' },
      { rule: 'latency-high', promptVersion: 'v1', model: 'none' },
      { rule: 'errors-high', model: 'none' },
    ] as const;
    const { fired, findings } = await checkAlerts({ rules: {}, narrowed: [...narrowed] }, ports);
    expect(fired.map(({ alertId, subject, message }) => [alertId, subject, message])).toEqual([
      [
        'latency-high:production,prompt=v2:1',
        'production,prompt=v2',
        expect.stringContaining(
          'p95 latency of prompt v2, last 5 minutes: 9000 ms, above 5000 ms (16 requests)',
        ),
      ],
    ]);
    expect(findings.slice(-2).map(({ state }) => state)).toEqual(['too few to tell', 'too few to tell']);
    expect((await checkAlerts({ rules: {}, narrowed: [...narrowed] }, ports)).fired).toEqual([]);
  });

  it('goes by lines of one’s own', async () => {
    const rules = { 'errors-high': { line: 0.5 }, 'latency-high': { off: true } };
    const { fired, findings } = await look('a', 60, failing, rules);
    expect(fired).toEqual([]);
    expect(findings.map(({ rule }) => rule.id)).not.toContain('latency-high');
  });
});

describe('people', () => {
  it('acknowledge an alert, which goes on and still ends by itself', async () => {
    await look('a', 60, failing);
    await changeAlert({ id: 'errors-high:production:1', change: { to: 'acknowledged' } }, ports);
    now += MINUTE;
    expect((await look('b', 50, failing)).fired).toEqual([]);
    expect(await stateOf('errors-high:production:1')).toBe('acknowledged');
    now += 17 * MINUTE;
    expect((await look('c', 50)).resolved).toHaveLength(1);
  });

  it('silence a rule until a time, also where the condition goes and comes back before', async () => {
    await look('a', 60, failing);
    const until = new Date(now + 120 * MINUTE).toISOString();
    await changeAlert({ id: 'errors-high:production:1', change: { to: 'silenced', until } }, ports);
    now += 17 * MINUTE;
    expect((await look('b', 50)).resolved).toHaveLength(1);
    now += 17 * MINUTE;
    expect((await look('c', 50, failing)).fired).toHaveLength(1);
    expect(await stateOf('errors-high:production:2')).toBe('silenced');
    now += 90 * MINUTE;
    expect(await stateOf('errors-high:production:2')).toBe('open');
  });

  it('resolve an alert, and are told again only when it is still so after a whole window', async () => {
    await look('a', 60, failing);
    await changeAlert({ id: 'errors-high:production:1', change: { to: 'resolved' } }, ports);
    now += MINUTE;
    expect((await look('b', 50, failing)).fired).toEqual([]);
    now += 15 * MINUTE;
    expect(ids((await look('c', 50, failing)).fired)).toEqual(['errors-high:production:2']);
  });
});
