import { describe, expect, it } from 'vitest';
import { ofKind, readDocument, readLines } from '../testing/read-events.ts';
import { otlpAdapter } from './adapter.ts';
import { attribute, documentOf, type Span, span } from './testing/talk.ts';

const thrown = (message: string): Pick<Span, 'events' | 'status'> => ({
  status: { code: 2, message },
  events: [{ name: 'exception', attributes: [attribute('exception.message', message)] }],
});
const below = (id: string) => ({ parentSpanId: id.padStart(16, '0') });
const kind = (name: string, more: Record<string, unknown> = {}) => ({
  'openinference.span.kind': name,
  ...more,
});
const model = (text: string, more: Record<string, unknown> = {}) =>
  kind('LLM', {
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'New task: sort the books. Now go on with step 1.',
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': text,
    ...more,
  });

function outcomes(spans: readonly Span[]) {
  const read = readDocument(otlpAdapter, documentOf(spans));
  return {
    calls: ofKind(read, 'call').map(({ tool }) => tool),
    failed: ofKind(read, 'result').filter(({ ok }) => ok === false).length,
    people: ofKind(read, 'user').flatMap(({ origin, text }) => (origin === 'user' ? [text] : [])),
    ends: ofKind(read, 'end').map(({ reason }) => reason),
    spawns: ofKind(read, 'spawn').map(({ ok }) => ok),
  };
}

describe('steps that raise', () => {
  const root = span('a', 1, 60, kind('AGENT', { 'input.value': { task: 'Sort the books.', reset: true } }));
  const steps = [0, 1, 2, 3, 4, 5].flatMap((index) => {
    const id = `b${index}`;
    const at = 5 + index * 8;
    const more = index < 5 ? thrown(`no such book ${index}`) : {};
    return [
      span(id, at, at + 5, kind('CHAIN'), { ...below('a'), name: `Step ${index + 1}`, ...more }),
      span(`c${index}`, at + 1, at + 2, model('I sort.'), below(id)),
    ];
  });

  it('are failed calls, each once, and those beside them that did not are calls that worked', () => {
    expect(outcomes([root, ...steps])).toMatchObject({ calls: Array(6).fill('Step'), failed: 5 });
  });

  it('leave the person who gave the run its task the only person', () => {
    expect(outcomes([root, ...steps]).people).toEqual(['Sort the books.']);
  });

  it('are counted by the tool that failed in them, where one did', () => {
    const tool = span('d0', 8, 9, kind('TOOL', { 'tool.name': 'shelve' }), {
      ...below('b0'),
      ...thrown('no such book 0'),
    });
    const { calls, failed } = outcomes([root, ...steps.slice(0, 2), tool]);
    expect([calls, failed]).toEqual([['shelve'], 1]);
  });

  it.each(['CHAIN', 'RETRIEVER', 'GUARDRAIL', 'RERANKER'])('count whatever their kind: %s', (name) => {
    const step = span('b', 5, 6, kind(name), { ...below('a'), name: 'find', ...thrown('gone') });
    expect(outcomes([root, step])).toMatchObject({ calls: ['find'], failed: 1 });
  });
});

describe('steps that are agents and raise', () => {
  const root = (name: string) => span('a', 1, 90, kind(name, { 'input.value': 'Sort the books.' }));
  const agents = (named: (index: number) => Record<string, unknown>) =>
    [0, 1, 2, 3, 4, 5].flatMap((index) => {
      const [id, at] = [`b${index}`, 5 + index * 8];
      const more = index < 5 ? thrown(`no such book ${index}`) : {};
      return [
        span(id, at, at + 5, kind('AGENT', named(index)), {
          ...below('a'),
          name: `Step ${index + 1}`,
          ...more,
        }),
        span(`c${index}`, at + 1, at + 2, model('I sort.'), below(id)),
      ];
    });

  it.each([
    ['without names', () => ({})],
    ['with names of their own', (index: number) => ({ 'agent.name': `sorter ${index}` })],
  ])('are failed calls, each once: %s', (_what, named) => {
    for (const holder of ['AGENT', 'CHAIN'])
      expect(outcomes([root(holder), ...agents(named)])).toMatchObject({
        calls: Array(6).fill('Step'),
        failed: 5,
      });
  });

  it('are still sub-agents that failed', () => {
    const { spawns } = outcomes([root('AGENT'), ...agents((index) => ({ 'agent.name': `sorter ${index}` }))]);
    expect(spawns.filter((ok) => ok === false)).toHaveLength(5);
  });

  it('are counted by the tool that called them, or that failed in them', () => {
    const look = kind('TOOL', { 'tool.name': 'ask-helper' });
    const helper = (more: object) => span('c', 6, 8, kind('AGENT', { 'agent.name': 'helper' }), more);
    const caller = span('b', 5, 9, look, { ...below('a'), ...thrown('gone') });
    const called = [root('AGENT'), caller, helper({ ...below('b'), ...thrown('gone') })];
    expect(outcomes(called)).toMatchObject({ calls: ['ask-helper'], failed: 1 });
    const inner = span('d', 6, 7, look, { ...below('c'), ...thrown('gone') });
    const raised = [root('AGENT'), span('e', 2, 3, model('Go.'), below('a')), inner];
    const all = outcomes([...raised, helper({ ...below('a'), ...thrown('gone') })]);
    expect(all).toMatchObject({ calls: ['ask-helper'], failed: 1 });
  });

  it('are the run itself where there is but one', () => {
    const only = span('b', 5, 9, kind('AGENT', { 'agent.name': 'x' }), { ...below('a'), ...thrown('gone') });
    expect(outcomes([root('CHAIN'), only])).toMatchObject({ calls: [], failed: 0, ends: ['error'] });
  });
});

describe('a failure that travels', () => {
  const root = (more: object = {}) => span('a', 1, 50, kind('AGENT', { 'input.value': 'Find it.' }), more);
  const tool = span('b', 5, 6, kind('TOOL', { 'tool.name': 'look' }), { ...below('a'), ...thrown('gone') });
  const answer = (more: object = {}) => span('c', 10, 11, model('It is gone.'), { ...below('a'), ...more });
  const marked = { status: { code: 2, message: 'gone' } };

  it('is one failure though every later span is marked with it, and the run ends as it ended', () => {
    const other = span('d', 8, 9, kind('TOOL', { 'tool.name': 'ask', 'output.value': 'yes' }), {
      ...below('a'),
      ...marked,
    });
    const all = outcomes([tool, other, answer(marked), root(marked)]);
    expect(all).toMatchObject({ calls: ['look', 'ask'], failed: 1, ends: ['normal'] });
  });

  it('ends the run where nothing came after it', () => {
    expect(outcomes([tool, root(marked)])).toMatchObject({ failed: 1, ends: ['error'] });
    expect(outcomes([tool, root(thrown('gone'))])).toMatchObject({ failed: 1, ends: ['error'] });
  });

  it('of a model is an end and no reply, unless another request follows', () => {
    const request = span('c', 10, 11, kind('LLM', { 'llm.model_name': 'm' }), {
      ...below('a'),
      ...thrown('500'),
    });
    const read = (spans: readonly Span[]) => readDocument(otlpAdapter, documentOf(spans));
    expect(ofKind(read([request, root()]), 'reply')).toEqual([]);
    expect(ofKind(read([request, root()]), 'end').at(-1)?.reason).toBe('error');
    const again = span('e', 20, 21, model('Here it is.'), below('a'));
    expect(ofKind(read([request, again, root()]), 'end').at(-1)?.reason).toBe('normal');
  });

  it('that was caught is none', () => {
    const caught = {
      name: 'exception',
      attributes: [{ key: 'exception.escaped', value: { boolValue: false } }],
    };
    const step = span('b', 5, 6, kind('CHAIN'), { ...below('a'), events: [caught] });
    expect(outcomes([root(), step, answer()])).toMatchObject({ calls: [], failed: 0, ends: ['normal'] });
  });
});

describe('agents', () => {
  const agent = (id: string, name: string, from: number, to: number, more: Partial<Span> = {}) =>
    span(id, from, to, { 'openinference.span.kind': 'AGENT', 'agent.name': name }, more);
  const chat = (id: string, parent: string, at: number) =>
    span(id, at, at + 1, model('Well.'), below(parent));

  it('below a root that does nothing else are the same agent; beside its own work they are sub-agents', () => {
    const inner = agent('b', 'helper', 2, 40, below('a'));
    expect(outcomes([agent('a', 'flow', 1, 50), inner, chat('c', 'b', 5)]).spawns).toEqual([]);
    expect(
      outcomes([agent('a', 'flow', 1, 50), inner, chat('c', 'b', 5), chat('d', 'a', 45)]).spawns,
    ).toEqual([undefined, true]);
  });

  it('that a person stopped have not failed', () => {
    const inner = agent('b', 'helper', 2, 40, {
      ...below('a'),
      status: { code: 2, message: 'cancelled by the user' },
    });
    const all = outcomes([agent('a', 'boss', 1, 50), inner, chat('c', 'b', 5), chat('d', 'a', 45)]);
    expect(all).toMatchObject({ spawns: [undefined, undefined], calls: [], failed: 0 });
  });
});

it('a long file is told as it goes, and comes to the same as all of it at once', () => {
  const spans = Array.from({ length: 12_000 }, (_, index) => ({
    ...span('1', 1, 2, model('Yes.', { 'session.id': `s${index % 3}`, 'llm.token_count.prompt': 1 })),
    spanId: String(index).padStart(16, '0'),
    startTimeUnixNano: String(1767225600000000000n + BigInt(index) * 1000000000n),
    endTimeUnixNano: String(1767225600500000000n + BigInt(index) * 1000000000n),
  }));
  const read = readLines(otlpAdapter, [documentOf(spans)]);
  expect(ofKind(read, 'reply')).toHaveLength(12_000);
  expect(ofKind(read, 'user')).toHaveLength(3);
  const some = spans.slice(0, 30);
  expect(ofKind(readLines(otlpAdapter, some), 'reply')).toHaveLength(30);
});

it('a long file of many traces keeps each of them whole', () => {
  const spans = Array.from({ length: 4_000 }, (_, index) => {
    const traceId = String(index).padStart(32, '0');
    const at = (second: number) => String(1767225600000000000n + BigInt(index * 10 + second) * 1000000000n);
    const named = { 'session.id': 's' };
    const part = (
      id: string,
      from: number,
      to: number,
      attributes: Record<string, unknown>,
      parent?: string,
    ) => ({
      ...span(id, 1, 2, { ...attributes, ...named }),
      traceId,
      spanId: `${id}${index}`,
      ...(parent && { parentSpanId: `${parent}${index}` }),
      startTimeUnixNano: at(from),
      endTimeUnixNano: at(to),
    });
    return [
      part('c', 2, 3, model('Yes.'), 'a'),
      part('b', 4, 5, kind('TOOL', { 'tool.name': 'look' }), 'a'),
      part('a', 1, 8, kind('AGENT', { 'input.value': 'Go on.' })),
    ];
  }).flat();
  const read = readLines(otlpAdapter, [documentOf(spans)]);
  expect(ofKind(read, 'user')).toHaveLength(4_000);
  expect(ofKind(read, 'reply')).toHaveLength(4_000);
  expect(ofKind(read, 'call')).toHaveLength(4_000);
});

describe('a span of the application that failed', () => {
  const around = span('a', 1, 60, {}, { name: 'POST /ask', status: { code: 2, message: '500' } });
  const reply = (more: Record<string, unknown>) => span('b', 5, 9, model('I look it up.', more), below('a'));
  const called = { 'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'look' };

  it('is the end of an agent that had called a tool and nothing else, and of no other', () => {
    expect(outcomes([around, reply(called)]).ends).toEqual(['error']);
    expect(outcomes([around, reply({})]).ends).toEqual([]);
  });
});

it.each([{ status: { code: 2 } }, { 'error.type': 'timeout' }, { 'langfuse.observation.level': 'ERROR' }])(
  'a call whose span says so has failed: %j',
  ({ status, ...attributes }: { status?: { code: number } } & Record<string, unknown>) => {
    const tool = kind('TOOL', { 'tool.name': 'look', 'output.value': 'ok', ...attributes });
    const root = span('a', 1, 60, kind('AGENT', { 'input.value': 'Look it up.' }));
    const more = { ...below('a'), ...(status && { status }) };
    expect(outcomes([root, span('b', 5, 6, tool, more)])).toMatchObject({ calls: ['look'], failed: 1 });
  },
);
