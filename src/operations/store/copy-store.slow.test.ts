import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { anyRecords, appendAll, pruning } from '../../store/testing/any-records.ts';
import { at, decomposition, rating, session } from '../../store/testing/records.ts';
import { story } from '../../store/testing/session-story.ts';
import { STORED_KINDS } from '../../store/upkeep.ts';
import { defaultPorts } from '../default-ports.ts';
import { copyStore, isWholeCopy } from './copy-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-copy-'));
let count = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function using<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(path);
  return work(store).finally(() => store.close());
}

function places(): { from: string; to: string } {
  count += 1;
  return { from: join(folder, `from-${count}.db`), to: join(folder, `to-${count}.db`) };
}

it('copies everything, sums of requests that were deleted too, and the second time nothing', () =>
  fc.assert(
    fc.asyncProperty(
      story,
      anyRecords,
      fc.array(pruning, { maxLength: 3 }),
      async (chapters, batch, prunings) => {
        const request = places();
        const expected = await using(request.from, async (store) => {
          for (const chapter of chapters)
            if ('rows' in chapter) await store.appendSessions(chapter.rows);
            else await store.prune('sessions', chapter.before);
          await appendAll(store, batch, 9);
          for (const { kind, before } of prunings) await store.prune(kind, before);
          return answersOf(store);
        });
        const copy = await copyStore(request, defaultPorts());
        expect(isWholeCopy(copy)).toBe(true);
        for (const kind of copy.kinds) {
          expect(kind.to).toEqual(kind.from);
          expect(kind.added).toBe(kind.from.records);
        }
        expect(await using(request.to, answersOf)).toEqual(expected);
        const again = await copyStore(request, defaultPorts());
        expect(again.kinds.map(({ added }) => added)).toEqual(STORED_KINDS.map(() => 0));
        expect(isWholeCopy(again)).toBe(true);
      },
    ),
    { numRuns: 6 },
  ));

async function answersOf(store: Store): Promise<unknown> {
  return [
    await store.sessionRollup({ by: ['taskType', 'project'], bucket: 'day', histograms: true }),
    await store.productionCells({ by: 'hour' }),
    await store.productionCells({ by: 'day' }),
    await store.pendingDeliveries(),
    await store.trackAlerts({ now: at(0) }),
  ];
}

it('goes on with what is missing, takes the revision that was scored last, and says what the target has of its own', async () => {
  const request = places();
  await using(request.from, async (store) => {
    await store.appendSessions([
      session('a', '2', { scoredAt: at(2), q: 0.9 }),
      session('b', '1', { scoredAt: at(1), q: 0.2 }),
    ]);
    await store.appendRatings([rating('a'), rating('b'), rating('same', { author: 'ada' })]);
  });
  await using(request.to, async (store) => {
    await store.appendSessions([
      session('a', '1', { scoredAt: at(1), q: 0.1 }),
      session('b', '2', { scoredAt: at(2), q: 0.3 }),
    ]);
    await store.appendRatings([rating('a'), rating('own'), rating('same', { author: 'bob' })]);
  });
  const copy = await copyStore(request, defaultPorts());
  const [sessions, ratings] = ['sessions', 'ratings'].map((name) =>
    copy.kinds.find(({ kind }) => kind === name),
  );
  expect(sessions).toMatchObject({ missing: { count: 0 }, differing: { count: 1, keys: ['b'] } });
  expect(ratings).toMatchObject({
    added: 1,
    missing: { count: 0 },
    differing: { count: 1, keys: ['same'] },
    more: { count: 1, keys: ['own'] },
  });
  expect(isWholeCopy(copy)).toBe(false);
  await using(request.to, async (store) => {
    expect(await store.readSession('a')).toMatchObject({ q: 0.9 });
    expect(await store.readSession('b')).toMatchObject({ q: 0.3 });
  });
});

it('copies sums that outlived their requests, once', async () => {
  const request = places();
  await using(request.from, async (store) => {
    await store.appendDecompositions([
      decomposition('a', { costUsd: 1, latencyMs: 5 }),
      decomposition('b', { at: at(120), costUsd: 2, latencyMs: 50 }),
    ]);
    await store.prune('decompositions', at(60));
  });
  for (const _ of [1, 2]) {
    expect(isWholeCopy(await copyStore(request, defaultPorts()))).toBe(true);
    const [day] = await using(request.to, (store) => store.productionCells({ by: 'day' }));
    expect(day).toMatchObject({ requests: 2, cost: { sum: 3 }, latency: { n: 2, min: 5, max: 50 } });
  }
});
