import { expect, it } from 'vitest';
import type { WithStore } from '../contract.ts';
import type { Position, Store, TimeQuery } from '../store.ts';
import {
  alert,
  alertEvent,
  approval,
  at,
  auditEntry,
  decomposition,
  feedback,
  rating,
  run,
} from './records.ts';

type Listing = {
  readonly name: string;
  readonly fill: (store: Store, times: readonly string[]) => Promise<unknown>;
  readonly read: (store: Store, query: TimeQuery) => Promise<readonly Position[]>;
};

const LISTINGS: readonly Listing[] = [
  {
    name: 'ratings',
    fill: (store, times) => store.appendRatings(times.map((time, i) => rating(`${i}`, { at: time }))),
    read: async (store, query) =>
      (await store.readRatings(query)).map((one) => ({ at: one.at, key: one.ratingId })),
  },
  {
    name: 'approvals',
    fill: (store, times) => store.appendApprovals(times.map((time, i) => approval(`${i}`, { at: time }))),
    read: async (store, query) =>
      (await store.readApprovals(query)).map((one) => ({ at: one.at, key: one.approvalId })),
  },
  {
    name: 'alerts',
    fill: (store, times) => store.appendAlerts(times.map((time, i) => alert(`${i}`, { at: time }))),
    read: async (store, query) =>
      (await store.readAlerts(query)).map((one) => ({ at: one.at, key: one.alertId })),
  },
  {
    name: 'alerts with their state',
    fill: (store, times) => store.appendAlerts(times.map((time, i) => alert(`${i}`, { at: time }))),
    read: async (store, query) =>
      (await store.trackAlerts({ ...query, now: at(0) })).map((one) => ({ at: one.at, key: one.alertId })),
  },
  {
    name: 'events of alerts',
    fill: (store, times) => store.appendAlertEvents(times.map((time, i) => alertEvent(`${i}`, { at: time }))),
    read: async (store, query) =>
      (await store.readAlertEvents(query)).map((one) => ({ at: one.at, key: one.eventId })),
  },
  {
    name: 'feedback',
    fill: (store, times) => store.appendFeedback(times.map((time, i) => feedback(`${i}`, { at: time }))),
    read: async (store, query) =>
      (await store.readFeedback(query)).map((one) => ({ at: one.at, key: one.feedbackId })),
  },
  {
    name: 'the audit log',
    fill: (store, times) => store.appendAudit(times.map((time, i) => auditEntry(`${i}`, { at: time }))),
    read: async (store, query) =>
      (await store.readAudit(query)).map((one) => ({ at: one.at, key: one.auditId })),
  },
  {
    name: 'requests of production',
    fill: (store, times) =>
      store.appendDecompositions(times.map((time, i) => decomposition(`${i}`, { at: time }))),
    read: async (store, query) =>
      (await store.readDecompositions(query)).map((one) => ({ at: one.at, key: one.id })),
  },
];

const TIMES = [at(3), at(1), at(2), at(2), at(2), at(5)];
const KEYS = ['1', '2', '3', '4', '0', '5'];

/** Page after page, from a position that is before everything in this order. */
async function inPages(
  read: (query: TimeQuery) => Promise<readonly Position[]>,
  order: 'oldest' | 'newest',
  limit: number,
): Promise<string[]> {
  const all: Position[] = [];
  let after: Position | undefined =
    order === 'oldest' ? { at: '0000-01-01T00:00:00.000Z', key: '' } : undefined;
  for (;;) {
    const page = await read({ order, limit, ...(after && { after }) });
    if (page.length === 0) return all.map(({ key }) => key);
    all.push(...page);
    after = all.at(-1);
  }
}

export function describePaging(withStore: WithStore): void {
  it.each(LISTINGS)('lists $name in pages, both ways, and between two times', ({ fill, read }) =>
    withStore(async (store) => {
      await fill(store, TIMES);
      const keys = async (query: TimeQuery) => (await read(store, query)).map(({ key }) => key);
      expect(await keys({})).toEqual(KEYS);
      expect(await keys({ order: 'newest' })).toEqual(KEYS.toReversed());
      expect(await keys({ limit: 2 })).toEqual(['0', '5']);
      expect(await keys({ order: 'newest', limit: 2 })).toEqual(['5', '0']);
      expect(await keys({ since: at(2), until: at(3) })).toEqual(['2', '3', '4']);
      expect(await keys({ until: at(1) })).toEqual([]);
      for (const limit of [1, 2, 4]) {
        expect(await inPages((query) => read(store, query), 'oldest', limit)).toEqual(KEYS);
        expect(await inPages((query) => read(store, query), 'newest', limit)).toEqual(KEYS.toReversed());
      }
    }),
  );

  it('lists runs in pages, newest first, and between two times; a series too', () =>
    withStore(async (store) => {
      await store.appendRuns(TIMES.map((time, i) => run(`${i}`, { at: time })));
      const newest = KEYS.toReversed();
      const ids: string[] = [];
      for (let after: Position | undefined; ; ) {
        const page = await store.listRuns({ limit: 2, ...(after && { after }) });
        if (page.length === 0) break;
        ids.push(...page.map(({ runId }) => runId));
        const last = page.at(-1);
        after = last && { at: last.at, key: last.runId };
      }
      expect(ids).toEqual(newest);
      const between = { since: at(2), until: at(3) };
      expect((await store.listRuns(between)).map(({ runId }) => runId)).toEqual(['4', '3', '2']);
      expect((await store.latestRun(between))?.runId).toBe('4');
      const points = await store.series({ metric: 'recall', limit: 2, after: { at: at(3), key: '0' } });
      expect(points.map(({ runId }) => runId)).toEqual(['3', '4']);
    }));

  it('refuses a position that no record can have', () =>
    withStore(async (store) => {
      const after = { at: 'yesterday', key: 'a' };
      const refused = { code: 'INPUT_INVALID' };
      await expect(store.listRuns({ after })).rejects.toMatchObject(refused);
      await expect(store.readAlerts({ after })).rejects.toMatchObject(refused);
      await expect(
        store.listSessions({ after: { sessionKey: 'a', startedAt: 'yesterday' } }),
      ).rejects.toMatchObject(refused);
      await expect(store.sessionRollup({ until: 'yesterday' })).rejects.toMatchObject(refused);
      await expect(store.prune('runs', 'yesterday')).rejects.toMatchObject(refused);
    }));
}
