import { expect, it } from 'vitest';
import type { Promised, WithStore } from '../contract.ts';
import type { SessionRow } from '../schema/session.ts';
import type { Json, RunRecord } from '../store.ts';
import { alert, approval, collect, rating, run, session } from './records.ts';

export function describeRefusing(withStore: WithStore, promised: Promised): void {
  promised('no other content', 'refuses other content under a known key, with the whole batch', () =>
    withStore(async (store) => {
      await store.appendRuns([run('a')]);
      await store.appendRatings([rating('a')]);
      await store.appendApprovals([approval('a')]);
      await store.appendAlerts([alert('a')]);
      const conflict = expect.objectContaining({ code: 'STORE_CONFLICT' });
      const other = { ...run('a'), subject: 'other' };
      await expect(store.appendRuns([run('b'), other])).rejects.toEqual(conflict);
      await expect(store.appendRatings([rating('b'), { ...rating('a'), rating: 0 }])).rejects.toEqual(
        conflict,
      );
      await expect(store.appendApprovals([approval('b'), { ...approval('a'), who: '' }])).rejects.toEqual(
        conflict,
      );
      await expect(store.appendAlerts([alert('b'), { ...alert('a'), rule: '' }])).rejects.toEqual(conflict);
      await expect(store.appendAlerts([alert('c'), { ...alert('c'), rule: '' }])).rejects.toEqual(conflict);
      expect(await store.listRuns()).toHaveLength(1);
      expect(await store.readRatings()).toEqual([rating('a')]);
      expect(await store.readApprovals()).toEqual([approval('a')]);
      expect(await store.readAlerts()).toEqual([alert('a')]);
    }),
  );

  it.each([
    ['a value', { metrics: { m: { measured: true, value: Number.NaN, n: 1 } } }],
    [
      'an interval',
      { metrics: { m: { measured: true, value: 1, low: Number.NEGATIVE_INFINITY, high: 1, n: 1 } } },
    ],
    [
      'a count of skipped units',
      { metrics: { m: { measured: true, value: 1, n: 1, skipped: { x: Number.NaN } } } },
    ],
    ['evidence', { cases: [{ caseId: 'c', metrics: {}, evidence: { deep: [Number.POSITIVE_INFINITY] } }] }],
  ])('refuses NaN and Infinity in %s of a run', (_what, part) =>
    withStore(async (store) => {
      const broken = { ...run('b'), ...part } as unknown as RunRecord;
      await expect(store.appendRuns([run('a'), broken])).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      expect(await store.listRuns()).toEqual([]);
    }),
  );

  promised('whole batches', 'keeps nothing of a long run with one bad case in it, and goes on', () =>
    withStore(async (store) => {
      const cases = Array.from({ length: 2000 }, (_, i) => ({
        caseId: `case ${i}`,
        metrics: { recall: { measured: true, value: i === 1500 ? Number.NaN : 1, n: 1 } } as const,
      }));
      await expect(store.appendRuns([run('a'), { ...run('b'), cases }])).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringMatching(/^runs\[1\]\.cases\[1500\]\.metrics\.recall\.value /),
      });
      expect(await store.listRuns()).toEqual([]);
      const good = { ...run('b'), cases: cases.filter((_, i) => i !== 1500) };
      await store.appendRuns([good]);
      expect(await store.readRun('b')).toEqual(good);
      expect(await store.appendRuns([good])).toEqual({ added: 0, known: 1 });
    }),
  );

  it.each<[string, object]>([
    ['NaN', { q: Number.NaN }],
    ['Infinity', { costUsd: Number.POSITIVE_INFINITY }],
    ['NaN deep in the facts', { facts: { list: [1, { x: Number.NaN }] } }],
    ['what JSON cannot hold', { facts: { at: new Date(0) } }],
    ['undefined in a list', { facts: [undefined] }],
    ['a text where a number belongs', { q: '0.5' }],
    ['a number where a text belongs', { model: 5 }],
    ['null', { agent: null }],
    ['a missing field', { source: undefined }],
    ['a field it does not know', { colour: 'red' }],
    ['a time in another spelling', { startedAt: '2026-01-01T00:00:00Z' }],
    ['a day that does not exist', { endedAt: '2026-02-31T00:00:00.000Z' }],
  ])('refuses a session with %s', (_what, part) =>
    withStore(async (store) => {
      const broken = { ...session('b', '1'), ...part } as SessionRow;
      const refused = store.appendSessions([session('a', '1'), broken]);
      await expect(refused).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringMatching(/^sessions\[1\]/),
      });
      expect(await collect(store.readSessions())).toEqual([]);
    }),
  );

  it('refuses facts that contain themselves', () =>
    withStore(async (store) => {
      const facts: { [key: string]: Json } = {};
      facts.self = facts;
      const refused = store.appendSessions([{ ...session('a', '1'), facts }]);
      await expect(refused).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }));

  it.each([-1, 1.5, Number.NaN])('refuses the limit %s', (limit) =>
    withStore(async (store) => {
      await expect(store.listRuns({ limit })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(store.readAlerts({ limit })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }),
  );

  it.each(['yesterday', '2026-13-01', '2026-01-01T10:00'])('refuses the time %s', (since) =>
    withStore(async (store) => {
      await expect(store.readAlerts({ since })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(collect(store.readSessions({ since }))).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }),
  );
}
