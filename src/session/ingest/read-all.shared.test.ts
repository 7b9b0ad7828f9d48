import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesOf, type Unread } from './files/find-files.ts';
import { loadFormats } from './formats/load-formats.ts';
import { readAll } from './read-all.ts';

const SHARED = '../shared/data/session';

function fail({ path }: Unread): never {
  throw new Error(`${path} cannot be read`);
}

describe.skipIf(!existsSync(SHARED))('the shared sessions', () => {
  it('are all read, and not a line of them is damaged', async () => {
    const { sessions, readings, unreadable } = await readAll(filesOf([SHARED], fail));
    const reasons = new Set(readings.flatMap(({ skipped }) => Object.keys(skipped)));
    expect(unreadable).toEqual([]);
    expect([...reasons].filter((reason) => reason !== 'no format knows it')).toEqual(['not a transcript']);
    const sources = new Set(sessions.map(({ facts }) => facts.source));
    for (const source of [
      'claude-code',
      'codex',
      'gemini',
      'openclaw',
      'pi',
      'swe-agent',
      'tau-bench',
      'tau2-bench',
    ]) {
      expect(sources, source).toContain(source);
    }
    expect(sessions.length).toBeGreaterThan(500);
  });

  it('give the same facts in any order, with any number of threads', async () => {
    const files = filesOf([`${SHARED}/claude-code`, `${SHARED}/pi`], fail);
    const once = await readAll(files);
    expect(await readAll(files.toReversed())).toEqual(once);
    expect(await readAll(files, { threads: 2 })).toEqual(once);
  });

  it('of Claude Code lose nothing by the shortcuts', async () => {
    const files = filesOf([`${SHARED}/claude-code`], fail);
    const formats = (await loadFormats()).map(({ skipBytes: _, trimBytes: __, ...plain }) => plain);
    expect(await readAll(files, { formats })).toEqual(await readAll(files));
  });
});
