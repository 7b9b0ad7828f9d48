/**
 * Fuzzes one target in a thread that can be ended: an input that hangs or takes all memory is stored where the main
 * thread finds it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { seeded } from '../src/session/ingest/testing/mutate-bytes.ts';
import { committedOf, GROWN, grownOf, keep } from './corpus.ts';
import { Coverage } from './coverage.ts';
import { minimise } from './minimise.ts';
import { LONGEST_INPUT, mutate, wordsIn } from './mutate.ts';
import { signatureOf } from './signature.ts';
import { Broken, examine, type Opened, type Target } from './target.ts';
import { targetsNamed } from './targets.ts';

export type FuzzJob = {
  readonly target: string;
  /** Of the processor: a busy machine tries as much as an idle one. */
  readonly ms: number;
  readonly seed: number;
  /** Findings from before this thread was started. */
  readonly known: readonly string[];
  /** How many inputs were begun, and the length of the last one. */
  readonly counter: SharedArrayBuffer;
  readonly last: SharedArrayBuffer;
};

export type FuzzReport =
  | {
      readonly kind: 'found';
      readonly signature: string;
      readonly message: string;
      readonly input: Uint8Array;
    }
  | { readonly kind: 'state'; readonly runs: number; readonly corpus: number; readonly blocks: number };

/** Coverage is read after this many inputs: reading it takes as long as several of them. */
const BATCH = 16;
/** Of the processor, for one input. */
const SLOW_MS = 3000;

const job = workerData as FuzzJob;
const counter = new Int32Array(job.counter);
const last = new Uint8Array(job.last);
const random = seeded(job.seed);
const known = new Set(job.known);
const report = (one: FuzzReport) => parentPort?.postMessage(one);

async function tried(opened: Opened, input: Buffer): Promise<unknown> {
  counter[1] = input.copy(last, 0, 0, LONGEST_INPUT);
  Atomics.add(counter, 0, 1);
  const before = process.threadCpuUsage();
  try {
    await examine(opened, input);
  } catch (error) {
    return error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 > SLOW_MS ? new Broken('it takes too long') : undefined;
}

async function found(opened: Opened, input: Buffer, error: unknown): Promise<void> {
  const signature = signatureOf(error);
  if (known.has(signature)) return;
  known.add(signature);
  const isSlow = signature.includes('too long');
  const same = async (one: Buffer) => {
    const other = await tried(opened, one);
    return other !== undefined && signatureOf(other) === signature;
  };
  const smallest = isSlow ? input : await minimise(input, same);
  const message = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
  report({ kind: 'found', signature, message, input: smallest });
}

async function fuzz(target: Target, opened: Opened, coverage: Coverage): Promise<void> {
  const pool: Buffer[] = [];
  const take = async (input: Buffer): Promise<boolean> => {
    const error = await tried(opened, input);
    if (error !== undefined) await found(opened, input, error);
    return coverage.take() > 0;
  };
  for (const { input } of [...committedOf(target), ...grownOf(target)]) {
    await take(input);
    if (input.length <= LONGEST_INPUT) pool.push(input);
  }
  if (pool.length === 0) throw new Error(`${job.target} has nothing to begin with`);
  const dictionary = wordsIn(pool);
  // What was added last is tried most.
  const one = () =>
    (random.next() < 0.3
      ? pool[Math.max(0, pool.length - 1 - random.below(10))]
      : random.pick(pool)) as Buffer;
  const others = { another: one, word: () => random.pick(dictionary) };
  const begun = process.threadCpuUsage();
  const isOver = () => {
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000 > job.ms;
  };
  let runs = 0;
  while (!isOver()) {
    const batch: Buffer[] = [];
    for (let i = 0; i < BATCH; i += 1) {
      const input = mutate(one(), random, others);
      const error = await tried(opened, input);
      if (error === undefined) batch.push(input);
      else await found(opened, input, error);
    }
    runs += BATCH;
    if (coverage.peek() > 0)
      for (const input of batch)
        if (await take(input)) {
          pool.push(input);
          keep(GROWN, job.target, '', input);
        }
    if (runs % (BATCH * 8) === 0)
      report({ kind: 'state', runs, corpus: pool.length, blocks: coverage.blocks });
  }
  report({ kind: 'state', runs, corpus: pool.length, blocks: coverage.blocks });
}

const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
const [target] = await targetsNamed(job.target);
if (target === undefined) throw new Error(`there is no target ${job.target}`);
const opened = await target.open(folder);
try {
  await fuzz(target, opened, new Coverage());
} finally {
  await opened.close?.();
  rmSync(folder, { recursive: true, force: true });
}
