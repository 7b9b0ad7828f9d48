import { expect, it } from 'vitest';
import { configSchema } from '../../config.ts';
import { at, decomposition, rating, session } from '../../store/testing/records.ts';
import { defaultPorts } from '../default-ports.ts';
import { pruneStore } from './prune-store.ts';
import { retentionOf } from './retention-of.ts';

it('says what would go by kind, deletes nothing until it is told to, and keeps what nothing is said of', async () => {
  const ports = defaultPorts({ now: () => new Date('2026-01-11T00:00:30.000Z') });
  const store = await ports.store();
  await store.appendSessions([
    session('old', '1', { startedAt: at(0) }),
    session('new', '1', { startedAt: '2026-01-09T00:00:00.000Z' }),
  ]);
  await store.appendRatings([rating('a')]);
  await store.appendDecompositions([decomposition('a')]);
  const keep = retentionOf(configSchema.parse({ retention: { sessions: 5 }, production: { recordDays: 9 } }));
  const before = '2026-01-06T00:00:00.000Z';
  const pruned = await pruneStore({ keep, isRehearsal: true }, ports);
  expect(pruned).toContainEqual({ kind: 'sessions', keptDays: 5, before, records: 1 });
  expect(pruned.map(({ kind }) => kind).sort()).toEqual([
    'audit',
    'decomposition-texts',
    'decompositions',
    'intake',
    'sessions',
  ]);
  expect(await store.countSessions()).toBe(2);
  expect(await pruneStore({ keep }, ports)).toEqual(pruned);
  expect((await store.listSessions()).map(({ sessionId }) => sessionId)).toEqual(['new']);
  expect(await store.readRatings()).toHaveLength(1);
  expect(await store.readDecompositions()).toEqual([]);
  await ports.close();
});
