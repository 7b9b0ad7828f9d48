import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expectWellFormed,
  kindsOf,
  ofKind,
  readDocument,
  readLines,
  sessionsOf,
} from '../testing/read-events.ts';
import { otlpAdapter } from './adapter.ts';

const load = (path: string) => JSON.parse(readFileSync(`test/fixtures/session/${path}`, 'utf8'));
const document = load('otlp-genai/document.json');
const read = readDocument(otlpAdapter, document);

describe('OTLP spans with the GenAI conventions', () => {
  it('form one session per conversation, spans without its id included, in order of time', () => {
    expectWellFormed(read);
    expect(sessionsOf(read)).toEqual(['conv-late-orders']);
    expect(kindsOf(read)).toEqual(
      'user reply call result reply call result spawn user reply spawn reply end'.split(' '),
    );
  });

  it('read the same in whatever order the spans come', () => {
    const spans = document.resourceSpans[0].scopeSpans[0].spans;
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(order, (indexes) => {
        const shuffled = structuredClone(document);
        shuffled.resourceSpans[0].scopeSpans[0].spans = indexes.map((index) => spans[index]);
        const { events } = readDocument(otlpAdapter, shuffled);
        expect(events.map((event) => ({ ...event, line: 0 }))).toEqual(
          read.events.map((event) => ({ ...event, line: 0 })),
        );
      }),
    );
  });

  it('count a message of the person once, though each request repeats it; the sub-agent’s task is no turn', () => {
    expect(ofKind(read, 'user').map(({ origin, text }) => [origin, text])).toEqual([
      ['user', 'Which orders of last week are late?'],
      ['runtime', 'Summarise: [41, 57]'],
    ]);
  });

  describe('what an agent and the models below it used', () => {
    const span = (spanId: string, parentSpanId: string, operation: string, from: number, to: number) => ({
      traceId: 't',
      spanId,
      parentSpanId,
      name: operation,
      startTimeUnixNano: `${1767225600000000000n + BigInt(from) * 1000000000n}`,
      endTimeUnixNano: `${1767225600000000000n + BigInt(to) * 1000000000n}`,
      attributes: { 'gen_ai.operation.name': operation, 'gen_ai.usage.input_tokens': 100 },
    });
    const used = (events: ReturnType<typeof readDocument>) =>
      ofKind(events, 'reply').reduce((sum, { usage }) => sum + (usage?.input ?? 0), 0);
    const agent = span('a', '', 'invoke_agent', 1, 2);
    const chat = span('c', 'a', 'chat', 2, 3);

    it('counts once, also when the model starts as the agent ends', () => {
      expect(used(readDocument(otlpAdapter, { spans: [agent, chat] }))).toBe(100);
      expect(used(readDocument(otlpAdapter, { spans: [chat, agent] }))).toBe(100);
    });

    it('counts once whichever line comes first', () => {
      expect(used(readLines(otlpAdapter, [agent, chat]))).toBe(100);
      expect(used(readLines(otlpAdapter, [chat, agent]))).toBe(100);
    });

    it('counts once through spans in between, one of them missing', () => {
      const step = { ...span('s', 'a', 'step', 1, 2), attributes: {} };
      const below = { ...chat, parentSpanId: 's' };
      for (const order of [
        [agent, step, below],
        [below, step, agent],
      ]) {
        expect(used(readDocument(otlpAdapter, { spans: order }))).toBe(100);
        expect(used(readLines(otlpAdapter, order))).toBe(100);
      }
      expect(used(readDocument(otlpAdapter, { spans: [agent, below] }))).toBe(100);
    });

    it('is the agent’s own word where no model below it is recorded', () => {
      const other = span('b', '', 'invoke_agent', 4, 5);
      expect(used(readDocument(otlpAdapter, { spans: [agent, chat, other] }))).toBe(200);
      expect(used(readDocument(otlpAdapter, { spans: [agent, other] }))).toBe(200);
    });
  });

  it('count a message that is said twice twice', () => {
    const say = (...texts: string[]) => JSON.stringify(texts.map((content) => ({ role: 'user', content })));
    const chat = (spanId: string, messages: string) => ({
      traceId: 't',
      spanId,
      name: 'chat m',
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages },
    });
    const twice = readLines(otlpAdapter, [
      chat('1', say('go on')),
      chat('2', say('go on', 'go on')),
      chat('3', say('go on')),
    ]);
    expect(ofKind(twice, 'user')).toHaveLength(2);
  });

  it('take what was read from and written to the cache out of the input', () => {
    expect(ofKind(read, 'reply').map(({ messageId, usage }) => [messageId, usage])).toEqual([
      ['resp-1', { input: 500, output: 30, cacheRead: 0, cacheWrite: 0 }],
      ['resp-2', { input: 100, output: 25, cacheRead: 500, cacheWrite: 100 }],
      [
        '00000000000000d2 4bf92f3577b34da6a3ce929d0e0e4736',
        { input: 50, output: 10, cacheRead: 0, cacheWrite: 0 },
      ],
      ['resp-3', { input: 200, output: 40, cacheRead: 700, cacheWrite: 0 }],
    ]);
  });

  it('count a call once, though the message and the span of the tool both tell it', () => {
    expect(ofKind(read, 'call').map(({ callId }) => callId)).toEqual(['call_1', 'call_2']);
    expect(ofKind(read, 'result').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['call_1', false],
      ['call_2', true],
    ]);
  });

  it('see an agent below another agent as its sub-agent', () => {
    expect(ofKind(read, 'spawn').map(({ ok }) => ok)).toEqual([undefined, true]);
    expect(ofKind(read, 'end').map(({ reason }) => reason)).toEqual(['normal']);
    expect(ofKind(read, 'session')[0]).toMatchObject({ agent: 'order-desk' });
  });

  it('ignore evaluations recorded in spans', () => {
    const judged = structuredClone(document);
    for (const span of judged.resourceSpans[0].scopeSpans[0].spans)
      span.attributes.push({ key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0 } });
    expect(readDocument(otlpAdapter, judged)).toEqual(read);
  });

  it('give a sub-agent with a conversation of its own a session of its own', () => {
    const span = (
      spanId: string,
      parentSpanId: string,
      agent: string,
      conversation: string,
      from: number,
    ) => ({
      traceId: 't',
      spanId,
      parentSpanId,
      name: `invoke_agent ${agent}`,
      startTimeUnixNano: `${1767225600 + from}000000000`,
      endTimeUnixNano: `${1767225600 + 10 - from}000000000`,
      status: {},
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent,
        'gen_ai.conversation.id': conversation,
      },
    });
    const both = readDocument(otlpAdapter, [
      span('a', '', 'boss', 'main', 0),
      span('b', 'a', 'helper', 'side', 1),
    ]);
    expect(ofKind(both, 'spawn')).toMatchObject([
      { session: 'main', spawnId: 'b t', sessionId: 'side' },
      { session: 'main', spawnId: 'b t', sessionId: 'side', ok: true },
    ]);
    expect(ofKind(both, 'session').at(-1)).toMatchObject({ session: 'side', parentSessionId: 'main' });
  });

  it('say nothing about a tool that failed silently: an unset status without an answer is a success', () => {
    const tool = (more: object) => ({
      traceId: 't',
      spanId: 's',
      name: 'execute_tool look',
      attributes: { 'gen_ai.operation.name': 'execute_tool', ...more },
    });
    const ok = (more: object) => ofKind(readLines(otlpAdapter, [tool(more)]), 'result')[0]?.ok;
    expect(ok({})).toBe(true);
    expect(ok({ 'gen_ai.tool.call.result': 'Error: gone' })).toBeUndefined();
    expect(ok({ 'error.type': '500' })).toBe(false);
  });

  it('count a call and a message once when two layers of instrumentation report them', () => {
    const span = (spanId: string, parentSpanId: string, from: number, attributes: object) => ({
      traceId: 't',
      spanId,
      parentSpanId,
      name: 'x',
      startTimeUnixNano: `${1767225600 + from}000000000`,
      endTimeUnixNano: `${1767225700 - from}000000000`,
      attributes,
    });
    const chat = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 1,
    };
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' };
    const layered = readDocument(otlpAdapter, [
      span('1', '', 0, chat),
      span('2', '1', 1, chat),
      span('3', '', 2, tool),
      span('4', '3', 3, tool),
    ]);
    expect(new Set(ofKind(layered, 'reply').map(({ messageId }) => messageId)).size).toBe(1);
    expect(ofKind(layered, 'call')).toHaveLength(1);
    expect(ofKind(layered, 'result')).toHaveLength(1);
  });
});

describe('OTLP lines', () => {
  const lines = readFileSync('test/fixtures/session/otlp-lines/lines.jsonl', 'utf8');
  const records = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const old = readLines(otlpAdapter, records);

  it('use the trace where no conversation is named, and count other signals as unknown', () => {
    expectWellFormed(old);
    expect(sessionsOf(old)).toEqual(['0af7651916cd43dd8448eb211c80319c']);
    expect(old.unknown).toEqual(['resourceMetrics']);
  });

  it('read the older names, and answers that only the next request shows', () => {
    expect(kindsOf(old)).toEqual(['user', 'reply', 'call', 'result', 'reply', 'end']);
    expect(ofKind(old, 'result')[0]).toMatchObject({ callId: 'w1', text: 'Error: no such station' });
    expect(ofKind(old, 'reply').map(({ usage }) => usage?.input)).toEqual([40, 60]);
    expect(ofKind(old, 'end')[0]?.reason).toBe('timeout');
  });

  it('see sub-agents though children come in earlier lines than their parents', () => {
    const spans = [
      ...document.resourceSpans[1].scopeSpans[0].spans,
      ...document.resourceSpans[0].scopeSpans[0].spans,
    ];
    const ends = ([...spans] as { endTimeUnixNano: string }[]).sort((a, b) =>
      a.endTimeUnixNano < b.endTimeUnixNano ? -1 : 1,
    );
    const single = readLines(otlpAdapter, ends);
    expect(ofKind(single, 'spawn').map(({ ok }) => ok)).toEqual([undefined, true]);
    expect(ofKind(single, 'end').map(({ reason }) => reason)).toEqual(['normal']);
    expect(ofKind(single, 'call')).toHaveLength(2);
    expect(ofKind(single, 'reply').map(({ usage }) => usage)).toEqual(
      ofKind(read, 'reply').map(({ usage }) => usage),
    );
  });

  it('end an agent that was called from outside when nothing more comes', () => {
    const agent = {
      traceId: 't',
      spanId: 'a',
      parentSpanId: 'in-another-service',
      name: 'invoke_agent desk',
      attributes: { 'gen_ai.operation.name': 'invoke_agent' },
      status: { code: 2 },
    };
    expect(ofKind(readLines(otlpAdapter, [agent]), 'end').map(({ reason }) => reason)).toEqual(['error']);
  });
});

describe('OpenInference spans', () => {
  const tree = readDocument(otlpAdapter, load('openinference-tree/trace.json'));

  it('read from a tree of spans with plain attributes', () => {
    expectWellFormed(tree);
    expect(sessionsOf(tree)).toEqual(['trace-77']);
    expect(kindsOf(tree)).toEqual('user reply spawn user reply call result spawn reply end'.split(' '));
  });

  it('match the span of a tool to the call that asked for it', () => {
    expect(ofKind(tree, 'result')[0]).toMatchObject({ callId: 's1', ok: false });
    expect(ofKind(tree, 'call')[0]).toMatchObject({ tool: 'web_search', input: { query: 'tower height' } });
  });

  it('take cached tokens out of the prompt', () => {
    expect(ofKind(tree, 'reply')[0]).toMatchObject({
      model: 'o3-mini',
      usage: { input: 200, output: 50, cacheRead: 100, cacheWrite: 0 },
    });
  });

  it('read the same when attributes are nested', () => {
    const nested = {
      context: { trace_id: '0x1', span_id: '0x2' },
      parent_id: null,
      name: 'llm',
      start_time: '2026-01-02T10:00:00Z',
      end_time: '2026-01-02T10:00:01Z',
      status: { status_code: 'OK' },
      attributes: {
        openinference: { span: { kind: 'LLM' } },
        llm: {
          model_name: 'm',
          token_count: { prompt: 3, completion: 2 },
          input_messages: [{ message: { role: 'user', content: 'Hi' } }],
        },
      },
    };
    const one = readDocument(otlpAdapter, [nested]);
    expect(kindsOf(one)).toEqual(['user', 'reply']);
    expect(ofKind(one, 'reply')[0]).toMatchObject({ model: 'm', usage: { input: 3, output: 2 } });
  });
});
