import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sweAgent } from './swe-agent/adapter.ts';
import { tau } from './tau-bench/adapter.ts';
import { tau2 } from './tau2-bench/adapter.ts';
import { readTauOutcomes } from './tau2-bench/tau-outcomes.ts';
import { expectWellFormed, ofKind, type Read, readDocument, sessionsOf } from './testing/read-events.ts';

const DATA = '../shared/data/session';
const load = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

function counts<T extends string>(values: readonly T[]): Record<string, number> {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return Object.fromEntries(found);
}

const ends = (read: Read) => ofKind(read, 'end').map(({ reason }) => reason);
const failed = (read: Read) => ofKind(read, 'result').filter(({ ok }) => ok === false).length;

describe.skipIf(!existsSync(DATA))('public tau-bench results', () => {
  const path = `${DATA}/tau-bench/grok-3-retail-pr68.json`;

  it('give 115 sessions with all calls answered', () => {
    const document = load(path);
    const read = readDocument(tau, document, path);
    expectWellFormed(read);
    expect(sessionsOf(read)).toHaveLength(115);
    expect(counts(ends(read))).toEqual({ normal: 98, handoff: 17 });
    expect([ofKind(read, 'call').length, ofKind(read, 'result').length, failed(read)]).toEqual([
      932, 932, 159,
    ]);
    const outcomes = readTauOutcomes(document, { path });
    expect(outcomes.map(({ sessionId }) => sessionId)).toEqual(sessionsOf(read));
    expect(outcomes.filter(({ outcome }) => outcome === 1)).toHaveLength(78);
  });
});

describe.skipIf(!existsSync(DATA))('public tau2-bench results', () => {
  it('give 394 sessions, as many ends of each kind as their index says, and every cost', () => {
    const index: { file: string; simulations: number; rewards: Record<string, number> }[] = load(
      `${DATA}/tau2-bench/index.json`,
    );
    const totals = { sessions: 0, ends: [] as string[] };
    for (const { file, simulations, rewards } of index) {
      const path = `${DATA}/tau2-bench/${file}`;
      const document = load(path);
      const read = readDocument(tau2, document, path);
      expectWellFormed(read);
      expect(sessionsOf(read)).toHaveLength(simulations);
      expect(ofKind(read, 'result')).toHaveLength(ofKind(read, 'call').length);
      const outcomes = readTauOutcomes(document, { path });
      expect(outcomes.map(({ sessionId }) => sessionId)).toEqual(sessionsOf(read));
      expect(outcomes.filter(({ outcome }) => outcome === 1)).toHaveLength(rewards['1.0'] ?? 0);
      const stated = document.simulations.reduce(
        (sum: number, one: { agent_cost?: number }) => sum + (one.agent_cost ?? 0),
        0,
      );
      expect(ofKind(read, 'reply').reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)).toBeCloseTo(
        stated,
        9,
      );
      totals.sessions += sessionsOf(read).length;
      totals.ends.push(...ends(read));
    }
    expect(totals.sessions).toBe(394);
    expect(counts(totals.ends)).toEqual({ normal: 378, limit: 5, error: 11 });
  });
});

describe.skipIf(!existsSync(DATA))('public SWE-agent trajectories', () => {
  it('give 22 sessions and 227 steps, and the 5 of the one that has only a history', () => {
    const reads = globSync(`${DATA}/swe-agent/*.traj`).map((path) =>
      readDocument(sweAgent, load(path), path),
    );
    for (const read of reads) expectWellFormed(read);
    expect(new Set(reads.flatMap(sessionsOf)).size).toBe(22);
    expect(reads.flatMap((read) => ofKind(read, 'reply'))).toHaveLength(227 + 5);
    expect(counts(reads.flatMap(ends))).toEqual({ normal: 21 });
    expect(reads.every((read) => ofKind(read, 'user').length === 1)).toBe(true);
  });
});
