/**
 * Watches a function that decomposes texts: records how long each call took, its result, and for a sample whether its
 * quotes occur in the text. The caller gets what the function returns or throws, and waits for nothing: recording a
 * call takes a few microseconds, and a full buffer drops it.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { encodeDecomposition } from '../api/decomposition-record.ts';
import type { OutputMap } from '../decomposition/ingest/outputs/output-map.ts';
import { describeRequest, LONGEST_VERIFIED_TEXT } from '../decomposition/production/describe-request.ts';
import type { DecompositionRecord } from '../decomposition/production/record.ts';
import { Sampler } from '../decomposition/production/sample.ts';
import { maskText } from '../secrets.ts';
import { onProcessEnd } from './process-end.ts';
import { Sender, type SenderCounts } from './sender.ts';

export type MonitoredCall<Args extends readonly unknown[], Result> = {
  readonly args: Args;
  readonly result?: Awaited<Result>;
  readonly error?: unknown;
  readonly latencyMs: number;
};

/** What only the service knows about a call. */
export type CallFacts = Partial<
  Pick<
    DecompositionRecord,
    | 'id'
    | 'topic'
    /** Where the function measures it better, such as without its time in a queue. */
    | 'latencyMs'
    | 'model'
    | 'promptVersion'
    | 'costUsd'
    | 'inputTokens'
    | 'outputTokens'
    | 'errorKind'
    | 'experiment'
  >
> & {
  /** What was decomposed; by default the first argument that is a text, or its `text`. */
  readonly text?: string;
  /** The decomposition, where the function gives more than that. */
  readonly output?: unknown;
};

export type MonitorOptions<Args extends readonly unknown[], Result> = {
  /** Of `assay serve`; by default ASSAY_URL, or http://127.0.0.1:4117. */
  readonly url?: string;
  /** Where the server asks for one; by default ASSAY_TOKEN. */
  readonly token?: string;
  readonly model?: string;
  readonly promptVersion?: string;
  /** How to read outputs of the service's own shape, as for recorded outputs. */
  readonly map?: OutputMap;
  /** Called once per call, off the caller's path. An exception in it is reported and changes nothing. */
  readonly describe?: (call: MonitoredCall<Args, Result>) => CallFacts;
  /** About this share is looked at closely; 0.05. */
  readonly sampleRate?: number;
  readonly seed?: number;
  /** Milliseconds since 1970; by default what the machine says. */
  readonly now?: () => number;
  /** Also sends texts and outputs of sampled calls; the server stores them if it is set up to. */
  readonly keepText?: boolean;
  /** So many calls wait for their turn; 10,000. What comes when there is no room is dropped, and counted. */
  readonly queue?: number;
  /** Where records wait when the server does not answer, each for its address and token; false: nowhere. */
  readonly spill?: string | false;
  /** At most so many bytes of them; 10 MB. */
  readonly spillBytes?: number;
  /** So often records are sent; 1,000. */
  readonly sendEveryMs?: number;
  /** Called with what was dropped and why; by default a warning on standard error. */
  readonly onNote?: (text: string) => void;
};

export type MonitorCounts = SenderCounts & {
  readonly queued: number;
};

export type Monitored<F> = F & {
  /** Sends the queue; resolves after one attempt. */
  readonly flush: () => Promise<void>;
  readonly counts: () => MonitorCounts;
  /** The id under which an output is recorded: what feedback on it names. Only of outputs that are objects. */
  readonly idOf: (result: object) => string | undefined;
  /** Flushes, and watches no longer. */
  readonly close: () => Promise<void>;
};

/** Chance once per process: to ask for it at every call would take longer than all the rest. */
const PREFIX = `${randomUUID().replaceAll('-', '').slice(0, 20)}-`;
let noted = 0;

/** So long the background works before it lets others have their turn. */
const SLICE_MS = 1;

type Noted<Args extends readonly unknown[], Result> = MonitoredCall<Args, Result> & {
  readonly id: string;
  readonly at: number;
};

export function monitor<Args extends unknown[], Result>(
  decompose: (...args: Args) => Result,
  options: MonitorOptions<Args, Result> = {},
): Monitored<(...args: Args) => Result> {
  const watch = new Watch<Args, Result>(options);
  function monitored(this: unknown, ...args: Args): Result {
    const began = performance.now();
    let result: Result;
    try {
      result = decompose.apply(this, args);
    } catch (error) {
      watch.note(args, began, { error });
      throw error;
    }
    if (!isThenable(result)) {
      watch.note(args, began, { result: result as Awaited<Result> });
      return result;
    }
    const taken = (value: unknown) => watch.note(args, began, { result: value as Awaited<Result> });
    const failed = (error: unknown) => watch.note(args, began, { error });
    // A promise subclass has methods that a new promise would not have; a plain promise passes rejections on.
    if (result.constructor !== Promise) {
      result.then(taken, failed);
      return result;
    }
    return result.then(
      (value) => {
        taken(value);
        return value;
      },
      (error) => {
        failed(error);
        throw error;
      },
    ) as Result;
  }
  Object.defineProperty(monitored, 'name', { value: decompose.name });
  return Object.assign(monitored, {
    flush: () => watch.flush(),
    counts: () => watch.counts,
    idOf: (result: object) => watch.ids.get(result),
    close: () => watch.close(),
  });
}

function isThenable(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

class Watch<Args extends readonly unknown[], Result> {
  readonly ids = new WeakMap<object, string>();
  readonly #options: MonitorOptions<Args, Result>;
  readonly #sampler: Sampler;
  readonly #sender: Sender;
  readonly #queue: Noted<Args, Result>[] = [];
  readonly #most: number;
  readonly #timer: NodeJS.Timeout;
  readonly #removeEndHandlers: () => void;
  #isScheduled = false;
  #isClosed = false;

  constructor(options: MonitorOptions<Args, Result>) {
    this.#options = options;
    this.#most = options.queue ?? 10_000;
    this.#sampler = new Sampler({ rate: options.sampleRate ?? 0.05, seed: options.seed ?? 1 });
    this.#sender = new Sender({
      url: options.url ?? process.env.ASSAY_URL ?? 'http://127.0.0.1:4117',
      token: options.token ?? process.env.ASSAY_TOKEN,
      spill: {
        folder: options.spill === false ? undefined : (options.spill ?? defaultFolder()),
        maxBytes: options.spillBytes ?? 10 * 1024 * 1024,
      },
      most: Math.max(1000, this.#most),
      timeoutMs: 5000,
      note: (text) => this.#say(text),
    });
    this.#timer = setInterval(() => void this.#sender.send(), options.sendEveryMs ?? 1000);
    this.#timer.unref();
    this.#removeEndHandlers = onProcessEnd({ idle: () => this.flush(), now: () => this.#spillNow() });
  }

  get counts(): MonitorCounts {
    return { ...this.#sender.counts, queued: this.#queue.length };
  }

  /** The only part that the caller waits for. It never throws. */
  note(args: Args, began: number, outcome: { result: Awaited<Result> } | { error: unknown }): void {
    if (this.#isClosed) return;
    if (this.#queue.length >= this.#most) {
      this.#sender.drop(1, 'they arrive faster than they can be processed');
      return;
    }
    const id = `${PREFIX}${(++noted).toString(36)}`;
    if ('result' in outcome) this.#remember(outcome.result, id);
    const latencyMs = performance.now() - began;
    this.#queue.push({ args, ...outcome, latencyMs, id, at: this.#now() - latencyMs });
    this.#schedule();
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  #remember(result: unknown, id: string): void {
    if (typeof result === 'object' && result !== null) this.ids.set(result, id);
  }

  async flush(): Promise<void> {
    while (this.#queue.length > 0) this.#look();
    await this.#sender.send(true);
    this.#sender.reportDropped();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#removeEndHandlers();
    await this.flush();
    this.#sender.spillAll();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const until = performance.now() + SLICE_MS;
      while (this.#queue.length > 0 && performance.now() < until) this.#look();
      if (this.#queue.length > 0) this.#schedule();
    }).unref();
  }

  #look(): void {
    const call = this.#queue.shift();
    if (call === undefined) return;
    try {
      this.#sender.add(this.#lineOf(call));
    } catch (error) {
      this.#sender.drop(1, `describe failed (${error instanceof Error ? error.message : String(error)})`);
    }
  }

  #lineOf(call: Noted<Args, Result>): string {
    const { describe, map = {}, model, promptVersion, keepText } = this.#options;
    const facts = describe?.(call) ?? {};
    const { text = textIn(call.args), output = outputIn(call.result), ...known } = facts;
    if (known.id !== undefined) this.#remember(call.result, known.id);
    const seen: DecompositionRecord = {
      id: call.id,
      at: new Date(call.at).toISOString(),
      status: 'error' in call ? 'error' : 'ok',
      ...('error' in call && { errorKind: kindOf(call.error) }),
      latencyMs: call.latencyMs,
      ...(model !== undefined && { model }),
      ...(promptVersion !== undefined && { promptVersion }),
      ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    };
    const record = describeRequest({ record: seen, text, output }, map, this.#sampler);
    const sendsText =
      keepText === true &&
      record.sample !== undefined &&
      text !== undefined &&
      text.length <= LONGEST_VERIFIED_TEXT;
    return JSON.stringify({
      ...encodeDecomposition(record),
      ...(sendsText && { text: this.#masked(text), output }),
    });
  }

  #masked(text: string): string {
    return maskText(text, process.env);
  }

  #spillNow(): void {
    while (this.#queue.length > 0) this.#look();
    this.#sender.spillAll();
  }

  #say(text: string): void {
    try {
      if (this.#options.onNote === undefined) process.emitWarning(text, { type: 'AssayMonitor' });
      else this.#options.onNote(text);
    } catch {
      // An exception in the callback must not break the service.
    }
  }
}

/** The output of a stream is not known yet; `describe` can add it. */
function outputIn(result: unknown): unknown {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result ? undefined : result;
}

/** Also where it is `{ text }`. */
function textIn(args: readonly unknown[]): string | undefined {
  for (const arg of args) {
    if (typeof arg === 'string') return arg;
    if (typeof arg === 'object' && arg !== null && 'text' in arg && typeof arg.text === 'string')
      return arg.text;
  }
  return undefined;
}

const LONGEST_KIND = 100;

/** Never its message, which may hold anything. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return String(typeof code === 'string' && code !== '' ? code : error.name || 'Error').slice(
    0,
    LONGEST_KIND,
  );
}

function defaultFolder(): string {
  // An account without a name, as in a container, has a number all the same.
  return join(tmpdir(), `assay-monitor-${process.geteuid?.() ?? userInfo().uid}`);
}
