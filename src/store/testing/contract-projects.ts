import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isIn } from '../../named-project.ts';
import type { WithStore } from '../contract.ts';
import { scopedStore } from '../scoped-store.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../store.ts';
import * as a from './records.ts';

/** Names that end with each other, and one without a project. */
const PROJECTS = ['a', '/x/a', 'C:\\x\\a', 'b/a', 'ba', '%', '_', 'ü/a', undefined] as const;
const SCOPES = [['a'], ['/x/a'], ['b/a/', '%'], ['_'], ['nobody'], []] as const;

type Filed = { readonly project?: string };

/** Of each project as many records of every kind as `counts` says. */
async function file(store: Store, counts: readonly number[], isAsked: (project?: string) => boolean) {
  const some = <R>(make: (id: string, part: Filed & { at: string }, i: number) => R): R[] =>
    counts.flatMap((count, p) => {
      const project = PROJECTS[p % PROJECTS.length];
      if (!isAsked(project)) return [];
      return Array.from({ length: count }, (_, i) => make(`${p}-${i}`, { at: a.at(p + i), project }, i));
    });
  await store.appendRuns(some((id, part) => a.run(id, part)));
  await store.appendSessions(
    some((id, { at: startedAt, ...part }, i) =>
      a.session(id, id, { ...part, startedAt, q: i / 10, turns: i, scorerVersion: `${i % 2}` }),
    ),
  );
  // Two may speak of what has one name in both projects.
  await store.appendRatings(some((id, part) => a.rating(id, part)));
  await store.appendApprovals(some((id, part) => a.approval(id, part)));
  await store.appendAlerts(some((id, part) => a.alert(id, part)));
  await store.appendAlertEvents(some((id, part) => a.alertEvent(id, { ...part, alertId: id })));
  await store.appendAudit(some((id, part) => a.auditEntry(id, part)));
  await store.appendFeedback(some((id, part) => a.feedback(id, part)));
  await store.appendDeliveries(some((id, part) => a.delivery(id, part)));
  await store.appendDecompositions(some((id, part, i) => a.decomposition(id, { ...part, latencyMs: i })));
}

/** The answer to every query of a store. */
async function answers(store: Store): Promise<object> {
  const all = { now: a.at(99) };
  const page = { order: 'newest', limit: 2 } as const;
  return {
    runs: await store.listRuns(),
    some: await store.listRuns({ limit: 2, after: { at: a.at(6), key: '4-9' } }),
    run: await store.readRun('1-0'),
    read: await a.collect(store.readSessions()),
    sessions: await store.listSessions({ order: 'lowest Q', limit: 3 }),
    longest: await store.listSessions({ order: 'longest' }),
    found: await store.listSessions({ search: 'a' }),
    named: await store.listSessions({ projectNamed: 'a' }),
    session: await store.readSession('1-0'),
    rollup: await store.sessionRollup({ by: ['project', 'taskType'], bucket: 'hour', histograms: true }),
    total: await store.sessionRollup(),
    scorings: await store.sessionScorings(),
    count: await store.countSessions(),
    good: await store.countSessions({ qBelow: 0.3 }),
    ratings: await store.readRatings(),
    lastOfEach: await store.readRatings({ latest: true, ...page }),
    approvals: await store.readApprovals(page),
    alerts: await store.readAlerts(page),
    tracked: await store.trackAlerts({ ...all, states: ['acknowledged'] }),
    events: await store.readAlertEvents(),
    feedback: await store.readFeedback(page),
    audit: await store.readAudit({ ...page, what: 'POST' }),
    deliveries: await store.readDeliveries(page),
    pending: await store.pendingDeliveries({ limit: 3 }),
    requests: await store.readDecompositions(),
    asked: await store.readDecompositions({ ids: ['0-0', '1-0'] }),
    cells: await store.productionCells({ by: 'hour' }),
    ofEach: await store.productionCells({ by: 'minute', perProject: true }),
  };
}

export function describeProjects(withStore: WithStore, stories: number): void {
  it('gives those who see some projects what a store without the others would', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 3 }), { minLength: PROJECTS.length, maxLength: PROJECTS.length }),
        fc.constantFrom(...SCOPES),
        (counts, sees) =>
          withStore(async (store) => {
            await file(store, counts, () => true);
            const without = await openSqliteStore(':memory:');
            await file(without, counts, (project) => isIn(project, sees));
            expect(await answers(scopedStore(store, { sees }))).toEqual(await answers(without));
            await without.close();
          }),
      ),
      { numRuns: stories },
    ));

  it('narrows what is narrowed already, and never widens it', () =>
    withStore(async (store) => {
      await file(store, [1, 2, 3, 1, 1, 1, 1, 1, 1], () => true);
      const twice = scopedStore(scopedStore(store, { sees: ['/x/a'] }), { sees: ['a', 'ba'] });
      expect(await twice.countSessions()).toBe(2);
      expect(await twice.countSessions({ inProjects: ['ba'] })).toBe(0);
    }));

  it('takes records of the projects that are seen only, and says whose they are where they do not', () =>
    withStore(async (store) => {
      const one = scopedStore(store, { sees: ['a'], writes: 'a' });
      await one.appendRatings([a.rating('own')]);
      expect(await store.readRatings()).toEqual([a.rating('own', { project: 'a' })]);
      await expect(one.appendRatings([a.rating('other', { project: 'b' })])).rejects.toThrow(/project/);
      const several = scopedStore(store, { sees: ['a', 'b'] });
      await expect(several.appendRuns([a.run('whose')])).rejects.toThrow(/project/);
      await expect(several.appendSessions([a.session('s', '1', { project: 'c' })])).rejects.toThrow(
        /project/,
      );
      await store.appendAlerts([a.alert('theirs', { project: 'c' })]);
      const said = a.alertEvent('e', { alertId: 'theirs', project: 'a' });
      await expect(one.appendAlertEvents([said])).rejects.toThrow(/project/);
      await expect(one.prune('runs', a.at(9))).rejects.toThrow(/deleting requires/);
      expect(await store.readAlertEvents()).toEqual([]);
    }));

  it('gives no text, stream, attempt or upkeep of projects that are not seen', () =>
    withStore(async (store) => {
      const one = scopedStore(store, { sees: ['a'], writes: 'a' });
      const text = a.decompositionText('theirs');
      await store.appendDecompositions([a.decomposition('theirs', { project: 'c' })], [text]);
      expect(await one.readDecompositionText('theirs')).toBeUndefined();
      expect(await scopedStore(store, { sees: ['c'], writes: 'a' }).readDecompositionText('theirs')).toEqual(
        text,
      );
      await expect(one.appendDecompositions([], [text])).rejects.toThrow(/project/);
      await store.appendDeliveries([a.delivery('d', { project: 'c' })]);
      await expect(one.appendDeliveryAttempts([a.attempt('at')])).rejects.toThrow(/project/);
      expect(() => one.upkeep()).toThrow(/store maintenance/);
      const stream = { project: 'c', stream: 'events/x' };
      const part = { ...stream, key: 'k', position: 0, content: Buffer.from('x') };
      await store.intake.append([part]);
      expect(await store.intake.parts(stream)).toHaveLength(1);
      expect(await one.intake.parts(stream)).toEqual([]);
      expect((await one.intake.contents(stream, ['k'])).size).toBe(0);
      const { intake } = one;
      for (const asked of [intake.append([part]), intake.streams(), intake.bytes()])
        await expect(asked).rejects.toThrow(/requires access to all projects/);
      await one.close();
      expect(await store.countSessions()).toBe(0);
    }));
}
