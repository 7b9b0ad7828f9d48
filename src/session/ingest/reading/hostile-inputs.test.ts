/** Files that once took time or memory out of proportion, small: each is handled in steps in proportion to its size. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, expect, it, vi } from 'vitest';
import { maxUnpackedBytes } from '../../../archives/unpack-limit.ts';
import { readFile } from './read-file.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const timestamp = '2026-01-01T00:00:00.000Z';
const line = (record: object) => `${JSON.stringify({ timestamp, ...record })}\n`;
const say = (id: unknown, text = 'Fix it') => line({ type: 'user', session_id: `s${id}`, text });
const answer = (id: unknown) => line({ type: 'assistant', session_id: `s${id}`, text: 'Done.' });
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const ordinary = say('a') + answer('a');

type Hostile = {
  readonly name: string;
  readonly content: string | Buffer;
  readonly sessions: number;
  readonly lines?: number;
  /** It unpacks to more than is read of it. */
  readonly brokenOff?: boolean;
};

const CORPUS: readonly Hostile[] = [
  { name: 'marks.jsonl', content: say('a', `e${'\u0301\u0323'.repeat(50_000)}`) + answer('a'), sessions: 1 },
  { name: 'parts.jsonl', content: `${ordinary}[${'{},'.repeat(1_100_000)}{}]\n`, sessions: 1 },
  // As long as a line may be that is looked at.
  { name: 'long-parts.jsonl', content: `${ordinary}[${'{},'.repeat(10_400_000)}{}]\n`, sessions: 1 },
  {
    name: 'numbers.jsonl',
    content: `${ordinary}{"type":"user","list":[${'1,'.repeat(10_000_000)}1]}\n`,
    sessions: 1,
  },
  { name: 'empty.jsonl', content: `${ordinary}[{},{},{},{}]\n`, sessions: 1 },
  { name: 'deep.jsonl', content: `${ordinary}${'['.repeat(200_000)}\n`, sessions: 1 },
  {
    name: 'turns.jsonl',
    content:
      ordinary +
      upTo(900)
        .map((i) => say(i))
        .join('') +
      upTo(900).map(answer).join(''),
    sessions: 901,
  },
  {
    name: 'chain.jsonl',
    content: upTo(15_000)
      .map(
        (i) =>
          line({ type: 'session', session_id: `s${i}`, parent_session_id: `s${i + 1}` }) + say(i) + answer(i),
      )
      .join(''),
    sessions: 15_000,
  },
  {
    name: 'headers.jsonl',
    content:
      upTo(21_000)
        .map((i) => line({ type: 'session', session_id: `s${i}`, agent: 'bot' }))
        .join('') +
      say('0') +
      answer('0'),
    sessions: 1,
    lines: 21_002,
  },
  { name: 'packed.jsonl.zst', content: zstdCompressSync(ordinary + '\n'.repeat(2_000_000)), sessions: 1 },
  {
    name: 'bomb.jsonl.zst',
    content: zstdCompressSync(ordinary + `${' '.repeat(9999)}\n`.repeat(10_000)),
    sessions: 1,
    brokenOff: true,
  },
];

it.each(CORPUS)('parses $name a fixed number of times', async (hostile) => {
  const { name, content, sessions, lines = 0, brokenOff = false } = hostile;
  const path = join(root, name);
  writeFileSync(path, content);
  let [calls, chars] = [0, 0];
  const { parse } = JSON;
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, ...rest) => {
    calls += 1;
    chars += text.length;
    return parse(text, ...rest);
  });
  const { sessions: read, reading } = await readFile(path);
  spy.mockRestore();
  expect(read).toHaveLength(sessions);
  expect(calls).toBeLessThan(50 + 10 * sessions + 3 * lines);
  expect(chars).toBeLessThan(20_000 + 16 * content.length);
  expect('damaged archive' in reading.skipped).toBe(brokenOff);
  if (brokenOff) expect(reading.lines).toBeLessThanOrEqual(2 + maxUnpackedBytes(content.length) / 10_000);
});
