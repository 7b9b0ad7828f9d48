import { appendFileSync, rmSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES } from '../json/split-lines.ts';
import { counted } from '../testing/counted.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { toy } from '../testing/toy-format.ts';
import { type FileOptions, readFile } from './read-file.ts';

const folder = tempFolder();
const formats = [toy];
const line = (tokens: number, more: object = {}) => JSON.stringify({ toy: 'hello', tokens, ...more });
const read = (path: string, options: FileOptions = {}) => readFile(path, { formats, ...options });

async function readText(content: string | Buffer, name = 'a.jsonl') {
  const { sessions, reading } = await read(folder.write(name, content));
  return { tokens: counted(sessions), sessions, ...reading };
}

describe('reading a file of lines', () => {
  it('counts every record once', async () => {
    const result = await readText(`${line(1)}\n${line(2)}\n${line(4)}\n`);
    expect(result).toMatchObject({ tokens: 7, lines: 3, skipped: {}, unknownRecords: {} });
    expect(result.sessions).toMatchObject([{ source: 'toy', sessionId: 'a' }]);
  });

  it.each([
    ['a byte order mark', `\uFEFF${line(1)}\n${line(2)}\n`],
    ['lines that end like on Windows', `${line(1)}\r\n${line(2)}\r\n`],
    ['blank lines', `\n\n${line(1)}\n   \n\r\n${line(2)}`],
    ['two documents on one line', `${line(1)}${line(2)}\n`],
    ['no newline at the end', `${line(1)}\n${line(2)}`],
  ])('does not mind %s', async (_, content) => {
    expect(await readText(content)).toMatchObject({ tokens: 3, skipped: {} });
  });

  it.each([
    ['not JSON', `${line(1)}\nnonsense\n${line(2)}\n`, 2],
    ['not JSON', `${line(1)}\n\0\0\u0001\n${line(2)}\n`, 2],
    ['not a record', `${line(1)}\n[1,2]\n${line(2)}\n`, 2],
    ['partly damaged', `${line(1)}\n{"torn":"he${line(2)}\n`, 2],
    ['cut off at the end', `${line(1)}\n${line(2)}\n{"toy":"hel`, 3],
    ['not understood', `${line(1)}\n{"toy":"explode"}\n${line(2)}\n`, 2],
  ])('counts what is %s', async (reason, content, firstLine) => {
    expect(await readText(content)).toMatchObject({
      tokens: 3,
      skipped: { [reason]: { count: 1, firstLine } },
    });
  });

  it('reads what is not valid UTF-8', async () => {
    const bad = Buffer.from(line(2));
    bad[9] = 0xff;
    expect(
      await readText(Buffer.concat([Buffer.from(`${line(1)}\n`), bad, Buffer.from('\n')])),
    ).toMatchObject({
      tokens: 3,
      skipped: {},
    });
  });

  it('passes over a line that is too long, also at the beginning and at the end', async () => {
    const long = Buffer.alloc(MAX_LINE_BYTES + 1, ' ').fill('{"toy":"', 0, 8);
    const result = await readText(Buffer.concat([long, Buffer.from(`\n${line(1)}\n${line(2)}\n`), long]));
    expect(result).toMatchObject({
      tokens: 3,
      skipped: { 'over 32 MB': { count: 1, firstLine: 1 }, 'cut off at the end': { count: 1, firstLine: 4 } },
    });
  });

  it('counts records of unknown kinds, whatever they are called', async () => {
    const result = await readText(`${line(1)}\n{"kind":"__proto__"}\n`);
    expect(result).toMatchObject({ tokens: 1, unknownRecords: { 'not a toy': 1 } });
  });

  it('says of other content that it is no transcript', async () => {
    expect(await readText('{"some":"thing"}\n{"else":1}\n')).toMatchObject({
      sessions: [],
      skipped: { 'not a transcript': { count: 2, firstLine: 1 } },
    });
    expect(await readText('just text\n')).toMatchObject({
      sessions: [],
      skipped: { 'not JSON': { count: 1 } },
    });
    expect(await readText('')).toMatchObject({ sessions: [], lines: 0, skipped: {} });
  });

  it('recognises a transcript whose first lines are damaged or of other kinds', async () => {
    const other = '{"other":1}\n'.repeat(30);
    expect(await readText(`{"cut\n${other}${line(1)}\n${line(2)}\n`)).toMatchObject({
      tokens: 3,
      unknownRecords: { 'not a toy': 30 },
    });
  });

  it('reads compressed files, and of damaged ones what comes before the damage', async () => {
    const content = Array.from({ length: 2000 }, (_, i) =>
      line(1, { id: `entry-${i}`, pad: Math.sin(i) }),
    ).join('\n');
    for (const [name, packed] of [
      ['a.jsonl.gz', gzipSync(content)],
      ['a.jsonl.zst', zstdCompressSync(content)],
      ['no-telling-name', gzipSync(content)],
    ] as const) {
      expect(await readText(packed, name), name).toMatchObject({ tokens: 2000, skipped: {} });
    }
    const damaged = await readText(gzipSync(content).subarray(0, 20_000));
    expect(damaged.tokens).toBeGreaterThan(100);
    expect(damaged.skipped).toHaveProperty('damaged archive');
    const nothing = await readText(Buffer.concat([gzipSync('').subarray(0, 10), Buffer.alloc(50, 255)]));
    expect(nothing).toMatchObject({ sessions: [], skipped: { 'damaged archive': { count: 1 } } });
  });

  it('keeps sessions of one file apart', async () => {
    const lines = ['x', 'y', 'x'].map((session, i) => line(2 ** i, { session })).join('\n');
    const { sessions } = await readText(lines);
    expect(sessions.map((one) => [one.sessionId, counted([one])])).toEqual([
      ['x', 5],
      ['y', 2],
    ]);
  });

  it('finishes sessions early when a file has very many, and still counts all', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => line(1, { session: `s${(i * 7) % 600}` })).join(
      '\n',
    );
    const { sessions } = await readText(lines);
    expect(sessions).toHaveLength(600);
    expect(counted(sessions)).toBe(3000);
  });
});

describe('resuming a file', () => {
  it('gives the same facts as reading it at once, wherever it was cut', async () => {
    const record = fc.record({ session: fc.constantFrom('', 'x'), tokens: fc.nat(9), id: fc.uuid() });
    const damage = fc.constantFrom('', 'garbage', '{"torn":"', '\n', '{"unknown":1}');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(record, damage), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        async (parts, at) => {
          const content = Buffer.from(parts.map(([one, bad]) => `${bad}${line(one.tokens, one)}\n`).join(''));
          const cut = at % (content.length + 1);
          const path = folder.write('growing.jsonl', content.subarray(0, cut));
          const first = await read(path, { remember: true });
          appendFileSync(path, content.subarray(cut));
          const resume = first.progress;
          const second = await read(path, { resume, remember: true });
          const whole = await read(path, { remember: true });
          expect(second.sessions).toEqual(whole.sessions);
          expect(second.reading.lines).toBe(whole.reading.lines);
          expect(second.reading.unknownRecords).toEqual(whole.reading.unknownRecords);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('does not consume a line that is cut off', async () => {
    const path = folder.write('cut.jsonl', `${line(1)}\n${line(2)}\n${line(4).slice(0, 12)}`);
    const first = await read(path, { remember: true });
    expect(counted(first.sessions)).toBe(3);
    expect(first.reading.skipped).toHaveProperty('cut off at the end');
    appendFileSync(path, `${line(4).slice(12)}\n`);
    const second = await read(path, { resume: first.progress });
    expect(counted(second.sessions)).toBe(7);
    expect(second.reading.skipped).toEqual({});
  });
});

describe('branches', () => {
  const tree = (...entries: [id: string, parent: string | undefined, tokens: number][]) =>
    entries.map(([id, parent, tokens]) => line(tokens, { id, parent })).join('\n');

  it('that were left are counted apart', async () => {
    const path = folder.write(
      'branch.jsonl',
      tree(['a', undefined, 1], ['b', 'a', 2], ['c', 'b', 4], ['d', 'a', 8], ['e', 'd', 16]),
    );
    const { sessions } = await read(path);
    expect(counted(sessions)).toBe(1 + 8 + 16);
    expect(sessions[0]?.abandoned).toMatchObject({ entries: 2, usage: { output: 6 } });
  });

  it('are none when a line of the chain is damaged', async () => {
    const content = tree(['a', undefined, 1], ['b', 'a', 2], ['c', 'b', 4]).replace('"id":"b"', '"id":"b');
    const { sessions } = await read(folder.write('gap.jsonl', content));
    expect(counted(sessions)).toBe(5);
    expect(sessions[0]?.abandoned.entries).toBe(0);
  });

  it('that begin in what was appended are found as well', async () => {
    const path = folder.write('later.jsonl', `${tree(['a', undefined, 1], ['b', 'a', 2])}\n`);
    const { progress } = await read(path, { remember: true });
    appendFileSync(path, `${tree(['c', 'a', 4])}\n`);
    const { sessions, resumed } = await read(path, { resume: progress });
    expect([counted(sessions), sessions[0]?.abandoned.entries, resumed]).toEqual([5, 1, false]);
  });

  it('do not keep the active one from being resumed', async () => {
    const path = folder.write('on.jsonl', `${tree(['a', undefined, 1], ['b', 'a', 2], ['c', 'a', 4])}\n`);
    const { progress } = await read(path, { remember: true });
    appendFileSync(path, `${tree(['d', 'c', 8])}\n`);
    const { sessions, resumed } = await read(path, { resume: progress });
    expect([counted(sessions), sessions[0]?.abandoned.entries, resumed]).toEqual([13, 1, true]);
  });
});

describe('reading a document', () => {
  const toys = Array.from({ length: 50 }, (_, i) => ({ toy: 'hello', tokens: i, session: `s${i}` }));
  const sum = (50 * 49) / 2;

  it.each([
    ['on one line', JSON.stringify({ info: 1, toys })],
    ['on many lines', JSON.stringify({ info: 1, toys }, null, 2)],
    ['with a byte order mark', `\uFEFF${JSON.stringify({ toys })}`],
  ])('that is written %s', async (_, content) => {
    const result = await readText(content, 'document.json');
    expect(result).toMatchObject({ tokens: sum, lines: 50, skipped: {} });
    expect(result.sessions).toHaveLength(50);
  });

  it.each([undefined, 1])('that is cut off gives nothing and says so (indented by %s)', async (indent) => {
    const content = JSON.stringify({ info: 1, toys }, null, indent);
    const { sessions, skipped } = await readText(
      content.slice(0, content.lastIndexOf('"s40"')),
      'document.json',
    );
    expect(sessions).toEqual([]);
    expect(Object.keys(skipped)).not.toEqual([]);
  });

  it('says that a document of another kind is none', async () => {
    expect(await readText('{\n "a": [\n  1\n ]\n}\n', 'x.json')).toMatchObject({
      sessions: [],
      skipped: { 'not a transcript': { count: 1, firstLine: 1 } },
    });
  });
});

describe('files that cannot be read', () => {
  it('are named in the error', async () => {
    await expect(read('/no/such/file.jsonl')).rejects.toThrow('/no/such/file.jsonl does not exist');
    await expect(read(folder.path)).rejects.toThrow('is a folder');
    const gone = folder.write('gone.jsonl', 'x');
    rmSync(gone);
    await expect(read(gone)).rejects.toThrow(gone);
  });
});
