import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const CHECKLIST = '../shared/spec/checklist.md';

type Row = { id: string; state: string; shows: string; test: string };

/** Rows of the form `| id | what shows it | test |`; a row that is not done yet says "not yet". */
const rows: Row[] = readFileSync('docs/conformance.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| [DWS][0-9A]/.test(line))
  .map((line) => {
    const [id = '', state = '', shows = '', test = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { id, state, shows, test };
  });

/** `W13.1–4` stands for four clauses. */
function expand(id: string): string[] {
  const range = /^(.*\.)(\d+)–(\d+)$/.exec(id);
  if (range === null) return [id];
  const [, start = '', from = '', to = ''] = range;
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `${start}${Number(from) + i}`);
}

describe('the conformance table', () => {
  it('has one row for each of its ids', () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  });

  it.skipIf(!existsSync(CHECKLIST))(`answers every id of the checklist (needs ${CHECKLIST})`, () => {
    const clauses = readFileSync(CHECKLIST, 'utf8')
      .split('\n')
      .flatMap((line) => /^\| ([DWS][0-9A][^ ]*) \|/.exec(line)?.[1] ?? [])
      .flatMap(expand);
    expect(rows.map((row) => row.id)).toEqual(clauses);
  });

  it('says for each row whether it works, and names a test that exists', () => {
    for (const { id, state, shows, test } of rows) {
      expect(['works', 'in part', 'not yet'], id).toContain(state);
      if (state === 'not yet') continue;
      expect(shows, id).not.toBe('');
      // A clause with several parts names a test for each.
      for (const part of test.split(' · ')) {
        const [, path = '', name = ''] = /^`([^`]+)` (.+)$/.exec(part) ?? [];
        expect(existsSync(path), `${id}: ${path}`).toBe(true);
        expect(readFileSync(path, 'utf8'), `${id}: no test named "${name}" in ${path}`).toContain(name);
      }
    }
  });
});
