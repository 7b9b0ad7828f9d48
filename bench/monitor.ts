/**
 * What `monitor()` adds to a call of the function it watches: `node bench/monitor.ts`. The bare and the watched
 * function are called in turns, each call timed until its answer is there, with the real server receiving the records.
 * Background work (counting, verifying samples, sending) is printed as CPU time per call.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { monitor } from '../src/monitor/monitor.ts';
import { quantile } from '../src/stats/descriptive.ts';

const CALLS = Number(process.argv[2] ?? 20_000);
const LIMIT_US = 100;
const CONCEPTS = 25;

const sentences = Array.from(
  { length: CONCEPTS },
  (_, i) => `Process number ${i} feeds the river and shapes the plain below it in spring.`,
);
const TEXT = sentences.join(' ');

function outputOf(call: number) {
  return {
    concepts: sentences.map((sourceQuote, i) => ({
      label: `Process number ${i}`,
      sourceQuote,
      confidence: 0.5 + ((call + i) % 50) / 100,
    })),
    relationships: sentences.map((_, i) => ({
      source: `Process number ${i}`,
      target: `Process number ${(i + 1) % CONCEPTS}`,
      predicate: 'CAUSES',
    })),
  };
}

/** In a thread of its own, so that its work is not taken for ours. */
async function serve(folder: string): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const worker = new Worker(new URL('./monitor-server.ts', import.meta.url), { workerData: folder });
  const url = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return { url, stop: () => worker.terminate() };
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-monitor-'));
  const { url, stop } = await serve(folder);
  let calls = 0;
  const bare = async (_text: string) => outputOf(calls++);
  const watched = monitor(bare, { url, spill: join(folder, 'spill'), queue: 5000 });
  const times: Record<'bare' | 'watched', number[]> = { bare: [], watched: [] };
  try {
    for (let i = 0; i < CALLS + 1000; i++) {
      const order = i % 2 === 0 ? (['bare', 'watched'] as const) : (['watched', 'bare'] as const);
      for (const name of order) {
        const call = name === 'bare' ? bare : watched;
        const began = performance.now();
        await call(TEXT);
        // The first thousand are spent on compiling.
        if (i >= 1000) times[name].push((performance.now() - began) * 1000);
      }
      if (i % 4 === 0) await otherWork();
    }
    await watched.flush();
    report(times, watched.counts().sent);
    const [alone, monitored] = [await processorPerCall(bare), await processorPerCall(watched, watched.flush)];
    console.log(
      `processor per call, beside it too  ${(monitored - alone).toFixed(0)} µs (${alone.toFixed(0)} → ${monitored.toFixed(0)})`,
    );
    const { sent, spilled, dropped } = watched.counts();
    console.log(`records sent ${sent}, kept in a file ${spilled}, dropped ${dropped}`);
  } finally {
    await watched.close();
    await stop();
    rmSync(folder, { recursive: true });
  }
}

/** In microseconds, background work included. */
async function processorPerCall(
  call: (text: string) => Promise<unknown>,
  after?: () => Promise<void>,
): Promise<number> {
  const rounds = 2000;
  const before = process.threadCpuUsage();
  for (let i = 0; i < rounds; i++) {
    await call(TEXT);
    await otherWork();
  }
  await after?.();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / rounds;
}

function report(times: Record<'bare' | 'watched', number[]>, sent: number): void {
  const at = (list: number[], p: number) => quantile(list, p) ?? Number.NaN;
  console.log(
    `${times.bare.length} calls in turns, ${CONCEPTS} concepts each, ${sent} records sent meanwhile`,
  );
  for (const p of [0.5, 0.9, 0.99, 0.999]) {
    const [bare, watched] = [at(times.bare, p), at(times.watched, p)];
    console.log(
      `p${(p * 100).toString().padEnd(5)} bare ${bare.toFixed(1).padStart(8)} µs   watched ${watched.toFixed(1).padStart(8)} µs   added ${(watched - bare).toFixed(1).padStart(7)} µs`,
    );
  }
  const added = at(times.watched, 0.99) - at(times.bare, 0.99);
  console.log(
    `added at p99: ${added.toFixed(1)} µs, ${added < LIMIT_US ? 'within' : 'ABOVE'} ${LIMIT_US} µs`,
  );
  if (added >= LIMIT_US) process.exitCode = 1;
}

await measure();
