import { expect, it } from 'vitest';
import { factsWith, runWith } from '../../run-with.ts';
import { keepSessions } from '../reading/kept-sessions.ts';
import { type FileEntries, findOverlaps } from './find-overlaps.ts';

/** A file whose session was started by another; all of them share an entry. */
function fileOf(id: number, parent: number | undefined): FileEntries {
  const parentSessionId = parent === undefined ? {} : { parentSessionId: `s${parent}` };
  const facts = factsWith([runWith()], { source: 'toy', sessionId: `s${id}`, ...parentSessionId });
  return {
    path: `/${String(99_999 - id)}.jsonl`,
    keys: Float64Array.of(1, 1000 + id),
    kept: keepSessions([facts], undefined),
  };
}

it('gives a shared entry to the session that all others descend from, however long the line', () => {
  const line = Array.from({ length: 15_000 }, (_, i) => fileOf(i, i === 0 ? undefined : i - 1));
  const [overlap] = findOverlaps(line.toReversed());
  expect(overlap?.paths[0]).toBe(line[0]?.path);
  expect(overlap?.paths.at(-1)).toBe(line.at(-1)?.path);
  expect(overlap?.copies.size).toBe(line.length - 1);
});

it('goes on where parents form a circle', () => {
  const files = [fileOf(0, 2), fileOf(1, 0), fileOf(2, 1), fileOf(3, 2), fileOf(4, undefined)];
  expect(findOverlaps(files)[0]?.paths[0]).toBe(files[4]?.path);
});
