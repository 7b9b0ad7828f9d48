/**
 * The rule by which tokens count, case by case. Every figure is what ccusage 20.0.24 (`claude session --json
 * --offline`) printed for a file of exactly these lines.
 */
import { describe, expect, it } from 'vitest';
import { MAX_MESSAGES } from '../../../fold/state.ts';
import { readLines } from '../testing/read-events.ts';
import { claudeCodeAdapter } from './adapter.ts';

type Fields = Record<string, unknown>;

let lines = 0;

/** A line with 1 input, 10 output, 100 written to the cache and 1000 read from it. */
function line(
  id: string | undefined,
  request: string | undefined,
  usage: Fields = {},
  rest: Fields = {},
): Fields {
  const { message, ...outer } = rest;
  lines += 1;
  return {
    type: 'assistant',
    timestamp: '2026-01-01T00:00:00.000Z',
    sessionId: 's1',
    version: '2.1.1',
    uuid: `line-${lines}`,
    ...(request === undefined ? {} : { requestId: request }),
    ...outer,
    message: {
      ...(id === undefined ? {} : { id }),
      model: 'claude-opus-4-6',
      role: 'assistant',
      content: [],
      usage: {
        input_tokens: 1,
        output_tokens: 10,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 1000,
        ...usage,
      },
      ...(message as Fields | undefined),
    },
  };
}

/** Input, output, cache written, cache read, over all sessions of the file. */
function total(...records: Fields[]): number[] {
  const messages = new Map<string, number[]>();
  const { events } = readLines(claudeCodeAdapter, JSON.parse(JSON.stringify(records)), '/p/s1.jsonl');
  for (const [index, event] of events.entries()) {
    if (event.kind !== 'reply') continue;
    if (event.retracted === true) messages.delete(`${event.session} ${event.messageId}`);
    if (event.usage === undefined) continue;
    const { input, output, cacheWrite, cacheRead } = event.usage;
    messages.set(`${event.session} ${event.messageId ?? index}`, [input, output, cacheWrite, cacheRead]);
  }
  return [0, 1, 2, 3].map((place) => [...messages.values()].reduce((sum, one) => sum + (one[place] ?? 0), 0));
}

const ONE = [1, 10, 100, 1000];
const TWO = [2, 20, 200, 2000];
const NONE = [0, 0, 0, 0];
const side = { isSidechain: true };
const later = { timestamp: '2026-01-01T00:00:01.000Z' };

describe('lines of one message', () => {
  it('count once: the one with the most tokens, whichever comes first', () => {
    expect(total(line('m', 'r', { output_tokens: 5 }), line('m', 'r', { output_tokens: 9 }))[1]).toBe(9);
    expect(total(line('m', 'r', { output_tokens: 9 }), line('m', 'r', { output_tokens: 5 }))[1]).toBe(9);
  });

  it('of equal size count as the first of them', () => {
    const [input, output] = total(
      line('m', 'r', { output_tokens: 9, input_tokens: 1 }),
      line('m', 'r', { output_tokens: 1, input_tokens: 9 }),
    );
    expect([input, output]).toEqual([1, 9]);
  });

  it('are those with the same message id and the same request id', () => {
    expect(total(line('m', 'r'), line('m', 'r'))).toEqual(ONE);
    expect(total(line('m', 'r1'), line('m', 'r2'))).toEqual(TWO);
    expect(total(line('m', undefined), line('m', undefined, {}, later))).toEqual(ONE);
    expect(total(line('m', undefined), line('m', 'r'))).toEqual(TWO);
    expect(total(line(undefined, 'r'), line(undefined, 'r'))).toEqual(TWO);
  });

  it('are one message also where two sessions of a file have them', () => {
    expect(total(line('m', 'r'), line('m', 'r', {}, { sessionId: 's2' }))).toEqual(ONE);
  });
});

describe('a message in a sidechain', () => {
  it('gives way to the same message outside, however many tokens it has', () => {
    expect(total(line('m', 'r', { output_tokens: 99 }, side), line('m', 'r'))).toEqual(ONE);
    expect(total(line('m', 'r'), line('m', 'r', { output_tokens: 99 }, side))).toEqual(ONE);
  });

  it('is a replay when it has the id and the time of another, whatever its request', () => {
    expect(total(line('m', 'r'), line('m', 'r2', { output_tokens: 99 }, side))).toEqual(ONE);
    expect(total(line('m', 'r2', { output_tokens: 99 }, side), line('m', 'r'))).toEqual(ONE);
    expect(total(line('m', 'r', {}, side), line('m', 'r2', { output_tokens: 99 }, side))[1]).toBe(99);
  });

  it('is a message of its own at another time', () => {
    expect(total(line('m', 'r'), line('m', 'r2', { output_tokens: 99 }, { ...side, ...later }))[1]).toBe(109);
  });
});

describe('tokens written to the cache', () => {
  it('are the sum of the parts where parts are given', () => {
    const parts = { ephemeral_5m_input_tokens: 7, ephemeral_1h_input_tokens: 500 };
    expect(total(line('m', 'r', { cache_creation: parts }))[2]).toBe(507);
    expect(total(line('m', 'r', { cache_creation: { ephemeral_5m_input_tokens: 7 } }))[2]).toBe(7);
    expect(total(line('m', 'r', { cache_creation: {} }))[2]).toBe(0);
    expect(total(line('m', 'r', { cache_creation: null }))[2]).toBe(100);
  });

  it('say which of them are kept for an hour, also where a message of long ago gets more', () => {
    const written = (hour: number): Fields => ({
      cache_creation: { ephemeral_5m_input_tokens: 7, ephemeral_1h_input_tokens: hour },
    });
    const others = Array.from({ length: MAX_MESSAGES }, (_, index) => line(`other ${index}`, 'r'));
    const records = [line('m', 'r', written(500)), ...others, line('m', 'r', written(800))];
    const { events } = readLines(claudeCodeAdapter, JSON.parse(JSON.stringify(records)), '/p/s1.jsonl');
    const hours = events.flatMap((event) =>
      event.kind === 'reply' && event.usage?.cacheWriteHour !== undefined ? [event.usage] : [],
    );
    expect(hours).toEqual([
      { input: 1, output: 10, cacheRead: 1000, cacheWrite: 507, cacheWriteHour: 500 },
      { input: 0, output: 0, cacheRead: 0, cacheWrite: 300, cacheWriteHour: 300 },
    ]);
  });
});

describe('a fast answer', () => {
  it('is one of the model under the name of its price', () => {
    const records = [line('m', 'r', { speed: 'fast' }), line('n', 'r', { speed: 'standard' })];
    const { events } = readLines(claudeCodeAdapter, records, '/p/s1.jsonl');
    const models = events.flatMap((event) => (event.kind === 'reply' ? [event.model] : []));
    expect(models).toEqual(['claude-opus-4-6-fast', 'claude-opus-4-6']);
  });
});

describe('messages of an advising model', () => {
  const advice = { type: 'advisor_message', model: 'claude-opus-4-5', input_tokens: 3, output_tokens: 4 };

  it('count on top, once for all lines of their message', () => {
    const iterations = [{ type: 'message', model: null, input_tokens: 1, output_tokens: 2 }, advice];
    expect(total(line('m', 'r', { iterations }))).toEqual([4, 14, 100, 1000]);
    expect(total(line('m', 'r', { iterations }), line('m', 'r', { iterations }))).toEqual([4, 14, 100, 1000]);
  });

  it('do not count when one of the iterations cannot be read', () => {
    expect(total(line('m', 'r', { iterations: [advice, { type: 'message', input_tokens: 'x' }] }))).toEqual(
      ONE,
    );
    expect(total(line('m', 'r', { iterations: [{ ...advice, model: null }] }))).toEqual(ONE);
  });
});

describe('a line counts', () => {
  it.each<[string, Fields, Fields]>([
    ['without a version', {}, { version: undefined }],
    ['without a model', {}, { message: { model: undefined } }],
    ['with text for content', {}, { message: { content: 'hi' } }],
    ['with null for a field that may be null', {}, { agentId: null, isSidechain: null }],
    ['with a null inside quoted text', {}, { message: { content: [{ type: 'text', text: '{"id":null}' }] } }],
    ['with a zone in its time', {}, { timestamp: '2026-01-01T00:00:00+02:00' }],
    ['with the speed it ran at', { speed: 'fast' }, {}],
    ['when it reports a failed request', {}, { isApiErrorMessage: true }],
  ])('%s', (_name, usage, rest) => {
    expect(total(line('m', 'r', usage, rest))).toEqual(ONE);
  });

  it('without caches, as 0', () => {
    const usage = { cache_creation_input_tokens: undefined, cache_read_input_tokens: undefined };
    expect(total(line('m', 'r', usage))).toEqual([1, 10, 0, 0]);
  });
});

describe('a line does not count', () => {
  const call = (input: unknown) => ({
    message: { content: [{ type: 'tool_use', id: 't', name: 'X', input }] },
  });

  it.each<[string, Fields, Fields]>([
    ['without a time', {}, { timestamp: undefined }],
    ['with half a time', {}, { timestamp: '2026-01-01' }],
    ['with a time that is none', {}, { timestamp: '2026-13-01T00:00:00.000Z' }],
    ['with a version that is none', {}, { version: '2.1.x' }],
    ['with an empty session', {}, { sessionId: '' }],
    ['with an empty request', {}, { requestId: '' }],
    ['with an empty message id', {}, { message: { id: '' } }],
    ['with an empty model', {}, { message: { model: '' } }],
    ['with null for its folder', {}, { cwd: null }],
    ['with null for its speed', { speed: null }, {}],
    ['with a speed nobody knows', { speed: 'odd' }, {}],
    ['with null for a cache', { cache_read_input_tokens: null }, {}],
    ['without output', { output_tokens: undefined }, {}],
    ['with text for a number', { input_tokens: '5' }, {}],
    ['with half a token', { output_tokens: 2.5 }, {}],
    ['with less than nothing', { input_tokens: -5 }, {}],
    ['with a null id in the input of a call', {}, call({ id: null })],
    ['with a null model deep in the input of a call', {}, call({ list: [{ model: null }] })],
    ['with a sidechain mark that is no mark', {}, { isSidechain: 'x' }],
  ])('%s', (_name, usage, rest) => {
    expect(total(line('m', 'r', usage, rest))).toEqual(NONE);
  });

  it('and leaves another line of its message to count', () => {
    expect(total(line('m', 'r', { output_tokens: 10, speed: null }), line('m', 'r'))).toEqual(ONE);
  });

  it('when it is a report about a sub-agent', () => {
    expect(total({ type: 'progress', data: { type: 'agent_progress', message: line('m', 'r') } })).toEqual(
      NONE,
    );
  });
});
