/**
 * How fast sessions are read and scored, against ccusage's native binary and against plain JSON.parse, on the same
 * 500 MB in one run: `npm run bench:sessions` (or `node bench/sessions.ts [MEGABYTES]`). Rounds are interleaved,
 * because these machines are noisy, and medians compared. Everything is built in a temporary folder and removed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from '../src/session/ingest/memory.ts';
import { readAll } from '../src/session/ingest/read-all.ts';
import { median } from '../src/stats/median.ts';
import { buildCorpus, buildFile, SHARED, someLines } from './sessions-corpus.ts';

const ROUNDS = 5;
const CHILD = join(import.meta.dirname, 'sessions-child.ts');
const megabytes = Number(process.argv[2] ?? 500);

type Timed = { readonly ms: number; readonly peakMb: number; readonly output: string };

/** A process from start to end, with the most memory it had. */
async function time(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Timed> {
  const start = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let peakMb = 0;
  child.stdout.on('data', (data) => {
    output += data;
  });
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, 10);
  const status = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return { ms: performance.now() - start, peakMb, output };
}

/** Linux keeps the high-water mark of every process. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The binary that npm installs into a folder of ours; undefined, and a word about it, when it cannot be had. */
function installCcusage(folder: string): string | undefined {
  const packages = ['ccusage@20.0.24', '@ccusage/ccusage-linux-x64@20.0.24'];
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages], {
    stdio: 'ignore',
  });
  const binary = join(folder, 'node_modules/@ccusage/ccusage-linux-x64/bin/ccusage');
  if (!existsSync(binary)) {
    console.log('ccusage could not be installed: its column is missing below.');
    return undefined;
  }
  chmodSync(binary, 0o755);
  return binary;
}

const show = (name: string, ms: number, mb: number, more: string) =>
  console.log(`${name.padEnd(34)} ${ms.toFixed(0).padStart(6)} ms ${mb.toFixed(0).padStart(5)} MB  ${more}`);
const versus = (ratio: number, target: number) =>
  `${ratio.toFixed(2)} ×  ${ratio <= target ? 'within' : 'over'} ${target} ×`;
const middle = (runs: readonly Timed[]) => median(runs.map(({ ms }) => ms)) ?? Number.NaN;
const peak = (runs: readonly Timed[]) => Math.max(...runs.map(({ peakMb }) => peakMb));

async function compare(folder: string, corpus: string): Promise<void> {
  const ccusage = installCcusage(join(folder, 'ccusage'));
  const runs: Record<'parse' | 'read' | 'again' | 'ccusage', Timed[]> = {
    parse: [],
    read: [],
    again: [],
    ccusage: [],
  };
  for (let round = 0; round <= ROUNDS; round++) {
    const memory = join(folder, `memory-${round}.db`);
    const now = {
      parse: await time(process.execPath, [CHILD, 'parse', corpus]),
      read: await time(process.execPath, [CHILD, 'read', corpus, memory]),
      again: await time(process.execPath, [CHILD, 'read', corpus, memory]),
      ...(ccusage && {
        ccusage: await time(ccusage, ['session', '--offline', '--json'], { CLAUDE_CONFIG_DIR: corpus }),
      }),
    };
    // The first round fills the caches.
    if (round > 0) for (const [name, one] of Object.entries(now)) runs[name as keyof typeof runs].push(one);
  }
  const [floor, ours] = [middle(runs.parse), middle(runs.read)];
  show('JSON.parse, one thread', floor, peak(runs.parse), 'the floor');
  if (ccusage)
    show(
      'ccusage 20.0.24, native',
      middle(runs.ccusage),
      peak(runs.ccusage),
      `${(middle(runs.ccusage) / floor).toFixed(2)} × JSON.parse`,
    );
  show('assay: read, fold, score', ours, peak(runs.read), `${versus(ours / floor, 1)} JSON.parse`);
  if (ccusage) console.log(`${' '.repeat(52)}${versus(ours / middle(runs.ccusage), 1)} ccusage`);
  const again = middle(runs.again);
  show(
    'assay: the same again, unchanged',
    again,
    peak(runs.again),
    `${(ours / again).toFixed(1)} × faster (target 10 ×)`,
  );
  console.log(`peak memory ${peak(runs.read).toFixed(0)} MB (target 250 MB)`);
  sayCost(runs.read, ours);
}

/** Section 1 of the specification: scoring must cost less than 5% of what the sessions cost. */
function sayCost(runs: readonly Timed[], ms: number): void {
  const { count, costUsd } = JSON.parse(runs[0]?.output ?? '{}') as { count: number; costUsd: number };
  // A cloud core costs some 0.05 USD an hour.
  const scoring = (2 * ms * 0.05) / 3_600_000;
  const share = `${((100 * scoring) / costUsd).toExponential(1)} % of what they cost`;
  console.log(
    `${count} sessions worth ${costUsd.toFixed(2)} USD, scored for ${scoring.toExponential(1)} USD: ${share}`,
  );
}

async function appendCost(folder: string): Promise<void> {
  for (const [name, bytes] of [
    ['1 MB', 1e6],
    ['100 MB', 1e8],
    ['1 GB', 1e9],
  ] as const) {
    const path = join(folder, 'growing.jsonl');
    rmSync(path, { force: true });
    buildFile(path, bytes);
    const memory = openMemory(join(folder, `append-${bytes}.db`), 'bench');
    await readAll([path], { memory });
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      appendFileSync(path, someLines(round));
      const start = performance.now();
      await readAll([path], { memory });
      times.push(performance.now() - start);
    }
    memory?.close();
    show(`10 kB appended to ${name}`, median(times) ?? Number.NaN, process.memoryUsage.rss() / 2 ** 20, '');
  }
}

if (existsSync(SHARED)) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const { bytes, files } = buildCorpus(join(folder, 'corpus'), megabytes * 1e6);
    console.log(
      `${files} transcripts, ${(bytes / 1e6).toFixed(0)} MB, median of ${ROUNDS} interleaved rounds\n`,
    );
    await compare(folder, join(folder, 'corpus'));
    console.log();
    await appendCost(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  console.log(`${SHARED} is not there: nothing to measure.`);
}
