/**
 * Messages that stand in several files, or in one file again and again. Every figure is what ccusage 20.0.24
 * (`claude session --json --offline`) printed for files of exactly these lines, save where it says otherwise.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionFacts } from '../../../evidence.ts';
import { readAll } from '../../read-all.ts';

type Fields = Record<string, unknown>;

const A = 'aaaaaaaa-0000-4000-8000-000000000000';
const B = 'bbbbbbbb-0000-4000-8000-000000000000';
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

function line(
  session: string,
  id: string,
  uuid: number,
  tokens: [number, number],
  rest: Fields = {},
): Fields {
  return {
    type: 'assistant',
    uuid: `${String(uuid).padStart(8, '0')}-1111-4222-8333-444444444444`,
    sessionId: session,
    version: '2.0.1',
    timestamp: at(uuid % 60),
    requestId: `request of ${id}`,
    message: {
      id,
      model: 'claude-sonnet-4-5',
      role: 'assistant',
      content: [{ type: 'text', text: 'hi' }],
      usage: { input_tokens: tokens[0], output_tokens: tokens[1] },
    },
    ...rest,
  };
}

/** Two lines of one message, and another message. */
const first = [line(A, 'm1', 1, [10, 1]), line(A, 'm1', 2, [10, 5])];
const history = [...first, line(A, 'm2', 3, [20, 2])];
const own = line(B, 'm3', 4, [30, 3]);
const under = (session: string, lines: Fields[]) => lines.map((one) => ({ ...one, sessionId: session }));
const without = (field: string, lines: Fields[]) =>
  lines.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== field)));
const renamed = (lines: Fields[]) => lines.map((one, i) => ({ ...one, uuid: `another name for line ${i}` }));

function write(files: Record<string, Fields[]>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'assay-copies-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return Object.entries(files).map(([name, lines]) => {
    const path = join(folder, `${name}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
    return path;
  });
}

function tokens({ runs }: SessionFacts): [number, number] {
  const sum: [number, number] = [0, 0];
  for (const { usage } of runs.flatMap(({ models }) => models)) {
    sum[0] += usage.input;
    sum[1] += usage.output;
  }
  return sum;
}

/** Input and output per session that has any. */
async function count(files: Record<string, Fields[]>): Promise<Record<string, [number, number]>> {
  const { sessions } = await readAll(write(files), { threads: 0 });
  const all = sessions.map(({ facts }): [string, [number, number]] => [facts.sessionId, tokens(facts)]);
  return Object.fromEntries(all.filter(([, [input, output]]) => input + output > 0));
}

describe('a session that begins with a copy of another', () => {
  it.each([
    ['under its own id', under(B, history)],
    ['under the old id', history],
    ['with new names for its lines', renamed(under(B, history))],
  ])('%s has only what is new', async (_name, copy) => {
    expect(await count({ [A]: history, [B]: [...copy, own] })).toEqual({ [A]: [30, 7], [B]: [30, 3] });
  });

  it('without names for any line has only what is new', async () => {
    const files = { [A]: without('uuid', history), [B]: without('uuid', [...under(B, history), own]) };
    expect(await count(files)).toEqual({ [A]: [30, 7], [B]: [30, 3] });
  });

  it('leaves a message to the session that it was copied from, also where the copy has more of it', async () => {
    const files = { [A]: [...first.slice(0, 1), line(A, 'm3', 4, [30, 3])], [B]: under(B, history) };
    expect(await count(files)).toEqual({ [A]: [40, 4], [B]: [20, 2] });
  });

  it('is one session, that of its file, whoever its first lines name', async () => {
    expect(await count({ [A]: [own, ...first] })).toEqual({ [A]: [40, 8] });
    expect(await count({ a: [own, ...under('a', first)] })).toEqual({ a: [40, 8] });
  });

  it('keeps what it counts for, however many files come before it', async () => {
    const files = { [A]: [own, ...first], [B]: [own, line(B, 'm4', 5, [7, 7])] };
    expect(await count(files)).toEqual({ [A]: [40, 8], [B]: [7, 7] });
  });
});

describe('a message without a request id', () => {
  it('is the same one in another session of another file, and another one in the same file', async () => {
    const copy = renamed(without('requestId', under(B, history)));
    const files = { [A]: without('requestId', history), [B]: [...copy, own] };
    expect(await count(files)).toEqual({ [A]: [30, 7], [B]: [30, 3] });
    const both = without('requestId', [first[0] as Fields, ...under(B, first.slice(1))]);
    expect(await count({ [A]: both })).toEqual({ [A]: [20, 6] });
  });

  it('is the same one where the very same record was copied; ccusage has 60 and 10 for the copy', async () => {
    const copy = without('requestId', under(B, history));
    const files = { [A]: without('requestId', history), [B]: [...copy, own] };
    expect(await count(files)).toEqual({ [A]: [30, 7], [B]: [30, 3] });
  });
});

describe('lines with the same name', () => {
  it('count both when they are of different messages', async () => {
    const other = (session: string) => line(session, 'm9', 1, [99, 9]);
    expect(await count({ [A]: [first[0] as Fields, other(A)] })).toEqual({ [A]: [109, 10] });
    expect(await count({ [A]: first.slice(0, 1), [B]: [other(B)] })).toEqual({ [A]: [10, 1], [B]: [99, 9] });
  });
});

describe('a sub-agent in a file of its own', () => {
  const side = { isSidechain: true, agentId: 'abc' };
  const said = line(A, 'm1', 1, [10, 1]);

  it.each([
    ['the same request', {}],
    ['another request', { requestId: 'another' }],
  ])('that replays what its parent said, with %s, adds nothing', async (_name, rest) => {
    const replay = line(A, 'm1', 1, [10, 99], { ...side, ...rest });
    expect(await count({ [A]: [said], [`${A}/subagents/agent-abc`]: [replay] })).toEqual({ [A]: [10, 1] });
  });

  it('gives a message back to the main line that comes after it', async () => {
    const replay = { ...line(A, 'm1', 1, [10, 99], { isSidechain: true }), requestId: 'another' };
    expect(await count({ [A]: [replay, said] })).toEqual({ [A]: [10, 1] });
  });
});

describe('in a long file', () => {
  const many = Array.from({ length: 3000 }, (_, i) => line(A, `x${i}`, 1000 + i, [1, 1]));

  it('a message that goes on long after counts once, with the most tokens', async () => {
    expect(await count({ [A]: [...first.slice(0, 1), ...many, ...first.slice(1)] })).toEqual({
      [A]: [3010, 3005],
    });
    expect(await count({ [A]: [...first.slice(1), ...many, ...first.slice(0, 1)] })).toEqual({
      [A]: [3010, 3005],
    });
  });

  it('all messages written again count once, with new names too', async () => {
    expect(await count({ [A]: [...many, ...many] })).toEqual({ [A]: [3000, 3000] });
    expect(await count({ [A]: [...many, ...renamed(many)] })).toEqual({ [A]: [3000, 3000] });
  });
});
