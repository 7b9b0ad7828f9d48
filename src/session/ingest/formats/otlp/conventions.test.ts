import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../../evidence.ts';
import { readAll } from '../../read-all.ts';
import { tempFolder } from '../../testing/temp-folder.ts';
import { encode, varint } from './testing/encode.ts';
import { CONVENTIONS, documentOf, type Span, talkIn, talkInLogs } from './testing/talk.ts';

const { write } = tempFolder();

type Content = string | Buffer | object;
let written = 0;

async function read(...contents: readonly Content[]): Promise<readonly SessionFacts[]> {
  written += 1;
  const paths = contents.map((content, index) => {
    const bytes = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    return write(`${written}-${index}.${Buffer.isBuffer(content) ? 'pb' : 'json'}`, bytes);
  });
  return (await readAll(paths)).sessions.map(({ facts }) => facts);
}

function factsOf(sessions: readonly SessionFacts[]) {
  const runs = sessions.flatMap((session) => session.runs);
  const sum = (count: (run: (typeof runs)[number]) => number) =>
    runs.reduce((total, run) => total + count(run), 0);
  return {
    sessions: sessions.map(({ sessionId }) => sessionId),
    turns: sum((run) => run.turns),
    corrections: sum((run) => run.corrections),
    replies: sum((run) => run.replies),
    calls: sum((run) => run.tools.calls),
    failed: sum((run) => run.tools.failed),
    input: sum((run) => run.models.reduce((total, { usage }) => total + usage.input, 0)),
    output: sum((run) => run.models.reduce((total, { usage }) => total + usage.output, 0)),
    spawned: sum((run) => run.spawned),
    end: runs.at(-1)?.end,
    said: runs.at(-1)?.finalReplyChars,
  };
}

const TRUTH = {
  sessions: ['talk'],
  turns: 2,
  corrections: 1,
  replies: 4,
  calls: 2,
  failed: 1,
  input: 520,
  output: 46,
  spawned: 0,
  end: 'normal',
  said: 'The new one is on shelf 7.'.length,
};

describe.each(Object.entries(CONVENTIONS))('a talk in %s', (_name, convention) => {
  const spans = talkIn(convention);
  const lines = (list: readonly Span[]) => list.map((one) => JSON.stringify(documentOf([one]))).join('\n');

  it('is read from a document, from lines and from protobuf', async () => {
    expect(factsOf(await read(documentOf(spans)))).toEqual(TRUTH);
    expect(factsOf(await read(`${lines(spans)}\n`))).toEqual(TRUTH);
    expect(factsOf(await read(encode(documentOf(spans))))).toEqual(TRUTH);
  });

  it('is the same in whatever order spans and attributes come', async () => {
    const shuffled = fc.shuffledSubarray([...spans.keys()], { minLength: spans.length });
    await fc.assert(
      fc.asyncProperty(shuffled, fc.boolean(), async (order, turned) => {
        const some = order.map((index) => spans[index] as Span);
        const list = turned ? some.map((one) => ({ ...one, attributes: one.attributes.toReversed() })) : some;
        expect(factsOf(await read(turned ? lines(list) : documentOf(list)))).toEqual(TRUTH);
      }),
      { numRuns: 6 },
    );
  });

  it('is one session over two traces, two files and two exporters', async () => {
    const later = spans.map((one, index) => (index < 3 ? one : { ...one, traceId: 'b'.repeat(32) }));
    expect(factsOf(await read(documentOf(later)))).toEqual({ ...TRUTH, sessions: [expect.any(String)] });
    expect(factsOf(await read(documentOf(spans.slice(2)), documentOf(spans.slice(0, 2))))).toEqual(TRUTH);
    expect(factsOf(await read(documentOf(spans), encode(documentOf(spans))))).toEqual(TRUTH);
  });

  it('counts everything though the ids of spans begin anew with each trace', async () => {
    const ids = new Map(spans.slice(3).map(({ spanId }, index) => [spanId, spans[index]?.spanId ?? spanId]));
    const anew = (id: string) => ids.get(id) ?? id;
    const later = spans.map((one, index) =>
      index < 3
        ? one
        : {
            ...one,
            traceId: 'b'.repeat(32),
            spanId: anew(one.spanId),
            ...(one.parentSpanId !== undefined && { parentSpanId: anew(one.parentSpanId) }),
          },
    );
    expect(factsOf(await read(documentOf(later)))).toEqual({ ...TRUTH, sessions: [expect.any(String)] });
  });

  it('is one session though nobody named it, told by what it repeats', async () => {
    const isName = (key: string) => /conversation|session/i.test(key);
    const nameless = spans.map((one, index) => ({
      ...one,
      traceId: (index < spans.length - 1 ? 'a' : 'b').repeat(32),
      attributes: one.attributes.filter(({ key }) => !isName(key)),
    }));
    expect(factsOf(await read(documentOf(nameless)))).toEqual({ ...TRUTH, sessions: ['a'.repeat(32)] });
  });

  it('is read with the names and ids that other encoders write', async () => {
    const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
    const snake = spans.map(
      ({ traceId, spanId, startTimeUnixNano, endTimeUnixNano, attributes, ...rest }) => ({
        ...rest,
        trace_id: base64(traceId),
        span_id: base64(spanId),
        start_time_unix_nano: startTimeUnixNano,
        end_time_unix_nano: endTimeUnixNano,
        attributes: attributes.map(({ key, value }) => {
          const [[type = '', one] = []] = Object.entries(value as object);
          return { key, value: { [type.replace('Value', '_value')]: one } };
        }),
      }),
    );
    expect(
      factsOf(await read({ resource_spans: [{ resource: {}, scope_spans: [{ spans: snake }] }] })),
    ).toEqual(TRUTH);
  });
});

describe('a talk whose words are in log records', () => {
  const { spans, logs } = talkInLogs();
  const logDocument = { resourceLogs: [{ resource: {}, scopeLogs: [{ scope: {}, logRecords: logs }] }] };

  it('is joined with its spans: in one file, in lines, and in files of their own', async () => {
    const traces = documentOf(spans);
    expect(factsOf(await read({ ...traces, ...logDocument }))).toEqual(TRUTH);
    expect(factsOf(await read(`${JSON.stringify(logDocument)}\n${JSON.stringify(traces)}\n`))).toEqual(TRUTH);
    expect(factsOf(await read(logDocument, traces))).toEqual(TRUTH);
    expect(factsOf(await read(traces, logDocument))).toEqual(TRUTH);
    expect(factsOf(await read(encode(traces), encode(logDocument), logDocument))).toEqual(TRUTH);
  });

  it('is known from the log records alone, but for what was used', async () => {
    const alone = factsOf(await read(logDocument));
    expect(alone).toEqual({ ...TRUTH, sessions: ['a'.repeat(32)], input: 0, output: 0 });
  });

  it('is known from its spans alone as a talk of which no word was recorded', async () => {
    const alone = factsOf(await read(documentOf(spans)));
    expect(alone).toMatchObject({ turns: 0, calls: 0, replies: 4, input: 520, said: 0 });
  });
});

describe('protobuf', () => {
  const [convention] = Object.values(CONVENTIONS);
  const spans = convention === undefined ? [] : talkIn(convention);
  const requests = spans.map((one) => encode(documentOf([one])));

  it('is read as requests one after the other, each with its length before it', async () => {
    const four = requests.map((bytes) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return Buffer.concat([length, bytes]);
    });
    const delimited = requests.map((bytes) => Buffer.concat([varint(BigInt(bytes.length)), bytes]));
    expect(factsOf(await read(Buffer.concat(four)))).toEqual(TRUTH);
    expect(factsOf(await read(Buffer.concat(delimited)))).toEqual(TRUTH);
    expect(factsOf(await read(Buffer.concat(requests)))).toEqual(TRUTH);
  });

  it('that is cut off, damaged or none gives what is whole in it, and never a failed run', async () => {
    const whole = Buffer.concat(requests);
    expect(factsOf(await read(whole.subarray(0, whole.length - 9))).replies).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const damaged = Buffer.from(whole);
        damaged[at] = byte;
        await read(damaged);
      }),
      { numRuns: 60 },
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await read(Buffer.concat([Buffer.from([0x0a]), Buffer.from(bytes)]));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a talk whose words are in one event for each request', () => {
  it('is read from the details of the operation, asked and answered apart', async () => {
    const { spans } = talkInLogs();
    const convention = CONVENTIONS['gen_ai.input.messages with parts'];
    const stated = convention === undefined ? [] : talkIn({ chat: convention.chat });
    const logs = stated.flatMap(({ traceId, spanId, startTimeUnixNano, endTimeUnixNano, attributes }) =>
      (['gen_ai.input.messages', 'gen_ai.output.messages'] as const).map((name, index) => ({
        traceId,
        spanId,
        timeUnixNano: index === 0 ? startTimeUnixNano : endTimeUnixNano,
        eventName: 'gen_ai.client.inference.operation.details',
        attributes: attributes.filter(({ key }) => key === name),
      })),
    );
    const document = { resourceLogs: [{ scopeLogs: [{ logRecords: logs }] }] };
    expect(factsOf(await read({ ...documentOf(spans), ...document }))).toEqual(TRUTH);
    expect(factsOf(await read(documentOf(spans), encode(document)))).toEqual(TRUTH);
  });
});
