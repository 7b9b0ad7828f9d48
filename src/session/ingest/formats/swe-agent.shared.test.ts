import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sweAgentAdapter } from './swe-agent.ts';
import {
  countOf,
  expectWellFormed,
  ofKind,
  type Read,
  readDocument,
  sessionsOf,
} from './testing/read-events.ts';

const DATA = '../shared/data/session';
const load = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

const ends = (read: Read) => ofKind(read, 'end').map(({ reason }) => reason);

describe.skipIf(!existsSync(DATA))('public SWE-agent trajectories', () => {
  it('give 22 sessions and 227 steps, and the 5 of the one that has only a history', () => {
    const reads = globSync(`${DATA}/swe-agent/*.traj`).map((path) =>
      readDocument(sweAgentAdapter, load(path), path),
    );
    for (const read of reads) expectWellFormed(read);
    expect(new Set(reads.flatMap(sessionsOf)).size).toBe(22);
    expect(reads.flatMap((read) => ofKind(read, 'reply'))).toHaveLength(227 + 5);
    expect(countOf(reads.flatMap(ends))).toEqual({ normal: 21 });
    expect(reads.every((read) => ofKind(read, 'user').length === 1)).toBe(true);
  });
});
