import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../event.ts';
import { piAdapter } from './pi.ts';

const linesOf = (scenario: string) =>
  readFileSync(`test/fixtures/session/${scenario}/session.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

function read(records: readonly unknown[]) {
  const state = piAdapter.start({ path: 'session.jsonl' });
  const events: Event[] = [];
  const unknown = records.flatMap(
    (record, index) => piAdapter.step(state, record, index + 1, (e) => events.push(e)) ?? [],
  );
  return { state, events, unknown };
}

const ofKind = <K extends Event['kind']>(events: readonly Event[], kind: K) =>
  events.filter((event): event is Extract<Event, { kind: K }> => event.kind === kind);

/** Also what cannot be turned into text, and what could be taken for a part of every object. */
const hostile = JSON.parse(
  '[{"toString":1,"valueOf":1},{"__proto__":{"type":"session"}},{"constructor":7,"length":-1}]',
);
const anything = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...hostile, 1e308, -1, '', [], null));

describe('pi sessions of version 1', () => {
  const { events, unknown } = read(linesOf('pi-v1-linear'));

  it('are told by their header, with the model and the session they were branched from', () => {
    expect(ofKind(events, 'session')[0]).toEqual({
      kind: 'session',
      line: 1,
      sessionId: 'v1-a',
      parentSessionId: 'v1-parent',
      model: 'claude-x',
      project: '/w',
      provider: 'anthropic',
    });
    expect(unknown).toEqual([]);
  });

  it('give the stated cost, and none where nothing was counted', () => {
    const [first, second] = ofKind(events, 'reply');
    expect(first).toMatchObject({ costUsd: 0.33, stop: 'tool', text: 'Reading.' });
    expect(first?.usage).toEqual({ input: 10, output: 20, cacheRead: 5, cacheWrite: 7 });
    expect(second).not.toHaveProperty('costUsd');
  });

  it('give calls and results with the outcome that pi states', () => {
    expect(ofKind(events, 'call').map(({ callId, tool }) => [callId, tool])).toEqual([
      ['c1', 'read'],
      ['c2', 'bash'],
    ]);
    expect(ofKind(events, 'result').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['c1', true],
      ['c2', false],
    ]);
  });

  it('show an aborted reply as an interruption by the person', () => {
    expect(ofKind(events, 'interrupt').map(({ line }) => line)).toEqual([10]);
  });

  it('count a compaction and keep a command of the person out of the turns', () => {
    expect(ofKind(events, 'compaction').map(({ line }) => line)).toEqual([8]);
    expect(ofKind(events, 'user').map(({ origin }) => origin)).toEqual(['user']);
    expect(ofKind(events, 'person-command')).toMatchObject([{ command: 'ls', text: 'a.ts', ok: true }]);
  });

  it('have keys of their own although their entries have no ids', () => {
    const keys = linesOf('pi-v1-linear').map((record) => piAdapter.entryKey?.(record));
    const messages = keys.filter((key) => key !== undefined);
    expect(messages).toHaveLength(6);
    expect(new Set(messages).size).toBe(6);
    expect(keys[0]).toBeUndefined();
  });
});

describe('pi sessions of version 3', () => {
  const records = linesOf('pi-v3-tree');
  const { events, unknown } = read(records);

  it('form a tree of entries', () => {
    expect(piAdapter.entryKey?.(records[3])).toBe('e3');
    expect(piAdapter.parentKey?.(records[3])).toBe('e2');
    expect(piAdapter.parentKey?.(records[1])).toBe('');
    expect(piAdapter.parentKey?.({ type: 'message', id: 'x' })).toBeUndefined();
    expect(piAdapter.entryKey?.(records[0])).toBeUndefined();
  });

  it('keep messages apart that a provider gave the same response id', () => {
    expect(ofKind(events, 'reply').map(({ messageId }) => messageId)).toEqual(['e3', 'e9']);
  });

  it('take a cost of 0 for unknown, except for a model on the own machine', () => {
    const [hosted, local] = ofKind(events, 'reply');
    expect(hosted).not.toHaveProperty('costUsd');
    expect(local?.costUsd).toBe(0);
  });

  it('name record types that nobody knows', () => {
    expect(unknown).toEqual(['plan_approval']);
  });

  it('take what extensions say for the runtime', () => {
    expect(ofKind(events, 'user').map(({ origin, text }) => [origin, text])).toEqual([
      ['user', 'draw a cat'],
      ['runtime', 'remember the tail'],
    ]);
  });
});

describe('the pi reader', () => {
  const sample = (records: readonly unknown[]) => ({ records, document: false, path: 'x.jsonl' });

  it('recognises its files with and without a header, and no others', () => {
    expect(piAdapter.detect(sample(linesOf('pi-v1-linear')))).toBe(true);
    expect(piAdapter.detect(sample(linesOf('pi-v3-tree').slice(3)))).toBe(true);
    expect(
      piAdapter.detect(
        sample([
          { type: 'session_start', id: 'd' },
          { type: 'message', message: { role: 'user' } },
        ]),
      ),
    ).toBe(false);
    expect(piAdapter.detect({ ...sample(linesOf('pi-v1-linear')), document: true })).toBe(false);
  });

  it('decides by the blocks whether tools were called, not by what a proxy says', () => {
    const content = [{ type: 'toolCall', id: 'c', name: 'bash', arguments: {} }];
    const { events } = read([
      { type: 'message', message: { role: 'assistant', content, stopReason: 'stop' } },
    ]);
    expect(ofKind(events, 'reply')[0]?.stop).toBe('tool');
  });

  it('cuts a long result in the middle', () => {
    const content = [{ type: 'text', text: `begin${'x'.repeat(50_000)}end` }];
    const { events } = read([{ type: 'message', message: { role: 'toolResult', toolCallId: 'c', content } }]);
    const text = ofKind(events, 'result')[0]?.text ?? '';
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text.startsWith('begin') && text.endsWith('end')).toBe(true);
  });

  it('reads the same whether its state was stored in between or not', () => {
    const records = linesOf('pi-v1-linear');
    const whole = read(records).events;
    let state = piAdapter.start({ path: '' });
    const events: Event[] = [];
    for (const [index, record] of records.entries()) {
      piAdapter.step(state, record, index + 1, (event) => events.push(event));
      state = JSON.parse(JSON.stringify(state));
    }
    expect(events).toEqual(whole);
  });

  it('never throws on mutated records, and emits only events that are well formed', () => {
    const records = [...linesOf('pi-v1-linear'), ...linesOf('pi-v3-tree')];
    fc.assert(
      fc.property(fc.constantFrom(...records), fc.nat(), anything, (record, where, value) => {
        const { events } = read([mutated(record, where, value)]);
        for (const event of events) expect(isWellFormed(event)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Replaces one field, anywhere in the record, by something else. */
function mutated(record: unknown, where: number, value: unknown): unknown {
  const copy: unknown = structuredClone(record);
  const places: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const [node, key] = places[where % places.length] ?? [];
  if (node === undefined || key === undefined) return value;
  node[key] = value;
  return copy;
}

function isWellFormed(event: Event): boolean {
  if (event.at !== undefined && !Number.isFinite(event.at)) return false;
  if (event.kind === 'reply') {
    return typeof event.text === 'string' && (event.costUsd === undefined || event.costUsd >= 0);
  }
  if (event.kind === 'call' || event.kind === 'result') return event.callId !== '';
  return event.kind !== 'user' || typeof event.text === 'string';
}
