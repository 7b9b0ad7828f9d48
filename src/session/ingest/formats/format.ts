/**
 * The contract of a format. `Format` declares what must be known of an agent's files before any is read; `formats.ts`
 * lists them. `Adapter` reads them: `formats/<name>.ts`, or a folder of that name. No other code names an agent. An
 * adapter is loaded on demand, when a file looks like one of its own.
 */
import type { Event } from '../../event.ts';
import type { Capability } from './capabilities.ts';
import type { Harness } from './harness.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A folder in which an agent stores its sessions. */
export type Place = {
  readonly place: string;
  /** Of the files there only those with such a path. */
  readonly only?: RegExp;
  /** Each folder with this file in it is a session, and has no other: it is not looked through. */
  readonly holds?: string;
  /** Only files directly in it: folders below may have many files that are not sessions. */
  readonly flat?: true;
  /** Whose sessions these are, when the format is not one agent's own. */
  readonly agent?: string;
};

/** What is known of a format without its adapter. */
export type Declared = {
  /** What its transcripts can show. A test checks it on the fixtures. */
  readonly shows: readonly Capability[];
  /** Versions of the agent or its files that the adapter was written for. */
  readonly versions: string;
  /** What stays unmeasured although `shows` names it, or that `shows` has no word for. */
  readonly unmeasured?: readonly string[];
  /** Other places of its files, in words. */
  readonly elsewhere?: string;
};

export type Format = Declared & {
  /** The name of its folder, and the `source` of its sessions. */
  readonly name: string;
  readonly title: string;
  /**
   * Matches the beginning of nearly every file of this format and of few others: its adapter is loaded for those. A
   * file without any match, or with a wrong one, is offered to all formats. Databases have none.
   */
  readonly hint?: RegExp;
  /** Its sessions are in databases or archives. */
  readonly packing?: 'sqlite' | 'zip';
  /** Where the agent stores its sessions. The agent's own variable replaces its usual places. */
  readonly places?: (home: string, env: Environment) => readonly Place[];
  /** Files among transcripts that are not transcripts: read as companion files, or not at all. */
  readonly ignores?: (path: string) => boolean;
  /** Transcripts with names that only this agent uses, in addition to `.jsonl`, `.json`, `.db` … */
  readonly includes?: (path: string) => boolean;
  /** Companion files that affect a file's score: it is read again when they change. */
  readonly companions?: (path: string) => Promise<readonly string[]>;
  /** Files whose name marks them as a backup or an archive: a live file with the same entries owns them. */
  readonly isCopy?: (path: string) => boolean;
  /**
   * What an agent prints, exports or writes apart from its store, which has the same session with more in it: where
   * that was read too, only it counts.
   */
  readonly printed?: true | ((path: string) => boolean);
  /** Most records must match: it is asked before formats that one record identifies. */
  readonly strictDetection?: true;
  /** One record identifies it: every record is offered to it until the format of the file is known. */
  readonly oneTells?: true;
  /** The last record of a transcript marks the end of its session; in other formats a session may always go on. */
  readonly endsItself?: true;
  /** The trace of a session that has no other name: what other services store about it uses that name. */
  readonly traceOf?: (sessionId: string) => string | undefined;
  /** Results of runs in the same files, for calibration; no adapter reads them. */
  readonly labels?: () => Promise<Harness>;
  readonly adapter: () => Promise<Adapter>;
};

/** The beginning of a file: what detection may look at. */
export type Sample = {
  /** The first records that parse, at most 20. A file that is one JSON document gives that document. */
  readonly records: readonly unknown[];
  /** True when the file is one JSON document rather than lines. */
  readonly document: boolean;
  /** For formats that content cannot distinguish; the name alone never decides. */
  readonly path: string;
};

/** What an adapter gets about the file it reads. */
export type FileInfo = { readonly path: string };

export type Emit = (event: Event, session?: string) => void;

/**
 * How files become events; a growing transcript continues with the same state. (Methods, because only they let adapters
 * with different states share one list.)
 */
export type Adapter<State = unknown> = {
  /**
   * By content alone; a sample without records matches nothing. The more a format requires, the earlier it is in the
   * list.
   */
  detect(sample: Sample): boolean;
  start(file: FileInfo): State;
  /**
   * One record (a parsed line, or one element of a document) → events through `emit`. Events of a file with several
   * sessions name theirs. Returns the type of a record it does not know, so that it can be counted. Never throws on
   * odd input: every field is checked before it is used.
   */
  step(state: State, record: unknown, line: number, emit: Emit): string | undefined;
  /** Formats that read what else is in the same file; asked at its end. */
  alongside?(state: State): readonly string[];
  /** Called once at the end of what there is; may emit what only the end shows. Must not change `state`. */
  finish?(state: State, line: number, emit: Emit): void;

  /** For documents: the elements in order; some are in companion files. Lines need none. */
  elements?(document: unknown, file: FileInfo): Iterable<unknown>;
  /** For files that are no text. */
  readonly binary?: BinaryDocuments;
  /** For databases with many sessions: each is read like a transcript. */
  readonly store?: SessionStore;
  /** Session information from the files that `Format.companions` names. */
  sidecar?(path: string): Sidecar;
  /** How many compactions the transcript itself has shown, where a sidecar counts them as well. */
  shownCompactions?(state: State): number;

  /** Identity of an entry for copies and branches: the same entry in two files is one. */
  entryKey?(record: unknown): string | undefined;
  /**
   * Where a record has many entries: the keys that show which files have parts of the same sessions. They are then read
   * together.
   */
  entryKeys?(record: unknown): Iterable<string>;
  /** The key of an entry that may identify a transcript, where not every entry can: some are skipped unread. */
  originKey?(record: unknown): string | undefined;
  /**
   * Parent of an entry, in formats whose entries form a tree; abandoned branches are counted separately. Undefined: it
   * follows the entry before it; empty: it starts a new tree.
   */
  parentKey?(record: unknown): string | undefined;
  /** A record that takes back the entry with this key and all after it: they are a branch that was left. */
  rewindTo?(record: unknown): string | undefined;

  /** Its lines, or some of them, are no JSON: each comes as a record with the field `text`. */
  readonly readsText?: true;
  /** Whether a record can be skipped without parsing it, judged by its bytes alone. */
  skipBytes?(line: Buffer): boolean;
  /**
   * The same record in fewer bytes, without what this format never looks at (large copies of tool results); undefined
   * when there is nothing to gain. The bytes are read before the next line comes. If they do not parse, the line does.
   */
  trimBytes?(line: Buffer): Buffer | undefined;
};

/** Both halves of the contract. */
export type LoadedFormat<State = unknown> = Omit<Format, 'adapter' | keyof Declared> & Adapter<State>;

export type Sidecar = {
  /** To be emitted before the transcript's own events. */
  readonly before: readonly Event[];
  /** Of runs before the last one, with times: they belong before the next run begins. */
  readonly between: readonly Event[];
  /** To be emitted after the transcript's own events. */
  readonly after: readonly Event[];
  /** How often the context was compacted, as the sidecar counted; the transcript may show fewer. */
  readonly compactions?: number;
};

export type SessionStore = {
  isStore(path: string): boolean;
  /** `problem` is called for every row that cannot be used, and once when the rest of the store cannot be read. */
  sessions(path: string, problem: (what: 'row' | 'store') => void): Iterable<StoreSession>;
};

export type StoreSession = {
  readonly sessionId: string;
  /** Each with its 1-based place among the records of its session. Gone through once, while the sessions are. */
  readonly records: Iterable<{ readonly line: number; readonly record: unknown }>;
  readonly sidecar?: Sidecar;
};

export type BinaryDocuments = {
  /** Judged by the beginning of the file. */
  isFor(head: Buffer): boolean;
  /** `onDocument` gets each part as a small document, undefined for one that is not understood. False when the end is missing. */
  read(bytes: Buffer, onDocument: (document: unknown) => void): boolean;
};
