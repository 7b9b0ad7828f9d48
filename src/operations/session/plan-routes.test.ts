import { expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import { session } from '../../store/testing/records.ts';
import { cellsOf } from './plan-routes.ts';
import { SelectedSessions } from './selected-sessions.ts';

it('reads all days of a past with gaps, each once, also where a period cuts it', async () => {
  const store = await openStore(':memory:');
  const days = [
    '1970-01-01',
    '2025-12-31',
    ...Array.from({ length: 75 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10)),
    '2026-11-30',
  ];
  await store.appendSessions(
    days.flatMap((day, i) =>
      ['a', 'b'].map((model) =>
        session(`${model}-${i}`, `r${i}`, {
          taskType: 'coding',
          model,
          project: `/p${i % 3}`,
          startedAt: `${day}T12:00:00.000Z`,
          q: 0.5,
          costUsd: 0.25,
        }),
      ),
    ),
  );
  const cells = await cellsOf(new SelectedSessions(store, {}));
  expect(cells.map(({ day, model }) => `${day} ${model}`)).toEqual(
    days.flatMap((day) => [`${day} a`, `${day} b`]),
  );
  expect(cells[0]).toMatchObject({ n: 1, q: 0.5, costUsd: 0.25, project: '/p0', taskType: 'coding' });
  const period = { since: '2026-01-10T06:00:00.000Z', until: '2026-01-12T06:00:00.000Z' };
  const some = await cellsOf(new SelectedSessions(store, period));
  expect(new Set(some.map(({ day }) => day))).toEqual(new Set(['2026-01-10', '2026-01-11']));
  await store.close();
});
