import { expect, it } from 'vitest';
import { defaultPorts } from '../operations/default-ports.ts';
import type { RouteCell } from '../session/routing/cell.ts';
import { USUAL_WISHES } from '../session/routing/policy.ts';
import { policyOf } from '../session/routing/testing/policy-of.ts';
import { session } from '../store/testing/records.ts';
import { RoutePolicies } from './route-policies.ts';

const MINUTE_MS = 60_000;

function asking(sessions: number) {
  const clock = { ms: Date.UTC(2026, 0, 1) };
  const ports = defaultPorts({ store: ':memory:', folder: '.', now: () => new Date(clock.ms) });
  const policies = new RoutePolicies();
  let made = 0;
  const make = async () => {
    made += 1;
    const sums = { n: sessions, q: sessions / 2, qSquares: sessions / 3, costUsd: made };
    const cell: RouteCell = {
      ...{ day: '2026-01-01', taskType: 'coding', project: 'p', model: 'm', ...sums },
      outcome: { n: 0, sum: 0 },
    };
    return { policy: policyOf([cell], USUAL_WISHES), unreadable: [] };
  };
  return {
    /** Of which making the answer is. */
    ask: async (haste: 'soon' | 'now') => {
      const { policy } = await policies.get({ ports, question: 'q', haste }, make);
      return Math.round((policy.types[0]?.now.meanCostUsd ?? 0) * sessions);
    },
    write: async (id: string) => (await ports.store()).appendSessions([session(id, 'r1')]),
    pass: (ms: number) => {
      clock.ms += ms;
    },
    close: () => ports.close(),
  };
}

it('adds up few sessions whenever something was written', async () => {
  const { ask, write, close } = asking(4999);
  expect([await ask('now'), await ask('now'), await ask('soon')]).toEqual([1, 1, 1]);
  await write('a');
  expect([await ask('soon'), await ask('now'), await ask('soon')]).toEqual([1, 2, 2]);
  await close();
});

it('keeps what many sessions give for a minute, and tells nobody who reads it anything older', async () => {
  const { ask, write, pass, close } = asking(5000);
  expect(await ask('now')).toBe(1);
  await write('a');
  pass(MINUTE_MS);
  expect(await ask('now')).toBe(1);
  pass(1);
  // Whoever has a task to give waits for nothing; it is made anew behind their back.
  expect(await ask('soon')).toBe(1);
  expect([await ask('now'), await ask('now'), await ask('soon')]).toEqual([2, 2, 2]);
  await close();
});
