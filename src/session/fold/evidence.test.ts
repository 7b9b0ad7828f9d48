/** Facts about evidence, cost, and text that a source does not record. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Usage } from '../event.ts';
import { EVIDENCE_PHRASES } from './effects.ts';
import { factsOfEvents, ran, reply, runOf, runsOf, user } from './testing/fold-events.ts';

const usage = (input: number, output: number): Usage => ({ input, output, cacheRead: 0, cacheWrite: 0 });

describe('evidence', () => {
  it('is named by our own phrases, whatever a source writes there', () => {
    const planted = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom('my password is hunter2', 'tests passed; call +1 555 0100', 'pushed ', '__proto__'),
      fc.constantFrom(...EVIDENCE_PHRASES),
    );
    const told = fc.record({
      kind: fc.constantFrom('state-change' as const, 'acceptance' as const),
      value: fc.double({ min: 0, max: 1, noNaN: true }),
      what: planted,
    });
    fc.assert(
      fc.property(fc.array(told, { minLength: 1, maxLength: 6 }), (list) => {
        const run = runOf(user('go'), reply('done'), ...list);
        const ours: readonly string[] = EVIDENCE_PHRASES;
        for (const found of [run.stateChange, run.acceptance]) {
          if (found !== undefined) expect(ours).toContain(found.what);
        }
        const facts = JSON.stringify(run);
        for (const { what } of list) {
          if (what.length > 12 && !ours.includes(what)) expect(facts).not.toContain(JSON.stringify(what));
        }
      }),
    );
  });

  it('keeps a phrase of ours, and says of all others only that the source stated them', () => {
    const said = (what: string) => runOf(user('go'), { kind: 'acceptance', value: 1, what }).acceptance?.what;
    expect(said('undone by the user')).toBe('undone by the user');
    expect(said('Bob from accounting said thanks')).toBe('stated by the source');
  });

  it('is a passed test run where only that was asked for', () => {
    const said = (request: string, passed = true) =>
      runOf(user(request), ...ran('pytest -q', passed, passed ? '5 passed' : '2 failed')).stateChange;
    expect(said('Run the tests')).toEqual({ value: 1, what: 'tests passed', line: 3 });
    expect(said('Implement the parser in parse.py')).toBeUndefined();
    expect(said('Run the tests', false)).toBeUndefined();
  });
});

describe('the cost of messages', () => {
  it('leaves long requests apart by their length, unless they state what they cost or are sums', () => {
    const [model] = runOf(
      user('go'),
      reply('a', { model: 'm', messageId: '1', usage: usage(300_000, 1) }),
      reply('a', { model: 'm', messageId: '1', usage: { ...usage(1_000, 5), cacheRead: 250_000 } }),
      reply('b', { model: 'm', usage: usage(200_000, 7) }),
      reply('c', { model: 'm', usage: usage(900_000, 9), usageOfSeveral: true }),
      reply('d', { model: 'm', usage: usage(10, 3) }),
    ).models;
    expect(model?.long).toEqual([
      { over: 200_000, messages: 1, usage: { ...usage(1_000, 5), cacheRead: 250_000 } },
      { over: 128_000, messages: 1, usage: usage(200_000, 7) },
    ]);
    const stated = reply('a', { usage: usage(300_000, 1), costUsd: 0.5 });
    expect(runOf(user('go'), stated).models[0]).not.toHaveProperty('long');
  });

  it('of 0 is a runtime without a price, unless the source says free', () => {
    const stated = (more: { free?: true }) =>
      runOf(user('go'), reply('a', { usage: usage(10, 5), costUsd: 0, ...more })).models[0]?.costUsd;
    expect(stated({})).toBeUndefined();
    expect(stated({ free: true })).toBe(0);
    const declared = (more: { free?: true }) =>
      factsOfEvents({ kind: 'session', costUsd: 0, ...more }, user('go')).declaredCostUsd;
    expect(declared({})).toBeUndefined();
    expect(declared({ free: true })).toBe(0);
  });

  it('leaves a true part to be priced, never more than there is', () => {
    const message = fc.record(
      {
        id: fc.constantFrom('a', 'b', 'c'),
        usage: fc.record({ input: fc.nat(99), output: fc.nat(99) }),
        costUsd: fc.nat(8).map((n) => n / 8),
        elsewhere: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 12 }), (messages) => {
        const events = messages.map((one) =>
          reply('x', {
            messageId: one.id,
            ...(one.usage !== undefined && { usage: usage(one.usage.input, one.usage.output) }),
            ...(one.costUsd !== undefined && { costUsd: one.costUsd }),
            ...(one.elsewhere === true && { usageElsewhere: true as const }),
          }),
        );
        for (const model of runsOf(user('go'), ...events).flatMap((run) => run.models)) {
          const { unpriced } = model;
          if (model.costUsd === undefined) expect(unpriced).toBeUndefined();
          if (unpriced === undefined) continue;
          expect(unpriced.messages).toBeGreaterThan(0);
          expect(unpriced.messages).toBeLessThan(model.messages);
          expect(unpriced.messagesWithoutUsage).toBeLessThanOrEqual(unpriced.messages);
          expect(unpriced.usage.input).toBeLessThanOrEqual(model.usage.input);
        }
      }),
    );
  });
});

describe('tokens that are counted in running totals', () => {
  it('are not missing from the messages between two totals', () => {
    const [model] = runOf(
      user('go'),
      reply('', { messageId: '1', usage: usage(1000, 80) }),
      reply('There is one file.', { messageId: '2', usageElsewhere: true }),
    ).models;
    expect(model).toMatchObject({ messages: 2, messagesWithoutUsage: 0, usage: usage(1000, 80) });
  });

  it('are unknown when no total came', () => {
    const [model] = runOf(user('go'), reply('a', { usageElsewhere: true })).models;
    expect(model).toMatchObject({ messages: 1, messagesWithoutUsage: 1 });
  });

  it('belong to the models that a summary counts when a message does not name its own', () => {
    const usage = { input: 200, output: 50, cacheRead: 800, cacheWrite: 0 };
    const { models } = runOf(
      user('go'),
      reply('a', { messageId: '1', usageElsewhere: true }),
      reply('', { messageId: '2', model: 'gpt-4.1', usage, usageOfSeveral: true }),
    );
    expect(models).toEqual([{ model: 'gpt-4.1', messages: 1, usage, messagesWithoutUsage: 0 }]);
  });
});

describe('text that the source does not record', () => {
  const unsaid = (more = {}) => reply('', { textMissing: true, usage: usage(10, 5), ...more });

  it('is counted, answers the person, and ends the run normally', () => {
    expect(runOf(user('go'), unsaid())).toMatchObject({
      repliesWithoutText: 1,
      finalReply: 'empty',
      outputChars: 0,
      end: 'normal',
    });
  });

  it('is not expected of a message that calls a tool or breaks off', () => {
    for (const stop of ['tool', 'error', 'aborted'] as const) {
      expect(runOf(user('go'), unsaid({ stop })).repliesWithoutText).toBe(0);
    }
  });
});
