import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTauOutcomes, tau2Adapter } from './tau-bench.ts';
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

describe.skipIf(!existsSync(DATA))('public tau2-bench results', () => {
  it('give 394 sessions, as many ends of each kind as their index says, and every cost', () => {
    const index: { file: string; simulations: number; rewards: Record<string, number> }[] = load(
      `${DATA}/tau2-bench/index.json`,
    );
    const totals = { sessions: 0, ends: [] as string[] };
    for (const { file, simulations, rewards } of index) {
      const path = `${DATA}/tau2-bench/${file}`;
      const document = load(path);
      const read = readDocument(tau2Adapter, document, path);
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
    expect(countOf(totals.ends)).toEqual({ normal: 378, limit: 5, error: 11 });
  });
});
