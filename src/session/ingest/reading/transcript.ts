/**
 * One transcript: records → the format's events → a fold per session. A growing file continues with the same object.
 */
import type { Event, Usage } from '../../event.ts';
import type { SessionFacts } from '../../evidence.ts';
import { finish, startFold, step, withoutText } from '../../fold/fold.ts';
import type { FoldState } from '../../fold/state.ts';
import { addUsage, NO_USAGE } from '../../usage.ts';
import { copyKey, hashKey, KeyList, originOf } from '../duplicates/entry-keys.ts';
import type { Emit, LoadedFormat, Sidecar } from '../formats/format.ts';
import type { Jump } from './branches.ts';
import { mergeSessions } from './merge-sessions.ts';
import { countSkip, countUnknown, type TallyState } from './tally.ts';

/** Entries to skip: duplicates that another file owns, and abandoned branches. */
export type LeaveOut = {
  readonly duplicates?: ReadonlySet<number>;
  readonly abandoned?: ReadonlySet<number>;
};

/** Gets every event of a transcript, with its session; requested once per reading. */
export type Listen = (source: string) => Emit;

/** What was spent on branches that were left again: counted apart, part of no run. */
type Abandoned = { readonly entries: number; readonly usage: Usage };

/** All sessions of a file stay open until its end: events of further ones are skipped and counted. */
const MAX_SESSIONS = 50_000;
/** With more sessions than this, copying the folds costs as much as reading the file again. */
const MAX_RESUMABLE_SESSIONS = 1000;

/** The session of a transcript that names none. */
const UNNAMED = '';

export type TranscriptOptions = {
  readonly format: LoadedFormat;
  readonly path: string;
  readonly tally: TallyState;
  readonly leaveOut?: LeaveOut | undefined;
  /** Session information from companion files; read from disk when absent. */
  readonly sidecar?: Sidecar | undefined;
  /** What a session without a name is called. */
  readonly name: string;
  readonly listen?: Listen | undefined;
};

export class Transcript {
  readonly format: LoadedFormat;
  /** Keys that find copies of entries in other files, for the entries of this reading only. */
  keys = new KeyList();
  /** Hashes of the entries' own keys, in formats whose entries form a tree. */
  readonly ids = new KeyList();
  readonly jumps: Jump[] = [];
  readonly #path: string;
  readonly #leaveOut: LeaveOut;
  #tally: TallyState;
  readonly #adapter: unknown;
  #folds = new Map<string, FoldState>();
  readonly #name: string;
  #lastKey: string | undefined;
  /** Undefined until the first entry with a key; empty when that one does not identify the transcript. */
  #origin: string | undefined;
  #lastAt: number | undefined;
  readonly #heard: Emit | undefined;
  #sidecar: ReturnType<typeof placeSidecar> | undefined;
  #aside: { adapter: unknown; entries: number; unnamed: Usage; messages: Map<string, Usage> } | undefined;
  #current: FoldState | undefined;
  #currentSession: string | undefined;

  constructor({ format, path, tally, leaveOut = {}, sidecar, name, listen }: TranscriptOptions) {
    this.format = format;
    this.#path = path;
    this.#tally = tally;
    this.#leaveOut = leaveOut;
    this.#adapter = format.start({ path });
    this.#name = name;
    this.#heard = listen?.(format.name);
    this.#sidecar = this.#withSidecar(sidecar);
  }

  take(record: unknown, line: number): void {
    const { format } = this;
    const rewound = format.rewindTo?.(record);
    if (rewound !== undefined) this.#rewind(rewound, line);
    for (const shared of format.entryKeys?.(record) ?? []) this.keys.push(hashKey(shared));
    const key = format.entryKey?.(record);
    if (key !== undefined) {
      this.#origin ??= this.#originIn(record, key);
      const hash = hashKey(key);
      const copy = copyKey(key, hash, record);
      if (format.parentKey !== undefined || format.rewindTo !== undefined) {
        this.#follow(key, hash, format.parentKey?.(record));
      }
      this.keys.push(copy);
      if (this.#leaveOut.duplicates?.has(copy)) return;
      if (this.#leaveOut.abandoned?.has(hash)) {
        this.#putAside(record, line);
        return;
      }
    } else if (this.#aside !== undefined) {
      // What is in no branch (a header) is for all of them.
      format.step(this.#aside.adapter, record, line, () => {});
    }
    const unknown = format.step(this.#adapter, record, line, this.#sidecar?.emit ?? this.#emit);
    if (unknown !== undefined) countUnknown(this.#tally, unknown);
  }

  /** Never lets a record stop a run: a reader that throws is our mistake, and the file shows it. */
  tryTake(record: unknown, line: number): void {
    try {
      this.take(record, line);
    } catch {
      countSkip(this.#tally, 'not understood', line);
    }
  }

  /** The first entry may not identify the transcript: then a later one does. */
  #originIn(record: unknown, entryKey: string): string | undefined {
    const key = this.format.originKey === undefined ? entryKey : this.format.originKey(record);
    return key === undefined ? undefined : (originOf(key, record) ?? '');
  }

  /** Formats that read what else is in the file. */
  get alongside(): readonly string[] {
    return this.format.alongside?.(this.#adapter) ?? [];
  }

  get canResume(): boolean {
    return this.alongside.length === 0 && this.#folds.size <= MAX_RESUMABLE_SESSIONS;
  }

  /** Begins the next reading of a file that grew. */
  resume(tally: TallyState): void {
    this.#tally = tally;
    this.keys = new KeyList();
    this.#currentSession = undefined;
    this.#sidecar = this.#withSidecar(undefined);
  }

  /** Ends the reading. Facts that only the end shows are not part of the resumable state. */
  finish(line: number, goesOn = false): SessionFacts[] {
    const before = goesOn
      ? structuredClone([...this.#folds].map(([session, fold]) => [session, withoutText(fold)] as const))
      : [];
    const lastAt = this.#lastAt;
    try {
      this.format.finish?.(this.#adapter, line, this.#emit);
      this.#sidecar?.finish();
    } catch {
      countSkip(this.#tally, 'not understood', line);
    }
    let abandoned = this.#abandoned();
    const sessions: SessionFacts[] = [];
    for (const [session, fold] of this.#folds) {
      const facts = finish(fold, session, Date.now());
      if (facts === undefined) continue;
      const sessionId = facts.sessionId === UNNAMED ? this.#name : facts.sessionId;
      const origin = this.#origin ? { origin: this.#origin } : {};
      // What was abandoned belongs to the first of all.
      sessions.push({ ...facts, sessionId, ...origin, ...(abandoned !== undefined && { abandoned }) });
      abandoned = undefined;
    }
    this.#folds = new Map(before);
    this.#lastAt = lastAt;
    // Lines without a session and lines of the file's session belong together.
    return mergeSessions(sessions, ({ sessionId }) => sessionId);
  }

  readonly #emit: Emit = (event: Event, session = ''): void => {
    if (session !== this.#currentSession) this.#turnTo(session);
    if (event.at !== undefined) this.#lastAt = event.at;
    if (this.#current === undefined) countSkip(this.#tally, 'too many sessions in one file', event.line);
    else step(this.#current, event);
    this.#heard?.(event, session);
  };

  /** Some agents store a part of the session information in companion files. The remainder of a copy has none. */
  #withSidecar(given: Sidecar | undefined): ReturnType<typeof placeSidecar> | undefined {
    const beside =
      this.#leaveOut.duplicates === undefined ? (given ?? this.format.sidecar?.(this.#path)) : undefined;
    if (beside === undefined) return undefined;
    const shown = () => this.format.shownCompactions?.(this.#adapter) ?? 0;
    return placeSidecar(beside, this.#emit, this.#lastAt, shown);
  }

  #turnTo(session: string): void {
    this.#currentSession = session;
    this.#current = this.#folds.get(session);
    if (this.#current !== undefined || this.#folds.size >= MAX_SESSIONS) return;
    this.#current = startFold(this.format.name);
    this.#folds.set(session, this.#current);
  }

  #follow(key: string, hash: number, parent: string | undefined): void {
    if (parent !== undefined && parent !== this.#lastKey && this.#lastKey !== undefined && parent !== key) {
      this.jumps.push([this.ids.length, parent === '' ? null : hashKey(parent)]);
    }
    this.ids.push(hash);
    this.#lastKey = key;
  }

  /** The record that reverts entries is an entry itself: the one after the remaining ones, whose parent it names. */
  #rewind(to: string, line: number): void {
    const ids = this.ids.toArray();
    const at = ids.lastIndexOf(hashKey(to));
    const parent = at > 0 ? (ids[at - 1] ?? null) : at === 0 ? null : hashKey(to);
    this.jumps.push([this.ids.length, parent]);
    this.#lastKey = `rewind at ${line}`;
    this.ids.push(hashKey(this.#lastKey));
  }

  /** Several records of one message: the last one counts. */
  #putAside(record: unknown, line: number): void {
    this.#aside ??= {
      adapter: this.format.start({ path: this.#path }),
      entries: 0,
      unnamed: NO_USAGE,
      messages: new Map(),
    };
    const aside = this.#aside;
    aside.entries += 1;
    this.format.step(aside.adapter, record, line, (event) => {
      if (event.kind !== 'reply' || event.usage === undefined) return;
      if (event.messageId === undefined) aside.unnamed = addUsage(aside.unnamed, event.usage);
      else aside.messages.set(event.messageId, event.usage);
    });
  }

  #abandoned(): Abandoned | undefined {
    if (this.#aside === undefined) return undefined;
    const { entries, unnamed, messages } = this.#aside;
    return { entries, usage: [...messages.values()].reduce(addUsage, unnamed) };
  }
}

/**
 * Emits the events of a sidecar where they belong: before the transcript, between two runs, at the end. `seen`: the
 * time of the last event of the previous reading. `shown`: at the end, how many compactions the transcript has; only
 * then is it known how many it lacks.
 */
export function placeSidecar(
  sidecar: Sidecar,
  emit: Emit,
  seen?: number,
  shown: () => number = () => 0,
): { readonly emit: Emit; readonly finish: () => void } {
  const waiting = sidecar.between.filter((event) => seen === undefined || (event.at ?? 0) > seen);
  let line = 1;
  let session: string | undefined;
  let next = 0;
  for (const event of sidecar.before) emit(event);
  return {
    emit: (event, id) => {
      const border = event.kind === 'user' && event.origin !== 'runtime' && event.at !== undefined;
      for (; border; next += 1) {
        const early = waiting[next];
        if (early === undefined || (early.at ?? 0) > (event.at ?? 0)) break;
        emit({ ...early, line }, id);
      }
      line = event.line;
      session = id;
      emit(event, id);
    },
    finish: () => {
      const missing = (sidecar.compactions ?? 0) - shown();
      for (let i = 0; i < missing; i++) emit({ kind: 'compaction', line }, session);
      for (const event of sidecar.after) emit({ ...event, line }, session);
    },
  };
}
