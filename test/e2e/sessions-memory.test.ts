import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bareEnv } from '../bare-env.ts';
import { LAUNCHER } from '../launcher.ts';

const SESSIONS = 8000;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-many-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** With so little memory that the facts of all sessions do not fit in it. */
function assay(...words: string[]) {
  const options = ['--max-old-space-size=56', LAUNCHER, 'sessions', 'score', 'many.jsonl', ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, options, {
    cwd: home,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: bareEnv(home),
  });
  return { status, stdout, stderr };
}

describe('a file with very many sessions', () => {
  it('is scored in little memory, in the order of the file, with the cost of sub-agents in their parent', () => {
    const timestamp = '2026-01-01T00:00:00.000Z';
    const lines = Array.from({ length: SESSIONS }, (_, i) => {
      const session_id = `s${i}`;
      const parent = i === 1 ? { parent_session_id: `s${SESSIONS - 1}` } : {};
      return [
        { type: 'session', session_id, timestamp, agent: 'bot', ...parent },
        { type: 'user', session_id, timestamp, text: 'Please fix the failing test in src/a.ts' },
        { type: 'assistant', session_id, timestamp, text: 'The test passes now.', cost_usd: i === 1 ? 2 : 1 },
      ];
    });
    writeFileSync(
      join(home, 'many.jsonl'),
      lines
        .flat()
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    );
    const csv = assay('--format', 'csv');
    expect(csv.stderr).toBe('');
    const rows = csv.stdout.split('\r\n').map((row) => row.split(','));
    const ids = rows.slice(1, -1).map(([id]) => id);
    expect(ids).toEqual(Array.from({ length: SESSIONS }, (_, i) => `s${i}`));
    const total = rows[0]?.indexOf('total_cost_usd') ?? -1;
    expect([rows[1]?.[total], rows[2]?.[total], rows[SESSIONS]?.[total]]).toEqual(['1', '2', '3']);
    // Remembered, from the store, and for people.
    expect(assay('--format', 'csv').stdout).toBe(csv.stdout);
    expect(assay('--format', 'csv', '--from-store').stdout.length).toBe(csv.stdout.length);
    expect(assay().stdout).toContain('Scored 8,000 sessions from Neutral transcript');
  });
});
