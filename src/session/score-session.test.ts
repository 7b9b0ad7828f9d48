import { describe, expect, it } from 'vitest';
import type { AgentRunFacts } from './evidence.ts';
import { factsWith, runWith } from './example-session.ts';
import type { Prices } from './pricing/prices.ts';
import { scoreSession } from './score-session.ts';
import { modelWith } from './testing/model-with.ts';

/** $1 per million tokens of any kind: the cost is the number of tokens. */
const prices: Prices = {
  name: 'test',
  ratesOf: ({ model }) =>
    model === 'free'
      ? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
      : model === 'unknown'
        ? undefined
        : { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
};
const heartbeat = runWith({
  trigger: 'heartbeat',
  finalReply: 'heartbeat-ok',
  outputChars: 12,
  finalReplyChars: 12,
});
const good = (tokens: number, fields: Partial<AgentRunFacts> = {}) =>
  runWith({ models: [modelWith({ input: tokens * 1e6 })], ...fields });
const empty = (tokens: number, fields: Partial<AgentRunFacts> = {}) =>
  good(tokens, { finalReply: 'empty', outputChars: 0, finalReplyChars: 0, end: 'error', ...fields });

describe('a session', () => {
  it('is the mean of its runs weighted by cost, where all costs are known', () => {
    const session = scoreSession(factsWith([good(3), empty(1)]), { prices });
    const [first] = session.runs;
    expect(session.weightedBy).toBe('cost');
    expect(session.q).toBeCloseTo(((first?.q ?? 0) * 3 + 0 * 1) / 4, 12);
    expect(session.costUsd).toBe(4);
    expect(session.roi).toMatchObject({ measured: true });
  });

  it('is of the model that wrote most: messages first, then what is in them', () => {
    const small = modelWith({ input: 60, output: 40 }, { model: 'a-small-one' });
    const large = modelWith({ input: 22, output: 300 }, { model: 'the-large-one' });
    const scored = (...models: AgentRunFacts['models']) =>
      scoreSession(factsWith([runWith({ models })]), { prices }).model;
    expect(scored(small, large)).toBe('the-large-one');
    expect(scored(large, { ...small, messages: 2 })).toBe('a-small-one');
  });

  it('is weighted by turns as soon as one cost is unknown, and has no cost then', () => {
    const session = scoreSession(factsWith([good(3, { turns: 1 }), empty(1, { turns: 4, models: [] })]), {
      prices,
    });
    expect(session.weightedBy).toBe('turns');
    expect(session.q).toBeCloseTo((session.runs[0]?.q ?? 0) / 5, 12);
    expect(session.costUsd).toBeUndefined();
    expect(session.costReason).toBe('no model message was recorded');
    expect(session.roi).toMatchObject({ measured: false, free: false });
  });

  it('leaves heartbeats out beside other work, though not what they cost', () => {
    const beat = { ...heartbeat, models: [modelWith({ input: 1e6 })] };
    const session = scoreSession(factsWith([beat, beat, empty(1)]), { prices });
    expect(session).toMatchObject({ q: 0, runsLeftOut: 2, specialCase: 'empty', costUsd: 3 });
  });

  it('counts heartbeats when there is nothing else', () => {
    const session = scoreSession(factsWith([heartbeat, heartbeat]));
    expect(session).toMatchObject({
      q: 0.8,
      specialCase: 'heartbeat-ok',
      taskType: 'heartbeat',
      runsLeftOut: 0,
    });
  });

  it('has the task type of the run with the most weight', () => {
    const cron = good(1, { trigger: 'cron' });
    expect(scoreSession(factsWith([cron, good(2)]), { prices }).taskType).toBe('chat');
    expect(scoreSession(factsWith([cron, good(0.5)]), { prices }).taskType).toBe('operations');
  });

  it('takes task type and outcome from join files by session id', () => {
    const run = runWith({ artifacts: [{ artifact: 'file', made: 1, failed: 0, lines: [] }] });
    const session = scoreSession(factsWith([run]), {
      taskTypes: new Map([['example', 'discovery']]),
      outcomes: new Map([['example', 0]]),
    });
    expect(session.taskType).toBe('discovery');
    // Artifact 1, state and acceptance from the outcome: 0.3 × 1
    expect(session.categories.outcome).toBeCloseTo(0.3, 12);
  });

  it('adds up what its runs used, and prefers the sum over what is declared', () => {
    const run = runWith({
      turns: 2,
      tools: { calls: 3, failed: 1, succeeded: 2 },
      compactions: 1,
      models: [modelWith({ input: 10, output: 2, cacheRead: 5, cacheWrite: 1 })],
      startedAt: 1000,
      endedAt: 5000,
    });
    const session = scoreSession(
      factsWith([run, run], { declaredUsage: { input: 9, output: 9, cacheRead: 9, cacheWrite: 9 } }),
    );
    expect(session).toMatchObject({
      usage: { input: 20, output: 4, cacheRead: 10, cacheWrite: 2 },
      turns: 4,
      toolCalls: 6,
      toolErrors: 2,
      compactions: 2,
      startedAt: 1000,
      endedAt: 5000,
      model: 'example-model',
    });
  });

  it('uses declared counts where no message carries its own', () => {
    const silent = runWith({ models: [modelWith({}, { messages: 2, messagesWithoutUsage: 2 })] });
    const usage = { input: 500_000, output: 500_000, cacheRead: 0, cacheWrite: 0 };
    expect(scoreSession(factsWith([silent], { declaredUsage: usage }), { prices })).toMatchObject({
      usage,
      costUsd: 1,
    });
    expect(scoreSession(factsWith([silent], { declaredCostUsd: 0.4 }), { prices }).costUsd).toBe(0.4);
    expect(scoreSession(factsWith([silent, silent], { declaredUsage: usage }), { prices }).costUsd).toBe(1);
    // The fold stores a 0 only from a source that means it.
    expect(scoreSession(factsWith([silent], { declaredCostUsd: 0 }), { prices })).toMatchObject({
      costUsd: 0,
      roi: { measured: false, free: true },
    });
  });

  it('takes a running total that exceeds what the messages carry: 300/40/100 beside 100/10/0', () => {
    const part = modelWith({ input: 100, output: 10 }, { messages: 1 });
    const nameless = modelWith({}, { model: 'unknown', messages: 2, messagesWithoutUsage: 2 });
    const total = { input: 300, output: 40, cacheRead: 100, cacheWrite: 0 };
    const declared = { declaredUsage: total, declaredIsTotal: true, declaredCostUsd: 0.02 } as const;
    for (const runs of [
      [runWith({ models: [part, nameless] })],
      [runWith({ models: [part] }), runWith({ models: [nameless] })],
      [
        runWith({
          models: [part, { ...part, model: 'another', usage: { ...total, input: 1, cacheRead: 0 } }],
        }),
      ],
    ]) {
      expect(scoreSession(factsWith(runs, declared), { prices })).toMatchObject({
        usage: total,
        costUsd: 0.02,
      });
    }
    // 300 + 40 + 100 tokens at $1 a million.
    const { declaredCostUsd: _unsaid, ...counted } = declared;
    expect(scoreSession(factsWith([runWith({ models: [part] })], counted), { prices }).costUsd).toBe(0.00044);
    // Less than the messages have, or not a running total: the messages count.
    const low = { ...declared, declaredUsage: { input: 5, output: 5, cacheRead: 0, cacheWrite: 0 } };
    const own = { usage: { input: 100, output: 10 } };
    expect(scoreSession(factsWith([runWith({ models: [part] })], low), { prices })).toMatchObject(own);
    expect(
      scoreSession(factsWith([runWith({ models: [part] })], { declaredUsage: total }), { prices }),
    ).toMatchObject(own);
  });

  it('is free at a known price of 0, with no ROI', () => {
    const session = scoreSession(
      factsWith([runWith({ models: [modelWith({ input: 10, output: 1 }, { model: 'free' })] })]),
      { prices },
    );
    expect(session.costUsd).toBe(0);
    expect(session.roi).toMatchObject({ measured: false, free: true });
  });

  it('tells how its delegation went', () => {
    const run = runWith({ spawned: 4, spawnsCompleted: 2, spawnsFailed: 1 });
    expect(scoreSession(factsWith([run])).delegation).toEqual({
      spawned: 4,
      completed: 2,
      failed: 1,
      value: 2 / 3,
    });
    expect(scoreSession(factsWith([runWith()])).delegation).not.toHaveProperty('value');
  });

  it('without a run has no score', () => {
    const session = scoreSession(factsWith([]));
    expect(session).not.toHaveProperty('q');
    expect(session).toMatchObject({ coverage: 0, lowConfidence: true, turns: 0 });
  });
});
