import { spawnSync } from 'node:child_process';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { maxUnpackedBytes } from '../../../archives/unpack-limit.ts';
import { readAll } from '../read-all.ts';
import { tempFolder } from '../testing/temp-folder.ts';
import { openInput } from './open-input.ts';

const folder = tempFolder();
const record = { type: 'assistant', sessionId: 's', uuid: 'u', timestamp: '2026-01-01T00:00:00.000Z' };
const usage = { input_tokens: 1, output_tokens: 2 };
const line = `${JSON.stringify({ ...record, message: { id: 'm', role: 'assistant', content: [], usage } })}\n`;

const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 1 };

/** In a process of its own, because a test's standard input is not ours. */
function readInChild(path: string, input: Buffer | string): unknown {
  const script = `
    const { readAll } = await import('./src/session/ingest/read-all.ts');
    const { sessions, readings } = await readAll([${JSON.stringify(path)}]);
    console.log(JSON.stringify([sessions.map(({ facts }) => facts.sessionId), readings.map(({ lines }) => lines)]));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { input });
  expect(stderr.toString()).toBe('');
  return JSON.parse(stdout.toString());
}

describe('standard input', () => {
  it('is read like a file, compressed or not', () => {
    expect(readInChild('-', line + line)).toEqual([['s'], [2]]);
    expect(readInChild('-', gzipSync(line))).toEqual([['s'], [1]]);
    expect(readInChild('-', '')).toEqual([[], [0]]);
  });

  it('may be a document', () => {
    const document = {
      sessionId: 'g',
      projectHash: 'h',
      startTime: '2026-01-01T00:00:00Z',
      messages: [{ id: '1', type: 'user', content: 'hi', timestamp: '2026-01-01T00:00:00Z' }],
    };
    expect(readInChild('-', JSON.stringify(document, null, 2))).toMatchObject([['g'], expect.anything()]);
  });
});

describe('a file in UTF-16', () => {
  const swapped = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  const lines = line.replace('"s"', '"größe-✓"') + line.repeat(1000).replaceAll('"s"', '"größe-✓"');

  it.each([
    ['little end first', Buffer.from(`\uFEFF${lines}`, 'utf16le')],
    ['big end first', swapped(lines)],
    ['compressed', gzipSync(swapped(lines))],
  ])('is read like any other (%s)', async (name, bytes) => {
    const { sessions, readings } = await readAll([folder.write(`${name}.jsonl`, bytes)]);
    expect(sessions.map(({ facts }) => facts.sessionId)).toEqual(['größe-✓']);
    expect(readings).toMatchObject([{ lines: 1001, skipped: {} }]);
  });

  it('may come through a pipe, or be a document', async () => {
    expect(readInChild('-', swapped(line + line))).toEqual([['s'], [2]]);
    const spans = { spans: [{ traceId: 't', spanId: 's', name: 'chat', attributes: CHAT }] };
    const path = folder.write('document.json', swapped(`${JSON.stringify(spans, null, 1)}\n`));
    const { sessions } = await readAll([path]);
    expect(sessions.map(({ facts }) => facts.sessionId)).toEqual(['t']);
  });
});

describe('what is not a file', () => {
  it('is called what it is', async () => {
    await expect(openInput('/dev/null')).rejects.toThrow('/dev/null is a device, not a file');
    await expect(openInput(folder.path)).rejects.toThrow(`${folder.path} is a folder, not a file`);
  });
});

describe('a pipe', () => {
  it('can be named like a file', () => {
    const path = `${folder.path}/pipe`;
    spawnSync('mkfifo', [path]);
    const file = folder.write('behind-the-pipe.jsonl', line);
    const script = `cat '${file}' > '${path}' & '${process.execPath}' -e "
      import('./src/session/ingest/read-all.ts').then(async ({ readAll }) => {
        const { sessions } = await readAll(['${path}']);
        console.log(sessions.length);
      })"; wait`;
    const { stdout } = spawnSync('bash', ['-c', script], { timeout: 100_000 });
    expect(stdout.toString().trim()).toBe('1');
  });
});

describe('an archive that grows without end', () => {
  const line = Buffer.from('{"type":"x"}\n'.repeat(8000));
  const bomb = Buffer.concat(Array.from({ length: 2000 }, () => line));
  const packed = zstdCompressSync(bomb);

  it('is unpacked to a thousand times its size at most, or 64 MB', async () => {
    const path = folder.write('bomb.zst', packed);
    let bytes = 0;
    const unpack = async () => {
      for await (const chunk of (await openInput(path)).chunks()) bytes += chunk.length;
    };
    await expect(unpack()).rejects.toThrow(/cannot be unpacked: it grows beyond/);
    expect(bytes).toBeLessThanOrEqual(maxUnpackedBytes(packed.length));
    expect(bytes).toBeGreaterThan(maxUnpackedBytes(packed.length) / 2);
  });

  it('may be large where its content is', () => {
    expect(maxUnpackedBytes(62_000)).toBe(64 * 1024 * 1024);
    expect(maxUnpackedBytes(1_000_000)).toBe(1_000_000_000);
    expect(maxUnpackedBytes(1e12)).toBe(64 * 1024 ** 3);
  });
});
