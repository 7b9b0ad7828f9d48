/**
 * What agents sent, where several servers write to one store: each of them reads what all of them were sent. It is sealed
 * before it comes here, so that the store holds nothing that was said. Times are those of the store's clock: the servers have
 * clocks of their own.
 */

export type SentRecord = {
  /** The file that it is a part of. */
  readonly file: string;
  /** The same thing sent again has the same key. */
  readonly key: string;
  /** Of what it says. Of two contents under one key the smaller hash counts, for every reader. */
  readonly hash: string;
  /** Bytes of the file that come before it, where whoever sent it said so. */
  readonly offset?: number;
  /** Bytes of what it says; none: it says that the session is over. */
  readonly length: number;
  readonly sealed: string;
};

/** That something was sent. */
export type SentNote = Pick<SentRecord, 'file' | 'key' | 'hash' | 'length'> & {
  /** Milliseconds since 1970: when the store got it. */
  readonly receivedAt: number;
};

export type SentNews = {
  /** What time it is for the store, in milliseconds since 1970. */
  readonly now: number;
  readonly notes: readonly SentNote[];
};

export interface SentLog {
  /** Resolves when all of it survives a crash. */
  append(records: readonly SentRecord[]): Promise<void>;
  /** What came at or after a time; everything without one. What was sent twice may be told twice. */
  news(since?: number): Promise<SentNews>;
  /** What there is of these files. */
  notesOf(files: readonly string[]): Promise<readonly SentNote[]>;
  read(notes: readonly SentNote[]): Promise<readonly (SentRecord & SentNote)[]>;
  /** Deletes the files to which nothing was added for so many days. */
  prune(days: number): Promise<void>;
}
