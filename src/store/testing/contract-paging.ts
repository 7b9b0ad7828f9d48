import { expect, it } from 'vitest';
import type { WithStore } from '../contract.ts';
import type { Position, Store, TimeQuery } from '../store.ts';
import type { StoredKind } from '../upkeep.ts';
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
  readonly kind: StoredKind;
  readonly key: string;
  readonly make: (id: string, part: { readonly at: string }) => object;
  readonly read: (store: Store, query: TimeQuery) => Promise<readonly { readonly at: string }[]>;
};

function listing(
  kind: StoredKind,
  key: string,
  make: Listing['make'],
  read: Listing['read'],
  name: string = kind,
): Listing {
  return { name, kind, key, make, read };
}

const LISTINGS: readonly Listing[] = [
  listing('ratings', 'ratingId', rating, (store, query) => store.readRatings(query)),
  listing('approvals', 'approvalId', approval, (store, query) => store.readApprovals(query)),
  listing('alerts', 'alertId', alert, (store, query) => store.readAlerts(query)),
  listing(
    'alerts',
    'alertId',
    alert,
    (store, query) => store.trackAlerts({ ...query, now: at(0) }),
    'alerts with their state',
  ),
  listing('alert-events', 'eventId', alertEvent, (store, query) => store.readAlertEvents(query)),
  listing('feedback', 'feedbackId', feedback, (store, query) => store.readFeedback(query)),
  listing('audit', 'auditId', auditEntry, (store, query) => store.readAudit(query)),
  listing('decompositions', 'id', decomposition, (store, query) => store.readDecompositions(query)),
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
  it.each(LISTINGS)(
    'lists $name in pages, both ways, and between two times',
    ({ kind, key, make, ...listed }) =>
      withStore(async (store) => {
        await store.upkeep().append(
          kind,
          TIMES.map((time, i) => make(`${i}`, { at: time })),
        );
        const read = async (query: TimeQuery) =>
          (await listed.read(store, query)).map((one) => ({ at: one.at, key: String(one[key as 'at']) }));
        const keys = async (query: TimeQuery) => (await read(query)).map((one) => one.key);
        expect(await keys({})).toEqual(KEYS);
        expect(await keys({ order: 'newest' })).toEqual(KEYS.toReversed());
        expect(await keys({ limit: 2 })).toEqual(['0', '5']);
        expect(await keys({ order: 'newest', limit: 2 })).toEqual(['5', '0']);
        expect(await keys({ since: at(2), until: at(3) })).toEqual(['2', '3', '4']);
        expect(await keys({ until: at(1) })).toEqual([]);
        for (const limit of [1, 2, 4]) {
          expect(await inPages(read, 'oldest', limit)).toEqual(KEYS);
          expect(await inPages(read, 'newest', limit)).toEqual(KEYS.toReversed());
        }
      }),
  );

  it('lists runs in pages, newest first, and between two times', () =>
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
