import { expect, it } from 'vitest';
import type { WithStore } from '../contract.ts';
import type { AlertEvent, Feedback, PrunedKind } from '../store.ts';
import {
  alert,
  alertEvent,
  approval,
  at,
  attempt,
  auditEntry,
  delivery,
  feedback,
  rating,
  run,
} from './records.ts';

export function describeOpinions(withStore: WithStore): void {
  it('gives the last word of each author on each subject', () =>
    withStore(async (store) => {
      await store.appendRatings([
        rating('1', { subjectId: 's', author: 'ada', at: at(1) }),
        rating('2', { subjectId: 's', author: 'bob', at: at(2) }),
        rating('3', { subjectId: 's', author: 'ada', at: at(3) }),
        rating('4', { subjectId: 't', author: 'bob', at: at(1) }),
        rating('5', { subjectId: 's', author: 'bob', at: at(2), kind: 'other' }),
      ]);
      const ids = async (query: object) => (await store.readRatings(query)).map(({ ratingId }) => ratingId);
      expect(await ids({ latest: true })).toEqual(['4', '2', '5', '3']);
      expect(await ids({ latest: true, author: 'bob', limit: 2 })).toEqual(['2', '5']);
      // Asked of all ratings first: Ada's last word on s is not the first.
      expect(await ids({ latest: true, author: 'ada', until: at(2) })).toEqual([]);
    }));

  it('derives the state of an alert from its latest event, in whatever order they arrive', () =>
    withStore(async (store) => {
      await store.appendAlertEvents([
        alertEvent('3', { alertId: 'a', state: 'resolved', at: at(3), who: 'bob', why: 'fixed' }),
        alertEvent('1', { alertId: 'a', state: 'acknowledged', at: at(1) }),
        alertEvent('2', { alertId: 'b', state: 'silenced', until: at(20), at: at(2) }),
        alertEvent('4', { alertId: 'c', state: 'resolved', at: at(3) }),
        alertEvent('5', { alertId: 'c', state: 'open', at: at(3) }),
      ]);
      await store.appendAlerts(['a', 'b', 'c', 'd'].map((id) => alert(id)));
      const states = async (now: string) =>
        (await store.trackAlerts({ now })).map(({ alertId, state }) => `${alertId} ${state}`);
      expect(await states(at(19))).toEqual(['a resolved', 'b silenced', 'c open', 'd open']);
      expect(await states(at(20))).toEqual(['a resolved', 'b open', 'c open', 'd open']);
      const only = async (query: object) =>
        (await store.trackAlerts({ now: at(10), ...query })).map(({ alertId }) => alertId);
      expect(await only({ states: ['open'] })).toEqual(['c', 'd']);
      expect(await only({ states: ['open', 'silenced'], order: 'newest', limit: 2 })).toEqual(['d', 'c']);
      expect(await only({ states: [] })).toEqual([]);
      expect(await only({ alertId: 'b' })).toEqual(['b']);
      expect(await only({ alertId: 'nobody' })).toEqual([]);
      expect((await store.trackAlerts({ now: at(0), states: ['resolved'] }))[0]?.event).toEqual(
        alertEvent('3', { alertId: 'a', state: 'resolved', at: at(3), who: 'bob', why: 'fixed' }),
      );
      expect((await store.readAlertEvents({ alertId: 'a' })).map(({ eventId }) => eventId)).toEqual([
        '1',
        '3',
      ]);
    }));

  it('keeps what is to be told elsewhere until it was, or was given up', () =>
    withStore(async (store) => {
      const all = ['a', 'b', 'c', 'd'].map((id, i) => delivery(id, { at: at(i) }));
      expect(await store.appendDeliveries(all)).toEqual({ added: 4, known: 0 });
      expect(await store.appendDeliveries(all.slice(0, 1))).toEqual({ added: 0, known: 1 });
      await store.appendDeliveryAttempts([
        attempt('1', { deliveryId: 'a', at: at(5), why: 'refused' }),
        attempt('2', { deliveryId: 'a', at: at(7), outcome: 'failed' }),
        attempt('3', { deliveryId: 'b', outcome: 'delivered' }),
        attempt('4', { deliveryId: 'c', outcome: 'given up' }),
      ]);
      expect(await store.pendingDeliveries()).toEqual([
        { ...all[0], attempts: 2, steps: 2, isClaimed: false, triedAt: at(7) },
        { ...all[3], attempts: 0, steps: 0, isClaimed: false },
      ]);
      expect(await store.pendingDeliveries({ limit: 1 })).toHaveLength(1);
      expect(await store.pendingDeliveries({ target: 'webhook' })).toHaveLength(2);
      expect(await store.pendingDeliveries({ target: 'somebody else' })).toEqual([]);
      expect(await store.readDeliveries({ deliveryId: 'b' })).toEqual([all[1]]);
      expect((await store.readDeliveries({ order: 'newest', limit: 1 }))[0]).toEqual(all[3]);
      expect(await store.prune('deliveries', at(3))).toBe(3);
      expect((await store.pendingDeliveries()).map(({ deliveryId }) => deliveryId)).toEqual(['d']);
    }));

  it('says of a delivery whether somebody has claimed it, and lets one claim it once', () =>
    withStore(async (store) => {
      await store.appendDeliveries([delivery('a')]);
      const claim = attempt('a 0', { deliveryId: 'a', outcome: 'claimed', why: 'one', at: at(1) });
      expect(await store.appendDeliveryAttempts([claim])).toEqual({ added: 1, known: 0 });
      await expect(store.appendDeliveryAttempts([{ ...claim, why: 'another' }])).rejects.toMatchObject({
        code: 'STORE_CONFLICT',
      });
      const pending = { ...delivery('a'), triedAt: at(1) };
      expect(await store.pendingDeliveries()).toEqual([
        { ...pending, attempts: 0, steps: 1, isClaimed: true },
      ]);
      await store.appendDeliveryAttempts([attempt('a 1', { deliveryId: 'a', at: at(1) })]);
      expect(await store.pendingDeliveries()).toEqual([
        { ...pending, attempts: 1, steps: 2, isClaimed: false },
      ]);
    }));

  it('keeps what people say of an output', () =>
    withStore(async (store) => {
      const said = [
        feedback('1', { outputId: 'x', thumb: 'down', item: 'concept', comment: 'made up', runId: 'r' }),
        feedback('2', { outputId: 'x', thumb: 'up' }),
        feedback('3', { instrument: 'other', outputId: 'y', score: 4.5 }),
      ];
      expect(await store.appendFeedback(said)).toEqual({ added: 3, known: 0 });
      expect(await store.appendFeedback(said)).toEqual({ added: 0, known: 3 });
      expect(await store.readFeedback()).toEqual(said);
      expect(await store.readFeedback({ outputId: 'x' })).toEqual(said.slice(0, 2));
      expect(await store.readFeedback({ runId: 'r' })).toEqual(said.slice(0, 1));
      expect(await store.readFeedback({ instrument: 'other' })).toEqual(said.slice(2));
    }));

  it.each<[string, Partial<Feedback>]>([
    ['says nothing', { thumb: undefined } as object],
    ['has six stars', { score: 6 }],
    ['has no star', { score: 0 }],
    ['points somewhere else', { thumb: 'sideways' as 'up' }],
  ])('refuses feedback that %s', (_what, part) =>
    withStore(async (store) => {
      const refused = store.appendFeedback([feedback('a'), { ...feedback('b'), ...part }]);
      await expect(refused).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringMatching(/^feedback\[1\]/),
      });
      expect(await store.readFeedback()).toEqual([]);
    }),
  );

  it.each<[string, Partial<AlertEvent>]>([
    ['a silence without an end', { state: 'silenced' }],
    ['an end without a silence', { state: 'resolved', until: at(1) }],
    ['a state it does not know', { state: 'forgotten' as 'open' }],
  ])('refuses %s', (_what, part) =>
    withStore(async (store) => {
      const refused = store.appendAlertEvents([{ ...alertEvent('a'), ...part }]);
      await expect(refused).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringMatching(/^alert-events\[0\]/),
      });
    }),
  );
}

export function describePruning(withStore: WithStore): void {
  it('deletes what is older than a point in time, says how many, and nothing else', () =>
    withStore(async (store) => {
      const make = {
        runs: run,
        ratings: rating,
        approvals: approval,
        alerts: alert,
        feedback,
        audit: auditEntry,
      };
      const kinds = Object.keys(make) as (keyof typeof make)[];
      for (const kind of kinds)
        await store.upkeep().append(
          kind,
          [1, 2, 3].map((second, i) => make[kind](`${i}`, { at: at(second) })),
        );
      const left = async () => {
        const sizes = new Map((await store.upkeep().sizes()).map(({ kind, records }) => [kind, records]));
        return kinds.map((kind) => sizes.get(kind));
      };
      for (const [i, kind] of kinds.entries()) {
        expect(await store.prune(kind, at(3))).toBe(2);
        expect(await store.prune(kind, at(3))).toBe(0);
        expect(await left()).toEqual(kinds.map((_, k) => (k <= i ? 1 : 3)));
      }
      expect(await store.readRun('2')).toEqual(run('2', { at: at(3) }));
      expect(await store.readRun('0')).toBeUndefined();
      expect(await store.appendRuns([run('0', { at: at(1) })])).toEqual({ added: 1, known: 0 });
      expect(await store.readRun('0')).toEqual(run('0', { at: at(1) }));
    }));

  it('deletes the events of an alert with it, and those of no alert by their own age', () =>
    withStore(async (store) => {
      await store.appendAlerts([alert('old', { at: at(1) }), alert('new', { at: at(5) })]);
      await store.appendAlertEvents([
        alertEvent('1', { alertId: 'old', at: at(9) }),
        alertEvent('2', { alertId: 'new', at: at(2) }),
        alertEvent('3', { alertId: 'never seen', at: at(2) }),
        alertEvent('4', { alertId: 'not yet seen', at: at(9) }),
      ]);
      expect(await store.prune('alerts', at(5))).toBe(1);
      expect((await store.readAlertEvents()).map(({ eventId }) => eventId)).toEqual(['2', '4']);
    }));

  it('refuses a kind it does not know', () =>
    withStore(async (store) => {
      const refused = store.prune('everything' as PrunedKind, at(1));
      await expect(refused).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringMatching(/everything/),
      });
    }));
}
