/** A thread that reads files, and what it is told. */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ToWeigh, Weighed } from '../copies/weigh-files.ts';
import type { FileResult } from './read-file.ts';
import type { Spill } from './spill-list.ts';

export type FileJob = {
  readonly path: string;
  readonly bytes: number;
  /** `Progress` as JSON. */
  readonly resume?: string | undefined;
  readonly remember: boolean;
  /** Entries that another file owns. */
  readonly copies?: Float64Array | undefined;
  /** The format that weighs copies: then these are told by their exact keys. */
  readonly weighedBy?: string | undefined;
  /** Not one file is read, but several are weighed against each other. */
  readonly weigh?: ToWeigh | undefined;
};

/** Either a result, or why there is none. */
export type FileOutcome = {
  readonly result?: FileResult;
  readonly weighed?: readonly Weighed[];
  readonly problem?: string;
};

export type OnOutcome = (index: number, outcome: FileOutcome) => void;

/** What a thread is told: the files, and which of them are taken. */
export type ToRead = {
  readonly jobs: readonly FileJob[];
  readonly taken: SharedArrayBuffer;
  readonly spill: Spill | undefined;
};

/** Parsed records die young: a larger nursery would only take memory. */
const LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 };

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

/** What a thread says of a file that it has read. */
export type TellResult = { readonly index: number; readonly outcome: FileOutcome };

/** Of some files, or that no more is left. */
export type FromThread = readonly TellResult[] | 'done';

class ReaderThread {
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

  /** Resolves when no file is left, or when the thread has ended, whatever the reason. */
  async read(what: ToRead, onOutcome: OnOutcome): Promise<void> {
    let onMessage: (said: FromThread) => void = () => {};
    const done = new Promise<void>((resolve) => {
      onMessage = (said) => {
        if (said === 'done') resolve();
        else for (const { index, outcome } of said) onOutcome(index, outcome);
      };
    });
    this.#worker.on('message', onMessage);
    this.#worker.postMessage(what);
    await Promise.race([done, this.#ended]);
    this.#worker.off('message', onMessage);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The threads of a run. They stay until it stops them: what they have compiled serves all that is read. */
export class ReaderThreads {
  readonly #threads: ReaderThread[] = [];

  /** Starting takes a while, so it may begin before it is known what there is to read. */
  start(count: number): readonly ReaderThread[] {
    while (this.#threads.length < count) this.#threads.push(new ReaderThread());
    return this.#threads.slice(0, count);
  }

  /** What they write must not go on when the place for it is closed. */
  async stop(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.stop()));
  }
}
