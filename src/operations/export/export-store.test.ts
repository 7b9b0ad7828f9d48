import { describe, expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { at, rating, run, session } from '../../store/testing/records.ts';
import { defaultPorts } from '../default-ports.ts';
import { exportStore } from './export-store.ts';
import { RowCollector } from './testing/row-collector.ts';

async function using<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(':memory:');
  return work(store).finally(() => store.close());
}

describe('an export', () => {
  it('has every record once, also where many pages hold the same moment', () =>
    using(async (store) => {
      const ratings = Array.from({ length: 2500 }, (_, index) =>
        rating(`r${index}`, { at: at(index < 1800 ? 0 : index) }),
      );
      await store.appendRatings(ratings);
      const taken = new RowCollector();
      const request = { kinds: ['ratings'], open: taken.open };
      const { tables } = await exportStore(request, { ...defaultPorts(), store: async () => store });
      expect(tables).toEqual([{ table: 'ratings', rows: 2500, bytes: 2500 }]);
      expect(new Set(taken.rows.get('ratings')?.map(([id]) => id)).size).toBe(2500);
    }));

  it('of a store that is not there is refused before anything is written', async () => {
    const taken = new RowCollector();
    const ports = defaultPorts({ store: '/nowhere/typo.db' });
    await expect(exportStore({ open: taken.open }, ports)).rejects.toMatchObject({
      code: 'STORE_UNREADABLE',
    });
    expect(taken.rows.size).toBe(0);
  });

  it('leaves out what is not of the period, and sessions whose start nobody knows', () =>
    using(async (store) => {
      await store.appendSessions([
        session('early', 'r', { startedAt: at(1) }),
        session('within', 'r', { startedAt: at(2) }),
        session('unknown', 'r'),
      ]);
      await store.appendRuns([run('early', { at: at(1) }), run('late', { at: at(3) })]);
      const taken = new RowCollector();
      const period = { since: at(2), until: at(3) };
      await exportStore({ ...period, open: taken.open }, { ...defaultPorts(), store: async () => store });
      expect(taken.rows.get('sessions')?.map(([id]) => id)).toEqual(['within']);
      expect(taken.rows.get('cases')).toEqual([]);
    }));

  it('leaves no file of a kind that could not be read to its end', () =>
    using(async (store) => {
      const taken = new RowCollector();
      const stopped = new AbortController();
      await store.appendRatings([rating('one')]);
      const ports = { ...defaultPorts(), store: async () => store, signal: stopped.signal };
      stopped.abort();
      await expect(exportStore({ kinds: ['ratings'], open: taken.open }, ports)).rejects.toThrow();
      expect(taken.discarded).toEqual(['ratings']);
      expect(taken.finished).toEqual([]);
    }));
});
