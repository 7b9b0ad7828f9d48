import { expect, it } from 'vitest';
import type { FileWork, SessionFacts } from '../evidence.ts';
import { packHashes } from '../fold/line-fingerprints.ts';
import { factsWith, runWith } from '../run-facts.ts';
import { sharingOf } from './taken-over.ts';

function wrote(sessionId: string, hashes: readonly number[], file: Partial<FileWork> = {}): SessionFacts {
  const files = [{ ends: [7], inside: true, wrote: packHashes(hashes), ...file }];
  return factsWith([runWith()], { sessionId, written: { oneIn: 1, files, commits: [] } });
}

it('names all that wrote a line of a session, and marks what they wrote', () => {
  const sessions = [wrote('a', [1, 2]), wrote('b', [2, 3]), wrote('c', [3, 4]), wrote('d', [5])];
  const { marks, beside } = sharingOf(sessions);
  expect(beside([0])).toEqual([0, 1]);
  expect(beside([3])).toEqual([3]);
  expect(beside([0, 2])).toEqual([0, 1, 2]);
  expect(marks[3]).toBe('');
  const later = sharingOf([...sessions.slice(0, 1), wrote('b', [2, 3], { lastAt: 5 }), ...sessions.slice(2)]);
  expect(later.marks.map((mark, i) => mark !== marks[i])).toEqual([true, true, true, false]);
});

it('keeps of sessions that all wrote one line as much as there are of them, not its square', () => {
  const sessions = Array.from({ length: 20_000 }, (_, i) => wrote(`s${i}`, [1, 1000 + i]));
  const { marks, beside } = sharingOf(sessions);
  expect(new Set(marks).size).toBe(1);
  expect(beside([0])).toHaveLength(20_000);
});
