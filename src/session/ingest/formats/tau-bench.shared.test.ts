import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTauOutcomes, tauAdapter } from './tau-bench.ts';
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
const failed = (read: Read) => ofKind(read, 'result').filter(({ ok }) => ok === false).length;

describe.skipIf(!existsSync(DATA))('public tau-bench results', () => {
  const path = `${DATA}/tau-bench/grok-3-retail-pr68.json`;

  it('give 115 sessions with all calls answered', () => {
    const document = load(path);
    const read = readDocument(tauAdapter, document, path);
    expectWellFormed(read);
    expect(sessionsOf(read)).toHaveLength(115);
    expect(countOf(ends(read))).toEqual({ normal: 98, handoff: 17 });
    expect([ofKind(read, 'call').length, ofKind(read, 'result').length, failed(read)]).toEqual([
      932, 932, 159,
    ]);
    const outcomes = readTauOutcomes(document, { path });
    expect(outcomes.map(({ sessionId }) => sessionId)).toEqual(sessionsOf(read));
    expect(outcomes.filter(({ outcome }) => outcome === 1)).toHaveLength(78);
  });
});
