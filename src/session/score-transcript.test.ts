/** Short transcripts scored by hand. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SessionFacts } from './evidence.ts';
import { finish, startFold, step } from './fold/fold.ts';
import type { Adapter } from './ingest/formats/format.ts';
import { neutralAdapter } from './ingest/formats/neutral.ts';
import { otlpAdapter } from './ingest/formats/otlp/adapter.ts';
import { readDocument, readLines } from './ingest/formats/testing/read-events.ts';
import type { Prices } from './pricing/prices.ts';
import { scoreSession } from './score-session.ts';

const RATES: Readonly<Record<string, readonly [number, number, number]>> = {
  'claude-sonnet-4-5': [3, 15, 0.3],
  'gpt-5': [1.25, 10, 0.125],
};
const prices: Prices = {
  name: 'test',
  ratesOf: ({ model }) => {
    const [input, output, cacheRead] = RATES[model] ?? [];
    if (input === undefined || output === undefined || cacheRead === undefined) return undefined;
    return { input, output, cacheRead, cacheWrite: 0 };
  },
};

function factsFrom(adapter: Adapter, records: unknown[] | object): SessionFacts {
  const { events } = Array.isArray(records) ? readLines(adapter, records) : readDocument(adapter, records);
  const state = startFold('test');
  for (const event of events) step(state, event);
  const facts = finish(state, 'nameless');
  if (facts === undefined) throw new Error('nothing of a session was seen');
  return facts;
}
const score = (adapter: Adapter, records: unknown[] | object) =>
  scoreSession(factsFrom(adapter, records), { prices });

const session = { type: 'session', session_id: 's', model: 'claude-sonnet-4-5' };
const asks = (text: string) => ({ type: 'user', text });

describe('a neutral transcript', () => {
  it('costs what some messages state and the tokens of the others: 0.01 + 1,000,000 × 3 / 1e6', () => {
    const scored = score(neutralAdapter, [
      session,
      asks('q?'),
      { type: 'assistant', text: 'first', tokens: { input: 10, output: 5 }, cost_usd: 0.01 },
      { type: 'assistant', text: 'second', tokens: { input: 1_000_000, output: 0 } },
    ]);
    expect(scored.costUsd).toBe(3.01);
  });

  it('of the docs costs 0.009 + (550 × 3 + 120 × 15 + 20,700 × 0.3) / 1e6 = 0.01866', () => {
    const page = readFileSync('docs/formats/neutral.md', 'utf8');
    const lines = (/```jsonl\n([\s\S]*?)```/.exec(page)?.[1] ?? '').trim().split('\n');
    const scored = score(
      neutralAdapter,
      lines.map((line) => JSON.parse(line)),
    );
    expect(scored.costUsd).toBeCloseTo(0.01866, 12);
    expect(JSON.stringify(scored)).not.toContain('release published');
  });

  it('without texts is not empty, and its words are unmeasured', () => {
    const scored = score(neutralAdapter, [
      session,
      asks('Is it late?'),
      { type: 'assistant', tokens: { input: 10, output: 5 } },
    ]);
    expect(scored.specialCase).toBeUndefined();
    // Ended normally 1, corrections 1, output unmeasured: (1 + 1) / 2.
    expect(scored.categories.completion).toBe(1);
    expect(scored.q).toBeGreaterThan(0);
    expect(scored.coverage).toBeLessThan(1);
  });

  it('of a coding request that came to nothing has an Outcome of 0', () => {
    const scored = score(neutralAdapter, [
      session,
      asks('Implement the function foo in foo.py'),
      { type: 'tool_call', call_id: 'c', tool: 'read', input: { path: 'foo.py' } },
      { type: 'tool_result', call_id: 'c', ok: true, text: 'x' },
      { type: 'assistant', text: 'I could not.' },
    ]);
    expect(scored).toMatchObject({ taskType: 'coding', categories: { outcome: 0 } });
  });

  it('of a test run that passes has state change 1, artifact 0: 0.4 / (0.3 + 0.4)', () => {
    const scored = score(neutralAdapter, [
      session,
      asks('Run the tests'),
      { type: 'tool_call', call_id: 'c', tool: 'bash', input: { command: 'pytest -q' } },
      { type: 'tool_result', call_id: 'c', exit_code: 0, text: '5 passed in 1s' },
      { type: 'assistant', text: 'All 5 tests pass.' },
    ]);
    expect(scored.categories.outcome).toBeCloseTo(0.4 / 0.7, 12);
  });

  it('of an order met by a command is operations, not research', () => {
    const scored = score(neutralAdapter, [
      session,
      asks('Do the work'),
      { type: 'tool_call', call_id: 'c', tool: 'bash', input: { command: 'make' } },
      { type: 'tool_result', call_id: 'c', exit_code: 0, text: 'ok' },
      { type: 'assistant', text: 'Done, all finished now.' },
    ]);
    expect(scored.taskType).toBe('operations');
  });
});

describe('a span of a model without its messages', () => {
  it('is not an empty session, and nothing that could be measured speaks for it', () => {
    const attribute = (key: string, value: object) => ({ key, value });
    const span = {
      traceId: '11111111111111111111111111111111',
      spanId: '2222222222222222',
      name: 'chat gpt-5',
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '2000000000',
      attributes: [
        attribute('gen_ai.operation.name', { stringValue: 'chat' }),
        attribute('gen_ai.request.model', { stringValue: 'gpt-5' }),
        attribute('gen_ai.usage.input_tokens', { intValue: '100' }),
        attribute('gen_ai.usage.output_tokens', { intValue: '10' }),
        attribute('gen_ai.response.finish_reasons', { arrayValue: { values: [{ stringValue: 'stop' }] } }),
      ],
    };
    const scored = score(otlpAdapter, { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    expect(scored.specialCase).toBeUndefined();
    expect(scored).toMatchObject({ coverage: 0, lowConfidence: true });
    expect(scored.q).toBeUndefined();
    const failed = { ...span, status: { code: 2 }, attributes: span.attributes.slice(0, 2) };
    const again = { ...failed, spanId: '3333333333333333', endTimeUnixNano: '3000000000' };
    const broken = score(otlpAdapter, { resourceSpans: [{ scopeSpans: [{ spans: [span, again] }] }] });
    expect(broken.q).toBeLessThan(0.6);
  });
});
