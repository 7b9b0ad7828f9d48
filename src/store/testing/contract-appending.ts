import { expect, it } from 'vitest';
import type { StoreUnderTest, WithStore } from '../contract.ts';
import { alert, approval, rating, run, session } from './records.ts';

export function describeAppending(withStore: WithStore, openAgain: StoreUnderTest['openAgain']): void {
  it('counts what is new and what was known', () =>
    withStore(async (store) => {
      expect(await store.appendRuns([run('a'), run('b')])).toEqual({ added: 2, known: 0 });
      expect(await store.appendRuns([run('b'), run('c')])).toEqual({ added: 1, known: 1 });
      expect(await store.appendRatings([rating('a'), rating('a')])).toEqual({ added: 1, known: 1 });
      expect(await store.appendApprovals([approval('a')])).toEqual({ added: 1, known: 0 });
      expect(await store.appendAlerts([alert('a')])).toEqual({ added: 1, known: 0 });
      expect(await store.appendSessions([session('a', '1'), session('a', '2')])).toEqual({
        added: 2,
        known: 0,
      });
      expect(await store.appendSessions([session('a', '1')])).toEqual({ added: 0, known: 1 });
    }));

  it('takes an empty batch', () =>
    withStore(async (store) => {
      expect(await store.appendRuns([])).toEqual({ added: 0, known: 0 });
    }));

  it('shows what was acknowledged to every other handle', () =>
    withStore(async (store) => {
      await store.appendRuns([run('a')]);
      const other = await openAgain(store);
      expect(await other.readRun('a')).toEqual(run('a'));
      await other.appendRuns([run('b')]);
      await other.close();
      expect((await store.listRuns()).map((summary) => summary.runId)).toEqual(['b', 'a']);
    }));

  it('sees the same record whatever the order of its keys', () =>
    withStore(async (store) => {
      const record = rating('a');
      await store.appendRatings([record]);
      const turned = Object.fromEntries(Object.entries(record).reverse()) as typeof record;
      expect(await store.appendRatings([turned])).toEqual({ added: 0, known: 1 });
    }));

  it('takes a field that is undefined for one that is missing', () =>
    withStore(async (store) => {
      await store.appendRatings([rating('a')]);
      const record = { ...rating('a'), note: undefined } as unknown as ReturnType<typeof rating>;
      expect(await store.appendRatings([record])).toEqual({ added: 0, known: 1 });
    }));

  it('may be closed twice', () => withStore((store) => store.close()));
}
