import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  appendLedger,
  inForce,
  ledgerPath,
  type NewEntry,
  readLedger,
  readWholeLedger,
  recordedHash,
  versionBehind,
} from './ledger.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const entry = (action: NewEntry['action'], prompt: string): NewEntry => ({
  at: '2026-01-29T00:00:00.000Z',
  who: 'Ada',
  action,
  prompt,
  sha256: `hash of ${prompt}`,
  reasons: [],
});

async function fill(): Promise<string[]> {
  await appendLedger(folder, entry('created', 'a-v1.0'));
  await appendLedger(folder, entry('promoted', 'a-v1.0'));
  await appendLedger(folder, entry('promoted', 'a-v1.1'));
  return readFileSync(ledgerPath(folder), 'utf8').trimEnd().split('\n');
}

it('adds lines and never changes one, each with the hash of the line before', async () => {
  expect(readLedger(folder)).toEqual({ entries: [] });
  const three = await fill();
  await appendLedger(folder, entry('rolled back', 'a-v1.0'));
  const four = readFileSync(ledgerPath(folder), 'utf8').trimEnd().split('\n');
  expect(four.slice(0, 3)).toEqual(three);
  const { entries, fault } = readLedger(folder);
  expect(fault).toBeUndefined();
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(entries.map(({ previous }) => previous)).toEqual([
    '',
    ...entries.slice(0, 3).map(({ hash }) => hash),
  ]);
});

it('goes further back with each rollback, never forward to what was taken out', async () => {
  await fill();
  const behind = () => versionBehind(readLedger(folder), 'a');
  await appendLedger(folder, entry('promoted', 'a-v1.2'));
  expect(behind()).toBe('a-v1.1');
  await appendLedger(folder, entry('rolled back', 'a-v1.1'));
  expect(behind()).toBe('a-v1.0');
  await appendLedger(folder, entry('rolled back', 'a-v1.0'));
  expect(behind()).toBeUndefined();
  await appendLedger(folder, entry('promoted', 'a-v1.3'));
  expect(behind()).toBe('a-v1.0');
});

it('is not decided by when it is broken', async () => {
  const [first = ''] = await fill();
  writeFileSync(ledgerPath(folder), `${first.replace('Ada', 'Eve')}\n`);
  expect(() => readWholeLedger(folder)).toThrow(/:1 was changed after it was written; nothing was changed$/);
});

it('knows the version in force, also after a rollback, and the hash of each', async () => {
  await fill();
  expect(inForce(readLedger(folder), 'a').map(({ prompt }) => prompt)).toEqual(['a-v1.1', 'a-v1.0']);
  await appendLedger(folder, entry('rolled back', 'a-v1.0'));
  expect(inForce(readLedger(folder), 'a')[0]?.prompt).toBe('a-v1.0');
  expect(recordedHash(readLedger(folder), 'a-v1.1')).toBe('hash of a-v1.1');
  await appendLedger(folder, entry('created', 'a-v1.2'));
  expect(recordedHash(readLedger(folder), 'a-v1.2')).toBeUndefined();
  expect(inForce(readLedger(folder), 'b')).toEqual([]);
});

it.each([
  [
    'a changed line',
    (lines: string[]) => [lines[0], lines[1]?.replace('Ada', 'Eve'), lines[2]],
    /:2 was changed/,
  ],
  ['a missing line', (lines: string[]) => [lines[0], lines[2]], /:2 does not follow/],
  ['a missing first line', (lines: string[]) => lines.slice(1), /:1 does not follow/],
  ['lines in another order', (lines: string[]) => [lines[1], lines[0], lines[2]], /:1 does not follow/],
  ['that all was taken out', () => [], /empty/],
  ['that only blanks are left', () => ['', ' '], /empty/],
  ['no JSON', (lines: string[]) => [...lines, 'oh'], /:4 is not JSON/],
])('sees %s, and adds nothing to such a ledger', async (_, tamper, message) => {
  const lines = await fill();
  const text = `${tamper(lines).join('\n')}\n`;
  writeFileSync(ledgerPath(folder), text);
  expect(readLedger(folder).fault).toMatch(message);
  await expect(appendLedger(folder, entry('created', 'a-v1.2'))).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringMatching(message),
  });
  expect(readFileSync(ledgerPath(folder), 'utf8')).toBe(text);
});

it('sees a last line that was cut off', async () => {
  const lines = await fill();
  writeFileSync(ledgerPath(folder), lines.join('\n').slice(0, -5));
  expect(readLedger(folder).fault).toMatch(/cut off/);
});

it.skipIf(process.platform === 'win32')(
  'is left as it was by a write that found no room for all of it',
  async () => {
    await fill();
    const before = readFileSync(ledgerPath(folder));
    const long = { ...entry('promoted', 'a-v1.2'), reasons: ['x'.repeat(100_000)] };
    const code = [
      `import { appendLedger } from ${JSON.stringify(resolve('src/decomposition/prompts/ledger.ts'))};`,
      `await appendLedger(${JSON.stringify(folder)}, ${JSON.stringify(long)});`,
    ].join('\n');
    // A file may have 20 kB: the line is written in part, as on a disk that is full.
    const limited = 'trap \'\' XFSZ; ulimit -f 20; exec "$0" --input-type=module -e "$1"';
    const { status, stderr } = spawnSync('bash', ['-c', limited, process.execPath, code], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('cannot be written: EFBIG')]);
    expect(readFileSync(ledgerPath(folder))).toEqual(before);
    await appendLedger(folder, entry('promoted', 'a-v1.2'));
    expect(readLedger(folder).entries).toHaveLength(4);
  },
);
