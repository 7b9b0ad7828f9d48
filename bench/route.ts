/**
 * Routing: is a replay right, and what does a request cost? `node bench/route.ts [PASTS] [SESSIONS]`. Pasts are
 * generated with a known truth, in which the strong model got the hard tasks; the replay is compared with a plain
 * comparison of means. Recommendations are counted over pasts in which nothing compares two models, in which the cheaper
 * one fails more often at the same Q, in which it is as good, and over two years in which it takes over. Requests go one
 * after the other to a server over a store of so many sessions, and to a bare one.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RouteCell } from '../src/session/routing/level.ts';
import { USUAL_WISHES } from '../src/session/routing/policy.ts';
import { judgedWorld } from '../src/session/routing/testing/judged-world.ts';
import { policyOf } from '../src/session/routing/testing/policy-of.ts';
import { pastOf, WORLD, type World } from '../src/session/routing/testing/world.ts';
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

// What is recommended, over pasts of 60 days with 12 sessions a day.
const one = { project: 'one', ease: 0, size: 1, shares: [0.5, 0.5] };
const models = (small: number, large: number, failing: readonly [number, number]) => [
  { model: 'small', q: small, costUsd: 0.2, failing: failing[0] },
  { model: 'large', q: large, costUsd: 1, failing: failing[1] },
];
const apart = [
  { ...one, project: 'first', shares: [1, 0] },
  { ...one, project: 'second', shares: [0, 1] },
];
const WORLDS = [
  ['nothing compares the two', { ...WORLD, models: models(0.85, 0.86, [0.19, 0.19]), projects: apart }],
  [
    'small fails 48% of the time, large 19%, Q alike',
    { ...WORLD, models: models(0.85, 0.86, [0.48, 0.19]), projects: [one] },
  ],
  [
    'small fails 29% of the time, large 19%, Q alike',
    { ...WORLD, models: models(0.85, 0.86, [0.29, 0.19]), projects: [one] },
  ],
  ['Q of small is 10 points lower', { ...WORLD, models: models(0.8, 0.9, [0.19, 0.19]), projects: [one] }],
  ['small is as good', { ...WORLD, models: models(0.86, 0.86, [0.19, 0.19]), projects: [one] }],
  [
    'small is as good, 240 days',
    { ...WORLD, days: 240, models: models(0.86, 0.86, [0.19, 0.19]), projects: [one] },
  ],
] as const satisfies readonly (readonly [string, World])[];
const RECOMMENDED = Math.min(PASTS, 200);
for (const [name, world] of WORLDS) {
  const answers = Array.from({ length: RECOMMENDED }, (_, i) => {
    const [route] = policyOf(pastOf(world, i + 1), USUAL_WISHES).types;
    return route?.answer === 'route' ? route.model : (route?.answer ?? 'none');
  });
  const counts = [...Map.groupBy(answers, (answer) => answer)].map(
    ([answer, own]) => `${answer} ${own.length}`,
  );
  console.log(`${name}: ${counts.sort().join(', ')} of ${RECOMMENDED}`);
}
console.log(`two years of four models, each 4 points worse than the next: ${takenOver()}`);

/** Each month the policy decides over the last three; nothing may drift below the floor. */
function takenOver(): string {
  const names = ['tiny', 'small', 'large', 'huge'];
  const months: RouteCell[][] = [];
  let shares = [0.25, 0.25, 0.25, 0.25];
  const taken: number[] = [];
  for (let month = 0; month < 24; month += 1) {
    const own = names.map((model, i) => ({ model, q: 0.76 + 0.04 * i, costUsd: 0.1 * 3 ** i, failing: 0.2 }));
    const world = { ...WORLD, days: 30, models: own, projects: [{ ...one, shares }] };
    months.push(pastOf(world, month + 1).map((cell) => ({ ...cell, day: `${month}-${cell.day}` })));
    const [route] = policyOf(months.slice(-3).flat(), USUAL_WISHES).types;
    taken.push(own.reduce((sum, { q }, i) => sum + q * (shares[i] ?? 0), 0));
    // A tenth of the tasks goes to each model by hand, as people do.
    if (route?.answer !== 'route') continue;
    const shareOf = (model: string) => route.arms.find((arm) => arm.model === model)?.share ?? 0;
    shares = names.map((model) => 0.025 + 0.9 * shareOf(model));
  }
  return `true mean Q ${taken[1]?.toFixed(3)} in month 2, ${taken[11]?.toFixed(3)} in month 12, ${taken[23]?.toFixed(3)} in month 24`;
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
