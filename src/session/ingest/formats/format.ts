/**
 * What a format is: how to recognise it by content, and how one record becomes events. Adapter state is plain JSON,
 * so that a growing transcript resumes where it was left.
 */
import type { Event } from '../../event.ts';

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

export type Format<State> = {
  /** The `source` of its sessions, e.g. `claude-code`. */
  readonly name: string;
  readonly title: string;
  readonly detect: (sample: Sample) => boolean;
  readonly start: (file: FileInfo) => State;
  /**
   * One record (a parsed line, or one element of a document) → events through `emit`. Events of a file with several
   * sessions name theirs. Returns the type of a record it does not know, so that it can be counted. Never throws on
   * odd input: every field is checked before it is used.
   */
  readonly step: (state: State, record: unknown, line: number, emit: Emit) => string | undefined;
  /** Called once at the end of what there is; may emit what only the end shows. Must not change `state`. */
  readonly finish?: (state: State, line: number, emit: Emit) => void;
  /** For documents: the elements to step through, in order. Lines need none. */
  readonly elements?: (document: unknown) => Iterable<unknown>;
  /** Identity of an entry for copies and branches: the same entry in two files is one. */
  readonly entryKey?: (record: unknown) => string | undefined;
  /**
   * Parent of an entry, in formats whose entries form a tree; branches that are left are counted apart. Undefined:
   * it follows on the entry before it; empty: it starts a new tree.
   */
  readonly parentKey?: (record: unknown) => string | undefined;
  /** A record that takes back the entry with this key and all after it: they are a branch that was left. */
  readonly rewindTo?: (record: unknown) => string | undefined;
  /** A record that can be passed over without parsing it, judged by its bytes alone. */
  readonly skipBytes?: (line: Buffer) => boolean;
  /**
   * The same record in fewer bytes, without what this format never looks at (large copies of tool results); undefined
   * when there is nothing to gain. The bytes are read before the next line comes. If they do not parse, the line does.
   */
  readonly trimBytes?: (line: Buffer) => Buffer | undefined;
};
