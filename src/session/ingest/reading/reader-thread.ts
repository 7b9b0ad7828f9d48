/** A thread that reads files, and what it is told. */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FileResult } from './read-file.ts';
import type { Spill } from './spill-list.ts';

export type FileJob = {
  readonly path: string;
  readonly bytes: number;
  /** `Progress` as JSON. */
  readonly resume?: string | undefined;
  readonly remember: boolean;
};

/** Either a result, or why there is none. */
export type FileOutcome = { readonly result?: FileResult; readonly problem?: string };

export type OnOutcome = (index: number, outcome: FileOutcome) => void;

/** What a thread is told: the files, and which of them are taken. */
export type ToRead = {
  readonly jobs: readonly FileJob[];
  readonly taken: SharedArrayBuffer;
  readonly spill: Spill | undefined;
};

/** Parsed records die young: a larger nursery would only take memory. */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };

/** Below this many bytes another thread costs more than it helps. */
const WORTH_A_THREAD_BYTES = 24 * 1024 * 1024;
export function isWorthAThread(bytes: number): boolean {
  return bytes >= WORTH_A_THREAD_BYTES;
}

/** What was compiled for the main thread need not be compiled again. */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
}

/** Starting takes a while, so it may begin before it is known what there is to read. */
export class ReaderThread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  constructor() {
    // A clone runs its sources, an installed package what was built from them.
    const script = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
    this.#worker = new Worker(script, { resourceLimits: LIMITS, env: environment() });
    this.#worker.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => resolve());
    });
  }

  /** Resolves when the thread has ended, whatever the reason. */
  read(what: ToRead, onOutcome: OnOutcome): Promise<void> {
    this.#worker.on('message', ({ index, outcome }: { index: number; outcome: FileOutcome }) =>
      onOutcome(index, outcome),
    );
    this.#worker.postMessage(what);
    return this.#ended;
  }

  stop(): void {
    void this.#worker.terminate();
  }
}
