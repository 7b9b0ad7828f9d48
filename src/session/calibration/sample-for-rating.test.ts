import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TASK_TYPES } from '../profiles/task-type.ts';
import { withQ } from '../score.ts';
import { type Ratable, sampleForRating } from './sample-for-rating.ts';

/** 400 chat sessions between 0.6 and 1, a few of other types, two failed ones. */
const POPULATION: readonly Ratable[] = [
  ...Array.from({ length: 400 }, (_, i) => ({
    sessionId: `chat-${i}`,
    taskType: 'chat' as const,
    q: 0.6 + (0.4 * i) / 400,
  })),
  ...Array.from({ length: 6 }, (_, i) => ({ sessionId: `code-${i}`, taskType: 'coding' as const, q: 0.5 })),
  { sessionId: 'research', taskType: 'research', q: 0.8 },
  { sessionId: 'failed-1', taskType: 'chat', q: 0.1 },
  { sessionId: 'failed-2', taskType: 'chat', q: 0.2 },
  { sessionId: 'unscored', taskType: 'chat' },
];

const sessions = fc.uniqueArray(
  fc.record({
    sessionId: fc.string({ minLength: 1, maxLength: 6 }),
    taskType: fc.constantFrom(...TASK_TYPES),
    q: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  }),
  { selector: (one) => one.sessionId, maxLength: 60 },
);

describe('sampleForRating', () => {
  it('draws twenty, from every task type and every tier there is', () => {
    const { sessions, from, withoutQ } = sampleForRating(POPULATION);
    const drawn = sessions.map(({ sessionId }) => POPULATION.find((one) => one.sessionId === sessionId));
    expect(sessions).toHaveLength(20);
    expect({ from, withoutQ }).toEqual({ from: 409, withoutQ: 1 });
    expect(new Set(drawn.map((one) => one?.taskType))).toEqual(new Set(['chat', 'coding', 'research']));
    const tiers = new Set(drawn.map((one) => withQ(one?.q).tier));
    expect(tiers).toEqual(new Set(['excellent', 'good', 'acceptable', 'poor', 'failed']));
  });

  it('carries nothing that tells Q, not even its order', () => {
    const { sessions } = sampleForRating(POPULATION);
    expect(sessions.every((one) => Object.keys(one).join() === 'sessionId,taskType')).toBe(true);
    const qs = sessions.map(({ sessionId }) => POPULATION.find((one) => one.sessionId === sessionId)?.q ?? 0);
    expect(qs).not.toEqual(qs.toSorted((a, b) => a - b));
    expect(qs).not.toEqual(qs.toSorted((a, b) => b - a));
  });

  it('is the same for the same seed, whatever the order of the sessions, and another for another seed', () => {
    const shuffled = POPULATION.toReversed();
    expect(sampleForRating(shuffled, { seed: 7 })).toEqual(sampleForRating(POPULATION, { seed: 7 }));
    expect(sampleForRating(POPULATION, { seed: 8 })).not.toEqual(sampleForRating(POPULATION, { seed: 7 }));
  });

  it('draws distinct sessions, as many as asked for or as there are, and one of each type where they fit', () => {
    fc.assert(
      fc.property(sessions, fc.integer({ min: 0, max: 30 }), fc.nat(1000), (all, n, seed) => {
        const scored = all.filter((one) => one.q !== undefined);
        const { sessions: drawn } = sampleForRating(all, { n, seed });
        expect(drawn).toHaveLength(Math.min(n, scored.length));
        expect(new Set(drawn.map((one) => one.sessionId)).size).toBe(drawn.length);
        const types = new Set(scored.map((one) => one.taskType)).size;
        expect(new Set(drawn.map((one) => one.taskType)).size).toBeGreaterThanOrEqual(Math.min(n, types));
      }),
    );
  });
});
