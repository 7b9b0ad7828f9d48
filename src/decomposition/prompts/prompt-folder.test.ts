import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendLedger, type NewEntry, readLedger } from './ledger.ts';
import {
  listPrompts,
  newestPrompt,
  nextVersion,
  type PromptName,
  parsePromptName,
  promptFolder,
  readPrompt,
  SHIPPED_PROMPTS,
  surveyPrompts,
  versionBefore,
  versionToCopy,
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

const names = (...list: string[]) => list.map((name) => parsePromptName(name) as PromptName);

it('counts minor versions up within their major one, and major versions from .0', () => {
  const prompts = names('a-v1.0', 'b-v7.0');
  const [base] = prompts as [PromptName];
  expect(nextVersion(prompts, base, false)).toBe('a-v1.1');
  expect(nextVersion(prompts, base, true)).toBe('a-v2.0');
});

it('never uses a number twice, also when an older version is copied', () => {
  const prompts = names('a-v1.0', 'a-v1.9', 'a-v1.10', 'a-v2.0');
  const [base] = prompts as [PromptName];
  expect(nextVersion(prompts, base, false)).toBe('a-v1.11');
  expect(nextVersion(prompts, base, true)).toBe('a-v3.0');
});

it('copies the version in force, else the newest; a prompt that is not there is named', () => {
  const prompts = names('a-v1.0', 'a-v1.1');
  expect(versionToCopy(prompts, 'a', 'a-v1.0').name).toBe('a-v1.0');
  expect(versionToCopy(prompts, 'a', undefined).name).toBe('a-v1.1');
  expect(() => versionToCopy(prompts, 'c', undefined)).toThrow(/no prompt "c"; there is a/);
});

it('knows the version before', () => {
  const prompts = names('a-v1.0', 'a-v1.1', 'b-v1.0');
  expect(versionBefore(prompts, 'a-v1.1')).toBe('a-v1.0');
  expect(versionBefore(prompts, 'a-v1.0')).toBeUndefined();
  expect(versionBefore(prompts, 'b-v1.0')).toBeUndefined();
});

it('says of each version what was decided, and whether its file is still what it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-survey-'));
  const file = (name: string) => join(folder, `${name}.md`);
  const decided = (action: NewEntry['action'], prompt: string) =>
    appendLedger(folder, {
      at: '2026-01-29T00:00:00.000Z',
      who: 'Ada',
      action,
      prompt,
      sha256: readPrompt(folder, prompt).hash,
      reasons: [],
    });
  const states = () =>
    Object.fromEntries(
      surveyPrompts(folder, readLedger(folder)).map(({ name, state, file: is }) => [name, [state, is]]),
    );
  try {
    for (const minor of [0, 1, 2, 3, 4]) writeFileSync(file(`a-v1.${minor}`), `text ${minor}`);
    await decided('promoted', 'a-v1.0');
    await decided('rejected', 'a-v1.1');
    await decided('promoted', 'a-v1.2');
    await decided('created', 'a-v1.3');
    expect(states()).toEqual({
      'a-v1.0': ['promoted before', 'as recorded'],
      'a-v1.1': ['rejected', 'as recorded'],
      'a-v1.2': ['in force', 'as recorded'],
      'a-v1.3': ['not promoted', 'as created'],
      'a-v1.4': ['not promoted', 'not recorded'],
    });
    appendFileSync(file('a-v1.3'), ' and more');
    appendFileSync(file('a-v1.2'), ' and more');
    rmSync(file('a-v1.0'));
    expect(states()).toMatchObject({
      'a-v1.0': ['promoted before', 'deleted'],
      'a-v1.2': ['in force', 'changed'],
      'a-v1.3': ['not promoted', 'draft'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('finds the shipped prompts as the shipped ledger recorded them', () => {
  const ledger = readLedger(SHIPPED_PROMPTS);
  expect(ledger.fault).toBeUndefined();
  const shipped = surveyPrompts(SHIPPED_PROMPTS, ledger);
  expect(shipped.length).toBeGreaterThanOrEqual(3);
  for (const { name, file } of shipped) expect([name, file]).toEqual([name, 'as created']);
});
