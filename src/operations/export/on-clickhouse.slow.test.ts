/** The same records give the same tables, whatever store holds them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClickHouseServer, missingClickHouse } from '../../store/clickhouse/testing/clickhouse-server.ts';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
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
  session,
} from '../../store/testing/records.ts';
import { defaultPorts } from '../default-ports.ts';
import { exportStore } from './export-store.ts';
import { RowCollector } from './testing/row-collector.ts';

const missing = missingClickHouse();
const MANY = 2300;

async function tablesOf(address: string): Promise<Record<string, unknown>> {
  const store = await openStore(address);
  await fill(store);
  const taken = new RowCollector();
  const ports = { ...defaultPorts(), store: async () => store, now: () => new Date(at(5000)) };
  await exportStore({ open: taken.open }, ports).finally(() => store.close());
  return Object.fromEntries(
    [...taken.rows].map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row)).sort()]),
  );
}

async function fill(store: Store): Promise<void> {
  const times = Array.from({ length: MANY }, (_, index) => at(index % 700));
  await store.appendSessions(
    times.map((startedAt, index) =>
      session(`s${index}`, 'r', index % 4 === 0 ? {} : { startedAt, q: index / MANY, costUsd: 0.1 }),
    ),
  );
  await store.appendRuns([run('one'), run('two', { at: at(2) })]);
  await store.appendRatings(times.map((time, index) => rating(`r${index}`, { at: time })));
  await store.appendApprovals([approval('p')]);
  await store.appendAlerts([alert('alert'), alert('other')]);
  await store.appendAlertEvents([alertEvent('e', { state: 'silenced', until: at(9000), at: at(9) })]);
  await store.appendAudit([auditEntry('audit', { status: 201 })]);
  await store.appendFeedback([feedback('f', { score: 4 })]);
  await store.appendDecompositions(
    times.map((time, index) => decomposition(`d${index}`, { at: time, predicates: { IS_A: index } })),
  );
}

if (missing !== undefined) it.skip(`an export of ClickHouse (${missing})`, () => {});
else {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await ClickHouseServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  describe('an export of ClickHouse', () => {
    it('has the rows that one of a file has', async () => {
      const [there, here] = [await tablesOf(server.address('exported')), await tablesOf(':memory:')];
      expect(Object.keys(here)).toHaveLength(14);
      expect((here.sessions as unknown[]).length).toBe(MANY);
      expect(there).toEqual(here);
    });
  });
}
