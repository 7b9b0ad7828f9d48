import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../testing/temp-folder.ts';
import { CAPABILITIES } from './capabilities.ts';
import { FORMATS } from './formats.ts';
import { shownBy, shownIn } from './testing/shown-in.ts';

const FIXTURES = 'test/fixtures/session';
const folder = tempFolder();

/** Databases are written down as the statements that make them. */
function made(statements: string): string {
  const path = join(folder.path, basename(statements, '.sql').replace(/^[^.]+$/, '$&.db'));
  const database = new DatabaseSync(path);
  database.exec(readFileSync(statements, 'utf8'));
  database.close();
  return path;
}

const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .map((name) => join(FIXTURES, name))
  .filter((path) => statSync(path).isFile());
const databases = files.filter((path) => path.endsWith('.sql'));
const shown = await shownIn([...files.filter((path) => !databases.includes(path)), ...databases.map(made)]);

describe('what a format declares', () => {
  it.each(FORMATS)('is what the fixtures of $name show, no more and no less', ({ name, shows }) => {
    const found = shown.get(name);
    expect(found, 'there is no fixture').toBeDefined();
    expect(CAPABILITIES.filter((one) => found?.has(one))).toEqual(shows);
  });

  it('names versions', () => {
    for (const { versions } of FORMATS) expect(versions).not.toBe('');
  });
});

describe('what an event shows', () => {
  it('is nothing where it only has room for it', () => {
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(shownBy({ kind: 'reply', text: '', line: 1, usage: none, costUsd: 0, stop: 'tool' })).toEqual([]);
    expect(shownBy({ kind: 'result', callId: 'c', line: 1, ok: true })).toEqual([]);
    expect(shownBy({ kind: 'session', line: 1, parentSessionId: 'copied from' })).toEqual([]);
  });

  it('is a denial or a failure, never both', () => {
    expect(shownBy({ kind: 'result', callId: 'c', line: 1, ok: false, denied: true })).toEqual(['denials']);
    expect(shownBy({ kind: 'result', callId: 'c', line: 1, ok: false })).toEqual(['failures']);
  });
});
