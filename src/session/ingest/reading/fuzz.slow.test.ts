import { describe, expect, it } from 'vitest';
import { claudeCodeAdapter } from '../formats/claude-code/adapter.ts';
import type { Adapter, LoadedFormat } from '../formats/format.ts';
import { formatNamed } from '../formats/formats.ts';
import { mutate, type Random, seeded } from '../testing/mutate-bytes.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { readFile } from './read-file.ts';
import { readLines } from './read-lines.ts';

const LINES = 24;
const folder = tempFolder();

/** Collects the names of the records it is given. */
function collector(): { format: LoadedFormat; names: Set<string> } {
  const names = new Set<string>();
  const nameOf = (record: unknown): string | undefined =>
    typeof record === 'object' && record !== null && 'name' in record && typeof record.name === 'string'
      ? record.name
      : undefined;
  const format: LoadedFormat = {
    name: 'collector',
    title: 'Collector',
    detect: ({ records }) => records.some((record) => nameOf(record) !== undefined),
    start: () => ({}),
    step: (_state, record) => {
      const name = nameOf(record);
      if (name !== undefined) names.add(name);
      return name === undefined ? 'unknown' : undefined;
    },
  };
  return { format, names };
}

const texts = ['plain', 'quotes " and \\ and \n', '{"looks":"like a record"}', 'ünï — 漢字 🙂', '}{"]['];

function record(name: string, random: Random): string {
  return JSON.stringify({
    type: 'x',
    name,
    text: random.pick(texts),
    list: [1, { deep: [null, true] }],
    n: -1.5e3,
  });
}

type Writer = (name: string, random: Random) => string;

/** A file in which some lines are damaged; lines may be glued, but what is intact is not touched. */
function damagedFile(random: Random, write: Writer): { bytes: Buffer; intact: string[]; mutations: number } {
  const parts: Buffer[] = [];
  const intact: string[] = [];
  let mutations = 0;
  for (let i = 0; i < LINES; i++) {
    if (random.next() < 0.5) {
      intact.push(`intact-${i}`);
      parts.push(Buffer.from(write(`intact-${i}`, random)));
    } else {
      mutations += 1;
      parts.push(mutate(Buffer.from(write('mutant', random)), random));
    }
    const glued = random.next() < 0.1 && i < LINES - 1;
    parts.push(Buffer.from(glued ? '' : random.pick(['\n', '\n', '\r\n', '\n\n'])));
  }
  return { bytes: Buffer.concat(parts), intact, mutations };
}

async function* inChunks(bytes: Buffer, random: Random): AsyncGenerator<Buffer> {
  const size = 1 + random.below(bytes.length + 1);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function loseNothing(
  count: number,
  write: Writer,
  collect: () => { format: LoadedFormat; names: Set<string> },
) {
  const random = seeded(20_260_301);
  let mutations = 0;
  for (let file = 0; mutations < count; file++) {
    const damaged = damagedFile(random, write);
    const { format, names } = collect();
    if (file % 10 === 0) {
      await readFile(folder.write('fuzz.jsonl', damaged.bytes), { formats: [format] });
    } else {
      await readLines('fuzz', inChunks(damaged.bytes, random), { formats: [format] });
    }
    const lost = damaged.intact.filter((name) => !names.has(name));
    if (lost.length > 0)
      expect.fail(`file ${file} lost ${lost.join(', ')}:\n${damaged.bytes.toString('latin1')}`);
    mutations += damaged.mutations;
  }
  expect({}).not.toHaveProperty('polluted');
}

/** Lines as Claude Code writes them, long enough for its shortcuts; progress is passed over on purpose. */
const claudeCodeLine: Writer = (uuid, random) => {
  const head = { parentUuid: 'p', isSidechain: false, sessionId: 's', version: '2.1.0' };
  const tail = { uuid, timestamp: '2026-01-01T00:00:00.000Z' };
  const text = random.pick(texts).repeat(1 + random.below(60));
  const progress = { ...head, type: 'progress', data: { type: 'bash_progress', output: text } };
  if (uuid === 'mutant' && random.next() < 0.4) return JSON.stringify({ ...progress, uuid });
  const message = { role: 'user', content: [{ tool_use_id: 't', type: 'tool_result', content: text }] };
  const toolUseResult = random.pick([
    { type: 'text', file: { filePath: '/a', content: text } },
    { filePath: '/a', oldString: text, structuredPatch: [{ lines: [text] }], replaceAll: false },
    { stdout: text, stderr: '', interrupted: false, isImage: false },
  ]);
  const source = random.next() < 0.7 ? { sourceToolAssistantUUID: 'x' } : {};
  return JSON.stringify({ ...head, type: 'user', message, ...tail, toolUseResult, ...source });
};

function claudeCodeCollector(): { format: LoadedFormat; names: Set<string> } {
  const names = new Set<string>();
  const quick: Adapter = claudeCodeAdapter;
  const step: LoadedFormat['step'] = (state, record, line, emit) => {
    if (typeof record === 'object' && record !== null && 'uuid' in record) names.add(String(record.uuid));
    return quick.step(state, record, line, emit);
  };
  return { format: { ...formatNamed('claude-code'), ...quick, step }, names };
}

describe('damaged lines', () => {
  it('never cost an intact record, whatever the damage', { timeout: 120_000 }, async () => {
    await loseNothing(20_000, record, collector);
  });

  it('never cost an intact record where lines are passed over or shortened', {
    timeout: 120_000,
  }, async () => {
    await loseNothing(8_000, claudeCodeLine, claudeCodeCollector);
  });

  it('are understood or counted by every format', { timeout: 120_000 }, async () => {
    const random = seeded(7);
    for (let file = 0; file < 600; file++) {
      const { bytes } = damagedFile(random, random.pick([claudeCodeLine, record]));
      const { reading } = await readFile(folder.write('fuzz.jsonl', bytes));
      expect(reading.skipped).not.toHaveProperty('not understood');
    }
  });
});
