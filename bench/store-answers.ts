/**
 * What questions to a store of many sessions cost: `node bench/store-answers.ts [sessions [store]]` (a million by default;
 * a store that is named is kept, and used again when it is there). Makes a store of sessions as they come from people's
 * agents (store-sessions.ts), then asks it in two ways. *Query*: the operation behind a command, in a process that has the
 * store open: the processor time of the first call, and p50 and p99 of those after it, against 50 ms; memory against
 * 150 MB. *Command*: the real command with
 * `--from-store`, the whole process with its start. Floors of the same run: bare node for the start, and counting the
 * sessions along an index with the bare engine, which is what any answer costs at least that looks at each session.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openStore } from '../src/store/open.ts';
import { FILTERS, portsOver, QUESTIONS } from './store-questions.ts';
import { END, fillStore } from './store-sessions.ts';

const ROUNDS = 5;
/** Of each question; the worst of so many is what p99 says. */
const ASKED = 20;
const TARGET_MS = 50;
const TARGET_MB = 150;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

type Asked = {
  readonly question: string;
  readonly filter: string;
  readonly first: number;
  readonly p50: number;
  readonly p99: number;
};

/** A process of its own, so that its memory is that of the answers. */
async function ask(path: string): Promise<void> {
  const store = await openStore(path);
  const ports = portsOver(store);
  const asked: Asked[] = [];
  for (const [question, run] of Object.entries(QUESTIONS))
    for (const [filter, narrowed] of Object.entries(FILTERS)) {
      const times: number[] = [];
      for (let round = 0; round <= ASKED; round += 1) {
        const start = cpuMs();
        await run({ from: 'store', filter: narrowed }, ports);
        times.push(cpuMs() - start);
      }
      const [first = Number.NaN, ...others] = times;
      asked.push({ question, filter, first, p50: quantile(others, 0.5), p99: quantile(others, 0.99) });
    }
  await store.close();
  console.log(JSON.stringify({ asked, mb: process.resourceUsage().maxRSS / 1024 }));
}

function floorOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const count = database.prepare('SELECT count(*) FROM session INDEXED BY session_by_start');
  const times = Array.from({ length: ROUNDS }, () => {
    const start = cpuMs();
    count.get();
    return cpuMs() - start;
  });
  database.close();
  return median(times);
}

function say(name: string, ms: number, more: string): void {
  console.log(`${name.padEnd(44)} ${ms.toFixed(1).padStart(7)} ms ${more}`);
}

function sayQueries(path: string): void {
  const floor = floorOf(path);
  say('floor: counting along an index', floor, '');
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'ask', path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  });
  const { asked, mb } = JSON.parse(child.stdout) as { asked: Asked[]; mb: number };
  for (const { question, filter, first, p50, p99 } of asked) {
    const name = filter === '' ? question : `  … ${filter}`;
    const verdict = p99 <= TARGET_MS ? 'within' : 'over';
    say(
      `query: ${name}`,
      p50,
      `p99 ${p99.toFixed(1).padStart(6)} ms, first ${first.toFixed(1).padStart(6)} ms  ${verdict} ${TARGET_MS} ms  ${(p50 / floor).toFixed(2)} × floor`,
    );
  }
  const within = asked.filter(({ p99 }) => p99 <= TARGET_MS).length;
  console.log(`${within} of ${asked.length} queries within ${TARGET_MS} ms of the processor (p99)`);
  console.log(
    `most memory of all queries ${mb.toFixed(0)} MB, ${mb <= TARGET_MB ? 'within' : 'over'} ${TARGET_MB} MB`,
  );
}

/** The kernel's mark of this process: that of `resourceUsage` begins with the parent's. */
const USED = `process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const [, kilobytes] = /VmHWM:\\s+(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8')) ?? [];
  const used = [(userCPUTime + systemCPUTime) / 1000, Number(kilobytes) / 1024];
  require('node:fs').writeSync(2, '\\nUSED ' + JSON.stringify(used));
});`;

function measure(args: readonly string[], cwd: string): readonly [ms: number, mb: number] {
  const preload = `data:text/javascript,import{createRequire}from'node:module';const require=createRequire('file:///');${encodeURIComponent(USED)}`;
  const once = () => {
    const { stderr } = spawnSync(process.execPath, ['--import', preload, ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, HOME: cwd, NODE_COMPILE_CACHE: join(cwd, 'compiled') },
      maxBuffer: 2 ** 28,
    });
    return JSON.parse(stderr.slice(stderr.lastIndexOf('USED ') + 5)) as [number, number];
  };
  const rounds = [once(), once(), once()].sort((a, b) => a[0] - b[0]);
  return rounds[1] ?? [Number.NaN, Number.NaN];
}

function sayCommands(path: string, folder: string): void {
  const launcher = join(import.meta.dirname, '../bin/assay.js');
  const [floorMs, floorMb] = measure(['-e', '0'], folder);
  say('floor: bare node', floorMs, `${floorMb.toFixed(0)} MB`);
  const stored = ['--from-store', '--no-git', '--store', path];
  const until = new Date(END).toISOString();
  for (const question of [
    ['sources'],
    ['score', ...stored],
    ['roi', ...stored],
    ['roi', '--by', 'day', ...stored],
    ['roi', '--model', 'opus', ...stored],
    ['frontier', ...stored],
    ['attention', '--no-titles', ...stored],
    ['digest', '--week', '--until', until, ...stored],
    ['list', ...stored],
    ['list', '--sort', 'turns', ...stored],
  ]) {
    const [ms, mb] = measure([launcher, 'sessions', ...question], folder);
    const name = question.slice(0, question.length - (question.length > 1 ? stored.length : 0)).join(' ');
    const said = `command: ${name.replace(` --until ${until}`, '')}`;
    say(said, ms, `${mb.toFixed(0)} MB ${(ms / floorMs).toFixed(1)} × floor`);
  }
}

async function main(count: number, named: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const path = named ?? join(folder, 'store.db');
    if (!existsSync(path)) {
      const seconds = await fillStore(path, count);
      const perSecond = Math.round(count / seconds).toLocaleString('en');
      console.log(`stored at ${perSecond} sessions per processor second`);
    }
    const bytes = Math.round(statSync(path).size / count);
    console.log(`${count.toLocaleString('en')} sessions, ${bytes} bytes each with indices and sums`);
    sayQueries(path);
    sayCommands(path, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [first = '1000000', path] = process.argv.slice(2);
await (first === 'ask' ? ask(path ?? '') : main(Number(first), path));
