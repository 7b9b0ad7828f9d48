/**
 * The intake table: what agents and programs sent, until it is pruned. A stream is what one session or conversation was sent, in
 * parts of whole lines. A part is one row, so that its key and its content are stored together or not at all.
 */

/** Streams of two projects never meet, also when they have the same name. */
export type StreamName = { readonly project?: string | undefined; readonly stream: string };

export type IntakePart = StreamName & {
  /** The same key again in one stream adds nothing. */
  readonly key: string;
  /** Parts of a stream are read by position, those of the same position by key. */
  readonly position: number;
  /** Whole lines. Empty: the sender says that the session is over. */
  readonly content: Buffer;
};

/**
 * The prefix of a key that states the place of a part in its stream. Several servers may place different lines there at
 * once: the first wins, and every server sees it as soon as its own append resolves.
 */
export const PLACED = 'at ';

export type PartPlace = Pick<IntakePart, 'key' | 'position'>;
export type StreamPart = PartPlace & { readonly length: number };

export type StreamState = StreamName & {
  /** How many parts it has. */
  readonly parts: number;
  /** Milliseconds since 1970, by the clock of the store: when the latest part came. */
  readonly receivedAt: number;
  /** The last time its session was reported as over. */
  readonly endedAt?: number;
};

export interface Intake {
  /** Several servers write to the same table. */
  readonly isShared: boolean;
  /** Resolves when all of it survives a crash; rejects when none of it was stored. */
  append(parts: readonly IntakePart[]): Promise<void>;
  /** Streams that got something in the last so many milliseconds, or all of them. `now`: by the clock of the store. */
  streams(withinMs?: number): Promise<{ readonly now: number; readonly streams: readonly StreamState[] }>;
  /** In the order in which they are read; only those after a place. */
  parts(name: StreamName, after?: PartPlace): Promise<readonly StreamPart[]>;
  contents(name: StreamName, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Where the part ends that reaches furthest. */
  reach(name: StreamName): Promise<number>;
  has(name: StreamName, key: string): Promise<boolean>;
  /** Bytes of all contents. */
  bytes(): Promise<number>;
}
