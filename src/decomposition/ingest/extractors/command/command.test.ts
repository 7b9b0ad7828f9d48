import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandExtractor } from '../command.ts';

const KEY = 'sk-test-9f8e7d6c5b4a3210';
const never = new AbortController().signal;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function extract(source: string, ...words: string[]) {
  const file = join(folder, 'extract.mjs');
  writeFileSync(file, source);
  const extractor = commandExtractor({ command: [process.execPath, file, ...words] });
  return { extractor, output: extractor.extract({ id: 'bread', text: 'Yeast.', trial: 1 }, never) };
}

describe('a key among the words of a program', () => {
  const ECHO = 'const key = process.argv[3];';

  it('is given to the program, and is in no name and no output', async () => {
    const { extractor, output } = extract(
      `${ECHO} console.log(JSON.stringify({ concepts: [{ label: key.length + ' ' + key }, { label: btoa(key) }] }))`,
      '--api-key',
      KEY,
    );
    expect(extractor.name).toMatch(/ --api-key \[key\]$/);
    const { concepts } = await output;
    expect(concepts[0]?.label).toBe(`${KEY.length} [key]`);
    expect(concepts[1]?.label).toMatch(/^\[key\]/);
  });

  it('is in no error', async () => {
    const { output } = extract(
      `${ECHO} console.error('bad key ' + key); process.exitCode = 4;`,
      '--api-key',
      KEY,
    );
    const error = (await output.catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain('bad key [key]');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(KEY);
  });

  it('is not repeated when the line cannot be read', () => {
    expect(() => commandExtractor({ command: `run --api-key ${KEY} "` })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(KEY) }),
    );
  });
});
