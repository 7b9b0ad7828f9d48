import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { factsIn } from './kept-sessions.ts';
import { scanFile } from './read-file.ts';
import { closeSpill, openSpill } from './spill-list.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-turns-'));
const spill = openSpill();
afterAll(() => {
  closeSpill(spill);
  rmSync(root, { recursive: true, force: true });
});

const timestamp = '2026-01-01T00:00:00.000Z';
const PARTS = [
  { type: 'user', text: 'Please fix the failing test in src/a.ts' },
  { type: 'assistant', text: 'The test passes now.', cost_usd: 1 },
  { type: 'user', text: 'Thanks' },
  { type: 'assistant', text: 'You are welcome.', cost_usd: 1 },
];

/** The sessions one after the other, or each a line at a time. */
async function read(name: string, sessions: number, isTurnByTurn: boolean) {
  const lines: string[] = [];
  const line = (i: number, part: (typeof PARTS)[number] | undefined) =>
    lines.push(`${JSON.stringify({ ...part, session_id: `s${i}`, timestamp })}\n`);
  if (isTurnByTurn) for (const part of PARTS) for (let i = 0; i < sessions; i++) line(i, part);
  else for (let i = 0; i < sessions; i++) for (const part of PARTS) line(i, part);
  // The first lines tell the format.
  if (isTurnByTurn) [lines[1], lines[sessions]] = [lines[sessions] ?? '', lines[1] ?? ''];
  const path = join(root, name);
  writeFileSync(path, lines.join(''));
  const parse = vi.spyOn(JSON, 'parse');
  const { kept } = await scanFile(path, { spill });
  const parsed = parse.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0);
  parse.mockRestore();
  const facts = [...factsIn(kept)].map(({ sessionId, runs }) => ({
    sessionId,
    runs: runs.map(({ lines: _lines, ...run }: { lines?: unknown } & (typeof runs)[number]) => run),
  }));
  return { facts, parsed, bytes: lines.join('').length };
}

describe('a file whose sessions take turns', () => {
  it.each([300, 2600])(
    'has each of %i sessions whole, as if they stood one after the other',
    async (count) => {
      const [turns, rows] = [await read('turns.jsonl', count, true), await read('rows.jsonl', count, false)];
      const one = ({ sessionId, runs }: (typeof turns.facts)[number]) => [
        sessionId,
        runs.length,
        runs.map(({ turns: t }: { turns?: unknown }) => t),
      ];
      const sorted = (facts: typeof turns.facts) =>
        facts.map(one).sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
      expect(turns.facts).toHaveLength(count);
      expect(sorted(turns.facts)).toEqual(sorted(rows.facts));
    },
  );

  it('parses and writes each of its lines a fixed number of times', async () => {
    for (const count of [600, 2600]) {
      const { parsed, bytes } = await read('many.jsonl', count, true);
      expect(parsed).toBeLessThan(16 * bytes);
    }
  });
});
