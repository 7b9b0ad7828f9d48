import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellOf } from '../../decomposition/production/cell.ts';
import type { WithStore } from '../contract.ts';
import type { Store } from '../store.ts';
import { type Damage, STORED_KINDS, type StoredItem, type StoredKind } from '../upkeep.ts';
import { anyRecords, appendAll } from './any-records.ts';
import { compareBytes } from './model.ts';
import { at, decomposition, decompositionText, rating, session } from './records.ts';
import { story } from './session-story.ts';

async function inPages(store: Store, kind: StoredKind, limit: number): Promise<StoredItem[]> {
  const all: StoredItem[] = [];
  for (;;) {
    const page = await store.upkeep().items(kind, all.at(-1)?.key, limit);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

export async function damagesOf(store: Store): Promise<Damage[]> {
  const damages: Damage[] = [];
  await store.upkeep().check({ found: (damage) => damages.push(damage), progress: () => {} });
  return damages;
}

export function describeUpkeep(withStore: WithStore, stories: number): void {
  it('gives every record by its key, in order and in pages, and finds nothing wrong with them', () =>
    fc.assert(
      fc.asyncProperty(story, anyRecords, (chapters, batch) =>
        withStore(async (store) => {
          for (const chapter of chapters)
            if ('rows' in chapter) await store.appendSessions(chapter.rows);
            else await store.prune('sessions', chapter.before);
          await appendAll(store, batch, 7);
          const sizes = new Map((await store.upkeep().sizes()).map((size) => [size.kind, size]));
          for (const kind of STORED_KINDS) {
            const items = await inPages(store, kind, 3);
            expect(items).toEqual(items.toSorted((a, b) => compareBytes(a.key, b.key)));
            const keys = items.map(({ key }) => key);
            expect(await store.upkeep().records(kind, [...keys, 'nobody'])).toHaveLength(keys.length);
            expect(sizes.get(kind)?.records).toBe(keys.length);
          }
          const orphans = (await damagesOf(store)).filter(
            ({ table }) => !['alert_event', 'delivery_attempt', 'decomposition_text'].includes(table),
          );
          expect(orphans).toEqual([]);
        }),
      ),
      { numRuns: Math.ceil(stories / 4) },
    ));

  it('says how many are older, and what was deleted last', () =>
    withStore(async (store) => {
      await store.appendRatings([rating('a'), rating('b', { at: at(5) })]);
      await store.appendSessions([session('a', '1'), session('b', '1', { startedAt: at(9) })]);
      expect(await store.upkeep().olderThan('ratings', at(3))).toBe(1);
      expect(await store.upkeep().olderThan('sessions', at(9))).toBe(1);
      expect(await store.upkeep().olderThan('runs', at(9))).toBe(0);
      expect(await store.upkeep().lastPrunes()).toEqual([]);
      expect(await store.prune('ratings', at(3))).toBe(1);
      expect(await store.prune('runs', at(3))).toBe(0);
      const [last, ...others] = await store.upkeep().lastPrunes();
      expect(last).toMatchObject({ kind: 'ratings', before: at(3), removed: 1 });
      expect(others).toEqual([]);
      const sizes = (await store.upkeep().sizes()).find(({ kind }) => kind === 'sessions');
      expect(sizes).toMatchObject({ records: 2, oldest: at(9), newest: at(9) });
    }));

  it('adds sums of requests that are not there, by hour and by day', () =>
    withStore(async (store) => {
      await store.appendDecompositions([decomposition('a', { at: at(60), costUsd: 2 })]);
      const gone = cellOf(decomposition('b', { at: '2026-01-01T00:00:00.000Z', costUsd: 0.5 }));
      await store.upkeep().addSums([gone], at(60));
      for (const by of ['hour', 'day'] as const) {
        const cells = await store.productionCells({ by });
        expect(cells.map(({ requests, cost }) => [requests, cost.sum])).toEqual([[2, 2.5]]);
      }
      expect(await store.productionCells({ by: 'minute' })).toHaveLength(1);
      expect(await damagesOf(store)).toEqual([]);
    }));

  it('names a text whose request is not there, unless requests of its time were deleted', () =>
    withStore(async (store) => {
      await store.appendDecompositions(
        [decomposition('a')],
        [decompositionText('a'), decompositionText('b')],
      );
      expect(await damagesOf(store)).toMatchObject([{ table: 'decomposition_text', key: 'b' }]);
      expect(await store.prune('decompositions', at(5))).toBe(1);
      expect(await damagesOf(store)).toEqual([]);
    }));
}
