/**
 * A file of a session as all servers were sent it, put together from its parts: the same parts give the same file, in whatever
 * order they come. What follows on what is there is appended; anything else makes a new file in the place of the old one.
 */
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FilePiece, inOrder, withoutGaps } from './line-order.ts';

export type SentPart = FilePiece & { readonly bytes: Buffer };

type Known = FilePiece & { readonly length: number };

/** What of a part is in the file: without the bytes that one before it has, too. */
type Segment = { readonly part: Known; readonly skip: number; readonly start: number };

export class ReplicaFile {
  readonly path: string;
  readonly #scratch: string;
  readonly #parts = new Map<string, Known>();
  /** Bytes of parts that are not in the file yet: something before them is waited for. */
  readonly #waiting = new Map<Known, Buffer>();
  #segments: readonly Segment[] = [];
  #receivedAt = 0;

  /** What is being written lies at `scratch` until it is whole. */
  constructor(path: string, scratch: string) {
    this.path = path;
    this.#scratch = scratch;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  get length(): number {
    return endOf(this.#segments.at(-1));
  }

  /** When the latest of its parts was received, by the clock of the store. */
  get receivedAt(): number {
    return this.#receivedAt;
  }

  /** Bytes from the beginning on without a gap, by the places that were given; all bytes where none were. */
  get unbroken(): number {
    const placed = this.#segments.filter(({ part }) => part.offset !== undefined);
    if (placed.length === 0) return this.length;
    let end = 0;
    for (const { part, skip } of placed) {
      if ((part.offset ?? 0) + skip > end) break;
      end = (part.offset ?? 0) + part.length;
    }
    return end;
  }

  hasKey(key: string): boolean {
    return this.#parts.has(key);
  }

  has({ key, hash }: Pick<FilePiece, 'key' | 'hash'>): boolean {
    const known = this.#parts.get(key);
    return known !== undefined && known.hash <= hash;
  }

  /** Whether the file is another one now. `now`: by the clock of the store. */
  async add(sent: readonly SentPart[], now: number): Promise<boolean> {
    for (const { bytes, ...part } of sent) {
      const known = this.#parts.get(part.key);
      this.#receivedAt = Math.max(this.#receivedAt, part.receivedAt);
      if (known !== undefined && known.hash <= part.hash) continue;
      if (known !== undefined) this.#waiting.delete(known);
      const added = { ...part, length: bytes.length };
      this.#parts.set(part.key, added);
      this.#waiting.set(added, bytes);
    }
    const parts = withoutGaps([...this.#parts.values()], now);
    const segments = segmentsOf(parts);
    const isSame = (one: Segment, index: number) =>
      one.part === segments[index]?.part && one.skip === segments[index].skip;
    const goesOn = this.#segments.every(isSame);
    if (goesOn && segments.length === this.#segments.length) return false;
    if (goesOn && segments.length > 0 && this.#segments.length > 0) await this.#append(segments);
    else await this.#replace(segments);
    this.#segments = segments;
    for (const part of parts) this.#waiting.delete(part);
    return true;
  }

  /** How many of these bytes are not in the file yet; undefined where other bytes are there. */
  async missing(bytes: Buffer, offset: number): Promise<number | undefined> {
    let known = 0;
    const file = this.#segments.length === 0 ? undefined : await open(this.path, 'r');
    try {
      for (const { part, skip, start } of this.#segments) {
        if (part.offset === undefined) continue;
        const from = Math.max(offset, part.offset + skip);
        const to = Math.min(offset + bytes.length, part.offset + part.length);
        if (to <= from) continue;
        const there = await readAt(file, start + from - part.offset - skip, to - from);
        if (!there.equals(bytes.subarray(from - offset, to - offset))) return undefined;
        known += to - from;
      }
    } finally {
      await file?.close();
    }
    for (const [part, there] of this.#waiting) {
      if (part.offset === undefined) continue;
      const [from, to] = [
        Math.max(offset, part.offset),
        Math.min(offset + bytes.length, part.offset + part.length),
      ];
      if (to <= from) continue;
      const own = bytes.subarray(from - offset, to - offset);
      if (!there.subarray(from - part.offset, to - part.offset).equals(own)) return undefined;
      known += to - from;
    }
    return Math.max(0, bytes.length - known);
  }

  async #append(segments: readonly Segment[]): Promise<void> {
    const more = segments.slice(this.#segments.length).map((one) => this.#waitingBytes(one));
    const file = await open(this.path, 'a');
    try {
      // At once: a reader sees whole lines only.
      await file.write(Buffer.concat(more));
    } finally {
      await file.close();
    }
  }

  async #replace(segments: readonly Segment[]): Promise<void> {
    const before = new Map(this.#segments.map((one) => [one.part, one]));
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const old = this.#segments.length === 0 ? undefined : await open(this.path, 'r');
    const file = await open(this.#scratch, 'w', 0o600);
    try {
      for (const one of segments) {
        const known = before.get(one.part);
        const bytes =
          known === undefined
            ? this.#waitingBytes(one)
            : await readAt(old, known.start + one.skip - known.skip, one.part.length - one.skip);
        await file.write(bytes);
      }
    } finally {
      await old?.close();
      await file.close();
    }
    await rename(this.#scratch, this.path);
  }

  #waitingBytes({ part, skip }: Segment): Buffer {
    return this.#waiting.get(part)?.subarray(skip) ?? Buffer.alloc(0);
  }
}

/** What comes later only ever takes more from the beginning of a part: the bytes that are left are in the file. */
function segmentsOf(parts: readonly Known[]): Segment[] {
  const segments: Segment[] = [];
  let covered = 0;
  for (const part of inOrder(parts)) {
    const skip = part.offset === undefined ? 0 : Math.max(0, covered - part.offset);
    if (skip >= part.length) continue;
    segments.push({ part, skip, start: endOf(segments.at(-1)) });
    if (part.offset !== undefined) covered = part.offset + part.length;
  }
  return segments;
}

function endOf(segment: Segment | undefined): number {
  return segment === undefined ? 0 : segment.start + segment.part.length - segment.skip;
}

async function readAt(file: FileHandle | undefined, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = (await file?.read(bytes, done, length - done, start + done)) ?? { bytesRead: 0 };
    if (bytesRead === 0) throw new Error('a file was changed by somebody else');
    done += bytesRead;
  }
  return bytes;
}
