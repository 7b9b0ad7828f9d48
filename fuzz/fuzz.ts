/**
 * `npm run fuzz -- TARGET|all [--minutes N] [--seed N]` looks for inputs that break a reader, for so
 * many minutes of the processor; `npm run fuzz -- TARGET FILE`
 * tries one input; `npm run fuzz -- TARGET --distil` commits the small inputs of `.fuzz/` that reach furthest.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { COMMITTED, keep } from './corpus.ts';
import { distil } from './distil.ts';
import { LONGEST_INPUT } from './mutate.ts';
import { examine, type Target } from './target.ts';
import { allTargets, targetsNamed } from './targets.ts';
import type { FuzzJob, FuzzReport } from './worker.ts';

/** Nothing was begun for so long: the input that is being read has no end. */
const HANGS_MS = 300_000;
const MEMORY_MB = 1024;
/** After an input that ended the thread another one goes on. */
const MOST_ROUNDS = 5;

type Ended = {
  readonly runs: number;
  readonly corpus: number;
  readonly blocks: number;
  readonly found: number;
};

async function fuzz({ name }: Target, minutes: number, seed: number): Promise<Ended> {
  const known = new Set<string>();
  let state = { runs: 0, corpus: 0, blocks: 0 };
  const note = (signature: string, message: string, input: Uint8Array) => {
    known.add(signature);
    const path = keep(COMMITTED, name, 'found-', input);
    console.log(
      `${name}: ${signature}\n  ${message.split('\n').slice(0, 6).join('\n  ')}\n  kept as ${path}`,
    );
  };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const counter = new SharedArrayBuffer(8);
    const last = new SharedArrayBuffer(LONGEST_INPUT);
    const job: FuzzJob = {
      target: name,
      ms: minutes * 60_000,
      seed: seed + round,
      known: [...known],
      counter,
      last,
    };
    const why = await runThread(job, (report) => {
      if (report.kind === 'found') note(report.signature, report.message, report.input);
      else state = report;
    });
    const length = new Int32Array(counter)[1] ?? 0;
    if (why === undefined) break;
    note(why, why, new Uint8Array(last).slice(0, length));
  }
  return { ...state, found: known.size };
}

/** Why it ended before its time. */
function runThread(job: FuzzJob, onReport: (report: FuzzReport) => void): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    const counter = new Int32Array(job.counter);
    let [seen, since] = [-1, Date.now()];
    const watch = setInterval(() => {
      const now = Atomics.load(counter, 0);
      if (now !== seen) [seen, since] = [now, Date.now()];
      else if (now > 0 && Date.now() - since > HANGS_MS) end('it has no end');
    }, 1000);
    const end = (why?: string) => {
      clearInterval(watch);
      void worker.terminate().then(() => resolve(why));
    };
    worker.on('message', onReport);
    worker.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') end('it takes all memory');
      else {
        clearInterval(watch);
        reject(error);
      }
    });
    worker.on('exit', () => end());
  });
}

async function tryOne(target: Target, file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
  const opened = await target.open(folder);
  try {
    console.log(JSON.stringify(await examine(opened, readFileSync(file)), null, 2));
  } finally {
    await opened.close?.();
    rmSync(folder, { recursive: true, force: true });
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    distil: { type: 'boolean', default: false },
  },
});
const [named, file] = positionals;
const targets = named === undefined || named === 'all' ? await allTargets() : await targetsNamed(named);
if (named === undefined)
  console.log(`npm run fuzz -- TARGET|all [--minutes N]\n\n${targets.map(({ name }) => name).join('\n')}`);
else
  for (const target of targets) {
    if (file !== undefined) await tryOne(target, file);
    else if (values.distil) console.log(`${target.name}: ${await distil(target)} inputs kept`);
    else {
      const ended = await fuzz(target, Number(values.minutes), Number(values.seed));
      console.log(
        `${target.name}: ${ended.runs} inputs, ${ended.blocks} blocks reached, ${ended.corpus} in the corpus, ${ended.found} found`,
      );
      if (ended.found > 0) process.exitCode = 1;
    }
  }
