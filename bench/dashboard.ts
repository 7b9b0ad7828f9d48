/**
 * How soon the pages of the dashboard show content and can be used, in a real browser: `node bench/dashboard.ts
 * [sessions [store]]` (a million by default; a named store is created once and used again). Each page is opened several
 * times, with an empty cache and after a write, so that no answer is cached. *First content*: the browser painted
 * something of the page. *Interactive*: the main content is there, and nothing is loading. *Questions* is the CPU time
 * of the server for them, which a busy machine changes little; the others are elapsed times, compared with a page of a
 * bare server with the same scripts and no requests.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/browser.ts';
import { fillStore } from './store-sessions.ts';

const SESSIONS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 7;
const TARGET_MS = 1000;

/** Address → the selector of the main content. */
const PAGES: Readonly<Record<string, { readonly path: string; readonly ready: string }>> = {
  overview: { path: '/', ready: '.card' },
  sessions: { path: '/sessions', ready: 'table tbody tr' },
  'sessions over time': { path: '/sessions?view=time&step=day', ready: 'svg' },
  'sessions by project': { path: '/sessions?view=groups&by=project', ready: 'table tbody tr' },
  'what is worth it (ROI, frontier)': { path: '/sessions?view=worth', ready: '.card' },
  'outcomes of the work': { path: '/sessions?view=outcomes', ready: '.card' },
};

type Told = { readonly cpuMs: number };

async function tell<Answer>(child: ChildProcess, message: string): Promise<Answer> {
  child.send(message);
  return (await once(child, 'message'))[0] as Answer;
}

type Opened = { readonly first: number; readonly ready: number; readonly requests: number };

async function openPage(browser: Browser, address: string, ready: string): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/')) requests += 1;
    });
    const start = performance.now();
    await page.goto(address, { waitUntil: 'load' });
    await page.locator(ready).first().waitFor();
    while ((await page.locator('.loading').count()) > 0) await page.waitForTimeout(5);
    const interactive = performance.now() - start;
    const painted = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    );
    return { first: painted, ready: interactive, requests };
  } finally {
    await context.close();
  }
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const ms = (value: number) => `${value.toFixed(0).padStart(5)} ms`;

async function measurePage(
  browser: Browser,
  child: ChildProcess,
  name: string,
  url: string,
): Promise<boolean> {
  const { path, ready } = PAGES[name] ?? { path: '/', ready: 'h1' };
  const opened: Opened[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await tell<Told>(child, 'forget');
    opened.push(await openPage(browser, new URL(path + new URL(url).hash, url).href, ready));
    cpu.push((await tell<Told>(child, 'cost')).cpuMs - before.cpuMs);
  }
  const [first, usable] = [opened.map((one) => one.first), opened.map((one) => one.ready)];
  const isWithin = quantile(usable, 0.5) <= TARGET_MS;
  console.log(
    `${name.padEnd(34)} first content ${ms(quantile(first, 0.5))}  interactive p50 ${ms(quantile(usable, 0.5))}, worst ${ms(quantile(usable, 1))}  ${isWithin ? 'within' : 'over'} ${TARGET_MS} ms  questions ${ms(quantile(cpu, 0.5))} of the server's processor, ${opened[0]?.requests} requests`,
  );
  return isWithin;
}

/** The floor: a page without questions. */
async function measureBare(browser: Browser): Promise<void> {
  const page = '<!doctype html><title>bare</title><h1>bare</h1>';
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const times: Opened[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    times.push(await openPage(browser, `http://127.0.0.1:${port}/`, 'h1'));
  server.close();
  server.closeAllConnections();
  console.log(
    `${'floor: a bare page'.padEnd(34)} first content ${ms(
      quantile(
        times.map((one) => one.first),
        0.5,
      ),
    )}  interactive p50 ${ms(
      quantile(
        times.map((one) => one.ready),
        0.5,
      ),
    )}`,
  );
}

const web = join(import.meta.dirname, '../dist/web');
if (
  !existsSync(join(web, 'index.html')) ||
  !readFileSync(join(web, 'index.html'), 'utf8').includes('<script')
)
  throw new Error('the pages are not built: npm run build:web');
const unpacked = mkdtempSync(join(tmpdir(), 'assay-bench-browser-'));
process.env.ASSAY_TEST_BROWSER ??= unpacked;
const { browser, ...launched } = await launchBrowser();
if (browser === undefined) throw new Error('reason' in launched ? launched.reason : 'no browser');
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-dashboard-'));
try {
  const store = process.argv[3] ?? join(folder, 'assay.db');
  if (!existsSync(store)) await fillStore(store, SESSIONS);
  const child = fork(fileURLToPath(new URL('server-child.ts', import.meta.url)), [store, web]);
  const { url } = ((await once(child, 'message')) as [{ readonly url: string }])[0];
  console.log(
    `${SESSIONS.toLocaleString('en')} sessions, each page opened ${ROUNDS} times; ${loadavg()[0]?.toFixed(1)} processes were running on this machine`,
  );
  await measureBare(browser);
  let within = 0;
  const names = Object.keys(PAGES);
  for (const name of names) within += Number(await measurePage(browser, child, name, url));
  console.log(`${within} of ${names.length} pages within ${TARGET_MS} ms`);
  child.send('stop');
  await once(child, 'exit');
} finally {
  await browser.close();
  for (const made of [folder, unpacked]) rmSync(made, { recursive: true });
}
