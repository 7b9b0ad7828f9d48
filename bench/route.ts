/**
 * Routing: is a replay right, and what does a request cost? `node bench/route.ts [PASTS] [SESSIONS]`. Pasts are
 * generated with a known truth, in which the strong model got the hard tasks; the replay is compared with a plain
 * comparison of means. Requests go one after the other to a server over a store of so many sessions, and to a bare one.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgedWorld } from '../src/session/routing/testing/judged-world.ts';
import { pastOf, WORLD } from '../src/session/routing/testing/world.ts';
import { quantile } from '../src/stats/descriptive.ts';
import { keyedFetch, withoutKey } from '../src/testing/server-keys.ts';
import { fillStore } from './store-sessions.ts';

const [PASTS = 400, SESSIONS = 100_000] = process.argv.slice(2).map(Number);
const QUESTIONS = 2000;

const judged = Array.from({ length: PASTS }, (_, i) => judgedWorld(WORLD, i + 1));
const share = (of: (one: (typeof judged)[number]) => boolean) =>
  `${((100 * judged.filter(of).length) / PASTS).toFixed(1)}%`;
console.log(
  `${PASTS} pasts of ${WORLD.days * WORLD.sessionsADay} sessions: the interval holds the true change of Q in ${share(({ coversQ }) => coversQ)}, of cost in ${share(({ coversCost }) => coversCost)} (95% is meant)`,
);
console.log(`plain means: ${plainly()} of them call the weaker of two models the better one`);

function plainly(): string {
  const wrong = Array.from({ length: PASTS }, (_, i) => pastOf(WORLD, i + 1)).filter((cells) => {
    const mean = (model: string) => {
      const own = cells.filter((cell) => cell.model === model);
      return own.reduce((sum, { q }) => sum + q, 0) / own.reduce((sum, { n }) => sum + n, 0);
    };
    return mean('small') > mean('large');
  });
  return `${((100 * wrong.length) / PASTS).toFixed(1)}%`;
}

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-route-'));
try {
  const store = join(folder, 'assay.db');
  await fillStore(store, SESSIONS);
  const child = fork(fileURLToPath(new URL('server-child.ts', import.meta.url)), [store]);
  const [{ url: printed, bare }] = (await once(child, 'message')) as [{ url: string; bare: string }];
  const url = withoutKey(printed);
  const body = (i: number) => JSON.stringify({ task_type: 'coding', key: `task ${i}` });
  const times = { first: 0, ours: [] as number[], bare: [] as number[] };
  times.first = await timed(new URL('/api/v1/route', url), body(0));
  for (let i = 0; i < QUESTIONS; i += 1) {
    times.ours.push(await timed(new URL('/api/v1/route', url), body(i)));
    times.bare.push(await timed(new URL(bare), body(i)));
  }
  const at = (p: number, of: readonly number[]) => quantile(of, p) ?? Number.NaN;
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  console.log(
    `POST /api/v1/route over ${SESSIONS.toLocaleString('en')} sessions: p50 ${ms(at(0.5, times.ours))}, p99 ${ms(at(0.99, times.ours))}; bare server p50 ${ms(at(0.5, times.bare))}, p99 ${ms(at(0.99, times.bare))}; the first, which makes the policy, ${ms(times.first)}`,
  );
  child.send('stop');
  await once(child, 'exit');
} finally {
  rmSync(folder, { recursive: true });
}

async function timed(url: URL, body: string): Promise<number> {
  const started = performance.now();
  const response = await keyedFetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await response.arrayBuffer();
  return performance.now() - started;
}
