/**
 * The state of transcript files, so that unchanged ones are not read again. Only a store of one machine has it: a path
 * means nothing elsewhere.
 */
import type { Json } from './store.ts';

export type Transcript = {
  readonly path: string;
  /** Changes whenever the file, its companion files or the code that reads it changes. */
  readonly stamp: string;
  /** The state of its lines. */
  readonly reading: Json;
  /** Its sessions as far as syncing needs them. */
  readonly sessions: Json;
  /** Identities of its entries, each once. */
  readonly keys: Float64Array;
  /** Another file has some of its entries. */
  readonly isShared: boolean;
  /** False: a sync read it but did not finish. */
  readonly isSettled: boolean;
};

export type TranscriptChanges = {
  readonly transcripts?: readonly Transcript[];
  /** Keys of sessions that count elsewhere by now, or have another key. */
  readonly gone?: readonly string[];
  /** Everything is done for these, unless another process read them meanwhile. */
  readonly settled?: readonly Pick<Transcript, 'path' | 'stamp' | 'sessions' | 'isShared'>[];
  readonly notes?: ReadonlyMap<string, string>;
};

export interface TranscriptIndex {
  /** All of them, without what takes room. */
  list(): Promise<readonly Omit<Transcript, 'keys' | 'reading'>[]>;
  keys(): Promise<ReadonlyMap<string, Float64Array>>;
  readings(): Promise<ReadonlyMap<string, Json>>;
  /** What was noted by name. */
  notes(): Promise<ReadonlyMap<string, string>>;
  /** In one transaction. */
  write(changes: TranscriptChanges): Promise<void>;
}
