/**
 * The contract of a format. `Format` says what must be known of an agent's files before any of them is read; `formats.ts` lists
 * them. `Adapter` says how they are read: `formats/<name>.ts`, or a folder of that name. Nothing else names an agent. An adapter is
 * loaded when a file is read that looks like it.
 */
import type { Event } from '../../event.ts';
import type { Capability } from './capabilities.ts';
import type { Harness } from './harness.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A folder in which an agent keeps its sessions. */
export type Place = {
  readonly place: string;
  /** Of the files there only those with such a path. */
  readonly only?: RegExp;
  /** Each folder with this file in it is a session, and has no other: it is not looked through. */
  readonly holds?: string;
  /** Only what lies in it, not in the folders below: there may be many files that are none of its sessions. */
  readonly flat?: true;
  /** Whose sessions these are, when the format is not one agent's own. */
  readonly agent?: string;
};

/** What everybody may know of a format without reading a file of it. */
export type Declared = {
  /** What its transcripts can show. A test keeps it true on the fixtures. */
  readonly shows: readonly Capability[];
  /** Of the agent, or of what it writes: those whose files or sources its reader was made from. */
  readonly versions: string;
  /** What stays unmeasured although `shows` names it, or that `shows` has no word for. */
  readonly unmeasured?: readonly string[];
  /** Where it is beside its places, or instead of them. */
  readonly elsewhere?: string;
};

export type Format = Declared & {
  /** The name of its folder, and the `source` of its sessions. */
  readonly name: string;
  readonly title: string;
  /**
   * Stands in the beginning of nearly every file of this format and of few others: its adapter is loaded for those. A file
   * that nothing hints at, or that is not what it looks like, is shown to all formats. Databases have none.
   */
  readonly hint?: RegExp;
  /** Its sessions are in databases or archives. */
  readonly packing?: 'sqlite' | 'zip';
  /** Where the agent keeps its sessions. Its own variable replaces its usual places, as it does for the agent. */
  readonly places?: (home: string, env: Environment) => readonly Place[];
  /** Files that lie among transcripts and are none: what is known from them is read with a transcript, or not at all. */
  readonly ignores?: (path: string) => boolean;
  /** Transcripts under names that no other agent gives them, beside the usual `.jsonl`, `.json`, `.db` … */
  readonly includes?: (path: string) => boolean;
  /** What lies beside a file, or in another folder, and changes what the file is worth: read again when it changes. */
  readonly companions?: (path: string) => Promise<readonly string[]>;
  /** Files whose name says that they are a backup or an archive: a live file with the same entries owns them. */
  readonly isCopy?: (path: string) => boolean;
  /**
   * What an agent prints, exports or writes beside its store, where it keeps the same session with more in it: where that
   * is among the files too, it counts alone.
   */
  readonly printed?: true | ((path: string) => boolean);
  /** Most of what it is shown must be as it says: it is asked before those that know a file by one record. */
  readonly strictDetection?: true;
  /** One record tells: every record is shown to it until the format of the file is known. */
  readonly oneTells?: true;
  /** The last record of a transcript says that its session is over; others go on whenever somebody speaks again. */
  readonly endsItself?: true;
  /** The trace that a session is, where nothing but its trace names it: what others keep of it goes by that. */
  readonly traceOf?: (sessionId: string) => string | undefined;
  /** What the same files say became of the runs, for those who ask; no adapter reads it. */
  readonly labels?: () => Promise<Harness>;
  readonly adapter: () => Promise<Adapter>;
};

/** The beginning of a file: what detection may look at. */
export type Sample = {
  /** The first records that parse, at most 20. A file that is one JSON document gives that document. */
  readonly records: readonly unknown[];
  /** True when the file is one JSON document rather than lines. */
  readonly document: boolean;
  /** For the rare format that cannot be told otherwise; content decides, never the name alone. */
  readonly path: string;
};

/** What an adapter is told about the file it reads. */
export type FileInfo = { readonly path: string };

export type Emit = (event: Event, session?: string) => void;

/**
 * How files become events; a growing transcript goes on with the same state. (Methods, because only those let an adapter
 * with a state of its own stand in a list of all adapters.)
 */
export type Adapter<State = unknown> = {
  /**
   * Judged by content alone; a sample without records is nobody's. The more a format asks of a file, the earlier it
   * stands in the list.
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

  /** For documents: the elements to step through, in order; some lie in files beside it. Lines need none. */
  elements?(document: unknown, file: FileInfo): Iterable<unknown>;
  /** For files that are no text. */
  readonly binary?: BinaryDocuments;
  /** For databases that hold many sessions: each is read like a transcript of its own. */
  readonly store?: SessionStore;
  /** What is known of a transcript from the files that `Format.beside` names. */
  sidecar?(path: string): Sidecar;
  /** How many compactions the transcript itself has shown, where a sidecar counts them as well. */
  shownCompactions?(state: State): number;

  /** Identity of an entry for copies and branches: the same entry in two files is one. */
  entryKey?(record: unknown): string | undefined;
  /** Where a record holds many entries: by what files are known to hold parts of the same sessions. They are then read together. */
  entryKeys?(record: unknown): Iterable<string>;
  /** The key of an entry that a transcript may be told by, where that is not any entry: some are passed over unread. */
  originKey?(record: unknown): string | undefined;
  /**
   * Parent of an entry, in formats whose entries form a tree; branches that are left are counted apart. Undefined:
   * it follows on the entry before it; empty: it starts a new tree.
   */
  parentKey?(record: unknown): string | undefined;
  /** A record that takes back the entry with this key and all after it: they are a branch that was left. */
  rewindTo?(record: unknown): string | undefined;

  /** Its lines, or some of them, are no JSON: each comes as a record with the field `text`. */
  readonly readsText?: true;
  /** A record that can be passed over without parsing it, judged by its bytes alone. */
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
