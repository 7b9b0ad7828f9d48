import { expect, it } from 'vitest';
import type { Promised, StoreUnderTest, WithStore } from '../contract.ts';
import { alert, approval, at, collect, rating, run, session } from './records.ts';

export function describeReadingRuns(withStore: WithStore, openAgain: StoreUnderTest['openAgain']): void {
  it('lists the newest runs first, ties by key', () =>
    withStore(async (store) => {
      const at2 = { at: at(2) };
      await store.appendRuns([run('c', at2), run('z', { at: at(1) }), run('d', at2), run('b', at2)]);
      expect((await store.listRuns()).map((summary) => summary.runId)).toEqual(['d', 'c', 'b', 'z']);
      expect((await store.listRuns({ limit: 2 })).map((summary) => summary.runId)).toEqual(['d', 'c']);
      expect(await store.listRuns({ limit: 0 })).toEqual([]);
    }));

  it('gives a run without its cases in a list, and whole when asked for', () =>
    withStore(async (store) => {
      const { cases, ...summary } = run('a');
      await store.appendRuns([run('a')]);
      expect(await store.listRuns()).toEqual([{ ...summary, caseCount: cases.length }]);
      expect(await store.readRun('a')).toEqual(run('a'));
      expect(await store.readRun('b')).toBeUndefined();
    }));

  it('tells cheaply whether anything was written', () =>
    withStore(async (store) => {
      const before = await store.changes();
      await store.listRuns();
      expect(await store.changes()).toEqual(before);
      const other = await openAgain(store);
      await other.appendRuns([run('a')]);
      await other.close();
      expect((await store.changes()).others).not.toBe(before.others);
    }));

  it('narrows runs by instrument, subject and truth', () =>
    withStore(async (store) => {
      await store.appendRuns([
        run('a', { instrument: 'i', subject: 's', truthHash: 't' }),
        run('b', { instrument: 'i', subject: 's', truthHash: 'u' }),
        run('c', { instrument: 'i', subject: 'other', truthHash: 't' }),
        run('d', { instrument: 'other', subject: 's', truthHash: 't' }),
      ]);
      const ids = async (query: object) => (await store.listRuns(query)).map((summary) => summary.runId);
      expect(await ids({ instrument: 'i' })).toEqual(['c', 'b', 'a']);
      expect(await ids({ instrument: 'i', subject: 's' })).toEqual(['b', 'a']);
      expect(await ids({ instrument: 'i', subject: 's', truthHash: 't' })).toEqual(['a']);
      expect(await ids({ subject: 'nobody' })).toEqual([]);
    }));

  it('narrows runs by scorer and by errored cases, before the limit', () =>
    withStore(async (store) => {
      const whole = [{ caseId: 'one', metrics: {} }];
      const part = [...whole, { caseId: 'two', metrics: {}, error: 'no output' }];
      await store.appendRuns([
        run('a', { at: at(1), scorer: '1', cases: whole }),
        run('b', { at: at(2), scorer: '1', cases: part }),
        run('c', { at: at(3), scorer: '2', cases: whole }),
        run('d', { at: at(4), scorer: '2', cases: part }),
      ]);
      const ids = async (query: object) => (await store.listRuns(query)).map((summary) => summary.runId);
      expect(await ids({ scorer: '1' })).toEqual(['b', 'a']);
      expect(await ids({ withoutErrors: true })).toEqual(['c', 'a']);
      expect(await ids({ withoutErrors: false })).toEqual(['d', 'c', 'b', 'a']);
      expect(await ids({ scorer: '1', limit: 1 })).toEqual(['b']);
      expect(await ids({ scorer: '1', withoutErrors: true, limit: 1 })).toEqual(['a']);
    }));

  it('keeps the order of the cases, also of two with the same name', () =>
    withStore(async (store) => {
      const cases = ['z', 'a', 'z'].map((caseId, i) => ({ caseId, metrics: {}, evidence: i }));
      await store.appendRuns([run('a', { cases })]);
      expect((await store.readRun('a'))?.cases).toEqual(cases);
    }));
}

export function describeReadingSessions(withStore: WithStore, promised: Promised): void {
  it('gives the revision that was scored last, whichever arrived last', () =>
    withStore(async (store) => {
      await store.appendSessions([session('a', '2', { scoredAt: at(2), q: 0.2 })]);
      await store.appendSessions([session('a', '1', { scoredAt: at(1), q: 0.1 })]);
      expect((await store.readSession('a'))?.q).toBe(0.2);
      expect(await collect(store.readSessions())).toEqual([session('a', '2', { scoredAt: at(2), q: 0.2 })]);
      expect(await store.readSession('b')).toBeUndefined();
    }));

  it('goes back to a revision that is scored again', () =>
    withStore(async (store) => {
      await store.appendSessions([
        session('a', '1', { scoredAt: at(1) }),
        session('a', '2', { scoredAt: at(2) }),
      ]);
      expect(await store.appendSessions([session('a', '1', { scoredAt: at(3) })])).toEqual({
        added: 1,
        known: 0,
      });
      expect(await store.readSession('a')).toEqual(session('a', '1', { scoredAt: at(3) }));
    }));

  it('orders sessions by start, unknown starts first, ties by key', () =>
    withStore(async (store) => {
      const start = (id: string, startedAt?: string) =>
        session(id, '1', startedAt === undefined ? {} : { startedAt });
      await store.appendSessions([
        start('b', at(1)),
        start('c'),
        start('a', at(2)),
        start('z', at(0)),
        start('y', at(1)),
      ]);
      expect((await collect(store.readSessions())).map((row) => row.sessionId)).toEqual([
        'c',
        'z',
        'b',
        'y',
        'a',
      ]);
    }));

  it('asks the query of the current revision only', () =>
    withStore(async (store) => {
      await store.appendSessions([
        session('a', '1', { scoredAt: at(1), model: 'old', startedAt: at(1) }),
        session('a', '2', { scoredAt: at(2), model: 'new', startedAt: at(1) }),
        session('b', '1', {
          scoredAt: at(1),
          model: 'old',
          startedAt: at(5),
          agent: 'x',
          source: 'y',
          taskType: 'chat',
        }),
      ]);
      const ids = async (query: object) =>
        (await collect(store.readSessions(query))).map((row) => row.sessionId);
      expect(await ids({ model: 'old' })).toEqual(['b']);
      expect(await ids({ since: at(2) })).toEqual(['b']);
      expect(await ids({ since: at(5) })).toEqual(['b']);
      expect(await ids({ since: '2026-01-01' })).toEqual(['a', 'b']);
      expect(await ids({ since: '2026-01-01T01:30:03+01:00' })).toEqual(['b']);
      expect(await ids({ agent: 'x', source: 'y', taskType: 'chat', model: 'old', since: at(0) })).toEqual([
        'b',
      ]);
      expect(await ids({ agent: 'x', source: 'nobody' })).toEqual([]);
    }));

  promised('one moment', 'lets the caller stop early, read twice at once, and append while reading', () =>
    withStore(async (store) => {
      const rows = Array.from({ length: 600 }, (_, i) => session(String(i).padStart(4, '0'), '1'));
      await store.appendSessions(rows);
      for await (const row of store.readSessions()) if (row.sessionId === '0003') break;
      let seen = 0;
      for await (const row of store.readSessions()) {
        seen += 1;
        if (seen === 2) expect(await collect(store.readSessions())).toHaveLength(601);
        if (seen % 10 === 1) await store.appendSessions([{ ...row, sessionKey: `${row.sessionKey}+` }]);
      }
      expect(seen).toBe(600);
      expect(await collect(store.readSessions())).toHaveLength(660);
    }),
  );
}

export function describeReadingOpinions(withStore: WithStore): void {
  it('narrows them by what they are about', () =>
    withStore(async (store) => {
      await store.appendRatings([rating('a', { kind: 'x' }), rating('b', { subjectId: 'x' }), rating('c')]);
      await store.appendApprovals([approval('a', { runId: 'x' }), approval('b')]);
      await store.appendAlerts([alert('a', { instrument: 'x' }), alert('b')]);
      expect(await store.readRatings({ kind: 'x' })).toEqual([rating('a', { kind: 'x' })]);
      expect(await store.readRatings({ subjectId: 'x' })).toEqual([rating('b', { subjectId: 'x' })]);
      expect(await store.readRatings({ kind: 'x', subjectId: 'x' })).toEqual([]);
      expect(await store.readApprovals({ runId: 'x' })).toEqual([approval('a', { runId: 'x' })]);
      expect(await store.readAlerts({ instrument: 'x' })).toEqual([alert('a', { instrument: 'x' })]);
    }));
}
