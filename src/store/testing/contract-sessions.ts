import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { WithStore } from '../contract.ts';
import { quantileOfBins, SCORED_WITH } from '../rollup.ts';
import type { SessionRow } from '../schema/session.ts';
import type { SessionQuery, SessionSummary, Store } from '../store.ts';
import { SessionModel } from './model.ts';
import { at, collect, delivery, session } from './records.ts';
import { type Chapter, rollupQuery, sessionQuery, story } from './session-story.ts';

export async function tell(store: Store, model: SessionModel, chapters: readonly Chapter[]): Promise<void> {
  for (const chapter of chapters) {
    if ('before' in chapter) {
      const removed = await store.prune('sessions', chapter.before);
      expect(removed).toBe(model.prune(chapter.before));
    } else {
      await store.appendSessions(chapter.rows);
      model.append(chapter.rows);
    }
  }
}

export function describeSessions(withStore: WithStore, stories: number): void {
  it('gives the sums that adding up the rows would give, whatever came, changed and went before', () =>
    fc.assert(
      fc.asyncProperty(story, fc.array(rollupQuery, { minLength: 6, maxLength: 6 }), (chapters, queries) =>
        withStore(async (store) => {
          const model = new SessionModel();
          await tell(store, model, chapters);
          for (const query of queries) expect(await store.sessionRollup(query)).toEqual(model.rollup(query));
          const scorings = (await store.sessionScorings()).map((one) => [
            ...SCORED_WITH.map((name) => one[name]),
            one.sessions,
          ]);
          expect(scorings.map(String).sort()).toEqual(model.scorings().map(String).sort());
        }),
      ),
      { numRuns: stories },
    ));

  it('stores deliveries with the sessions they are of, and leaves those that are there as they are', () =>
    withStore(async (store) => {
      const told = (id: string, body: string) => delivery(id, { target: 'webhook', body });
      await store.appendSessions([session('one', '1')], [told('first', 'as it was')]);
      const { added } = await store.appendSessions(
        [session('two', '1')],
        [told('first', 'otherwise'), told('second', 'new')],
      );
      expect(added).toBe(1);
      const stored = await store.readDeliveries({ target: 'webhook' });
      expect(stored.map(({ deliveryId, body }) => [deliveryId, body])).toEqual([
        ['first', 'as it was'],
        ['second', 'new'],
      ]);
      expect(await store.countSessions()).toBe(2);
    }));

  it('lists the sessions that fit, in order, in pages of any size', () =>
    fc.assert(
      fc.asyncProperty(story, sessionQuery, fc.integer({ min: 1, max: 3 }), (chapters, query, limit) =>
        withStore(async (store) => {
          const model = new SessionModel();
          await tell(store, model, chapters);
          const expected = model.sessions(query);
          expect(await collect(store.readSessions(query))).toEqual(expected);
          expect(await store.listSessions(query)).toEqual(expected.map(withoutFacts));
          expect(await store.countSessions({ ...query, limit })).toBe(expected.length);
          expect(await inPages(store, query, limit)).toEqual(expected.map(withoutFacts));
        }),
      ),
      { numRuns: stories },
    ));

  it('keeps sessions of one id apart by their keys', () =>
    withStore(async (store) => {
      const here = session('run', '1', { sessionKey: 'here', q: 0.9, startedAt: at(1) });
      const there = session('run', '2', { sessionKey: 'there', q: 0.1, startedAt: at(1), scoredAt: at(9) });
      await store.appendSessions([here, there]);
      expect(await collect(store.readSessions())).toEqual([here, there]);
      expect((await store.listSessions({ order: 'lowest Q' })).map(({ sessionKey }) => sessionKey)).toEqual([
        'there',
        'here',
      ]);
      expect(await store.readSession('here')).toEqual(here);
      expect(await store.readSession('run')).toBeUndefined();
      expect((await store.sessionRollup())[0]).toMatchObject({ sessions: 2, q: { n: 2, sum: 1 } });
    }));

  it('counts a session once, by its current revision, and no longer after it was pruned', () =>
    withStore(async (store) => {
      const one = session('a', '1', { startedAt: at(1), q: 0.5, costUsd: 2, tier: 'poor' });
      await store.appendSessions([one]);
      await store.appendSessions([
        { ...one, revision: '2', scoredAt: at(9), q: 0.9, tier: 'excellent' },
        session('b', '1', { q: 0.3, tier: 'failed' }),
      ]);
      const [all] = await store.sessionRollup({ histograms: true });
      expect(all).toMatchObject({
        sessions: 2,
        // 0.9 + 0.3, and 0.81 + 0.09
        q: { n: 2, sum: 1.2, sumOfSquares: 0.9 },
        tiers: { excellent: 1, poor: 0, failed: 1 },
        cost: { n: 1, sumUsd: 2 },
        priced: { q: { n: 1, sum: 0.9, sumOfSquares: 0.81 }, sumUsd: 2 },
      });
      // Between 0.3 and 0.9, to half a bin of 0.005.
      expect(Math.abs((quantileOfBins(all?.histograms?.q ?? [], 0.5) ?? 0) - 0.6)).toBeLessThan(
        0.0025 + 1e-9,
      );
      expect(await store.prune('sessions', at(2))).toBe(2);
      expect(await store.sessionRollup()).toEqual([]);
      expect(await store.readSession('a')).toBeUndefined();
      expect(await store.appendSessions([one])).toEqual({ added: 1, known: 0 });
    }));
}

function withoutFacts({ facts: _, ...summary }: SessionRow): SessionSummary {
  return summary;
}

async function inPages(store: Store, query: SessionQuery, limit: number): Promise<SessionSummary[]> {
  const all: SessionSummary[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await store.listSessions({ ...query, limit, ...(last && { after: last }) });
    if (page.length === 0) return all;
    all.push(...page);
  }
}
