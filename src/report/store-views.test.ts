import { expect, it } from 'vitest';
import { storeStatusView } from './store-views.ts';

it('says of a store that a later version migrated that it is newer, not that a migration is due', () => {
  const status = {
    backend: 'ClickHouse',
    address: 'clickhouse://host/assay',
    exists: true,
    schema: { applied: 9, known: 6 },
    isMigrationDue: false,
  };
  const { answer, next } = storeStatusView(status as never, {});
  expect(answer).toContain('schema 9 of 6: a later version');
  expect(next).toEqual([]);
});
