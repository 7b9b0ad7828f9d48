import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  listPrompts,
  newestPrompt,
  parsePromptName,
  promptFolder,
  readPrompt,
  SHIPPED_PROMPTS,
} from './prompt-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-prompts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (...names: string[]) => {
  for (const name of names) writeFileSync(join(folder, name), `text of ${name}`);
};

describe('a prompt', () => {
  it('has the name and version of its file, and a hash of its text', () => {
    put('decompose-concepts-v1.1.md');
    expect(readPrompt(folder, 'decompose-concepts-v1.1')).toEqual({
      name: 'decompose-concepts-v1.1',
      version: 'v1.1',
      text: 'text of decompose-concepts-v1.1.md',
      // printf 'text of decompose-concepts-v1.1.md' | sha256sum
      hash: '98cf2565f106c10cdfed314fd2087baf07ef627d9a9b239dae5bc5dda047bfda',
    });
  });

  it.each([
    'decompose',
    'decompose-v1',
    'v1.0',
    'a-v01.0',
    'A-v1.0',
    '../secret-v1.0',
    'a-v1.0.md',
    'a--b-v1.0',
  ])('is not called %s', (name) => {
    expect(parsePromptName(name)).toBeUndefined();
    expect(() => readPrompt(folder, name)).toThrow(/not the name of a prompt/);
  });

  it('that is missing or empty is an error with its path', () => {
    writeFileSync(join(folder, 'a-v1.0.md'), ' \n');
    expect(() => readPrompt(folder, 'a-v1.0')).toThrow(/a-v1\.0\.md is empty/);
    expect(() => readPrompt(folder, 'a-v1.1')).toThrow(/a-v1\.1\.md does not exist/);
  });
});

describe('the newest version', () => {
  it('is chosen by number: v1.10 after v1.9, v2.0 after both', () => {
    put('map-v1.9.md', 'map-v1.10.md', 'other-v9.0.md', 'CHANGELOG.md', 'map-draft.md');
    expect(newestPrompt(folder, 'map')).toBe('map-v1.10');
    put('map-v2.0.md');
    expect(newestPrompt(folder, 'map')).toBe('map-v2.0');
    expect(listPrompts(folder).map(({ name }) => name)).toEqual([
      'map-v1.9',
      'map-v1.10',
      'map-v2.0',
      'other-v9.0',
    ]);
    expect(() => newestPrompt(folder, 'none')).toThrow(/holds no prompt none-v/);
  });
});

describe('the folder', () => {
  it('is the one named, or prompts/, or the one of the package', () => {
    expect(promptFolder('mine', folder)).toBe('mine');
    expect(promptFolder(undefined, folder)).toBe(SHIPPED_PROMPTS);
    mkdirSync(join(folder, 'prompts'));
    expect(promptFolder(undefined, folder)).toBe(join(folder, 'prompts'));
  });
});
