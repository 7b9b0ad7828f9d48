/**
 * The members of a ZIP archive, each unpacked by itself and bounded: deflate, zstd (method 93, also in several frames)
 * or stored, and all together as bounded as any packed file. Only what the directory at its end lists is read; sizes that the archive states are not trusted.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { maxUnpackedBytes } from './unpack-limit.ts';

export type ZipMember = {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly offset: number;
};

const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const WIDE = 0xffffffff;
/** No log has more members, and no directory of one is larger. */
const MAX_MEMBERS = 200_000;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
const MAX_MEMBER_BYTES = 64 * 1024 * 1024;

export class ZipArchive {
  readonly #file: number;
  readonly #most: number;
  /** Where each member begins that was unpacked, and what it came to: one that is read again counts once. */
  readonly #unpacked = new Map<number, number>();
  #total = 0;
  readonly members: readonly ZipMember[];

  /** Throws when it is no archive, or one whose directory is damaged. */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
    try {
      const { size } = fstatSync(this.#file);
      this.#most = maxUnpackedBytes(size);
      this.members = directoryOf(this.#file, size);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Undefined when it is damaged, too large, or packed in another way. */
  text({ method, packed, offset }: ZipMember): string | undefined {
    const isNew = !this.#unpacked.has(offset);
    if (packed > MAX_MEMBER_BYTES || (isNew && this.#total >= this.#most)) return undefined;
    try {
      const head = bytesAt(this.#file, offset, LOCAL_BYTES);
      if (head.readUInt32LE(0) !== 0x04034b50) return undefined;
      const start = offset + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
      const bytes = unpack(bytesAt(this.#file, start, packed), method);
      if (isNew) this.#count(offset, bytes?.length ?? 0);
      return bytes?.toString('utf8');
    } catch (error) {
      // One that grows beyond the bound was unpacked as far as that.
      if (isNew) this.#count(offset, error instanceof RangeError ? MAX_MEMBER_BYTES : 0);
      return undefined;
    }
  }

  #count(offset: number, bytes: number): void {
    this.#unpacked.set(offset, bytes);
    this.#total += bytes;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function directoryOf(file: number, size: number): ZipMember[] {
  const tailBytes = Math.min(size, END_BYTES + MAX_COMMENT);
  const tail = bytesAt(file, size - tailBytes, tailBytes);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== 0x06054b50) end -= 1;
  if (end < 0) throw new Error('no directory');
  const found = wideEnd(file, tail, end) ?? {
    count: tail.readUInt16LE(end + 10),
    bytes: tail.readUInt32LE(end + 12),
    at: tail.readUInt32LE(end + 16),
  };
  const { count, bytes, at } = found;
  if (count > MAX_MEMBERS || bytes > MAX_DIRECTORY_BYTES || at + bytes > size)
    throw new Error('bad directory');
  const members = entriesOf(bytesAt(file, at, bytes), count);
  // Members that lie over each other: one kernel, unpacked as often as it is listed.
  if (members.reduce((sum, { packed }) => sum + packed, 0) > size) throw new Error('bad directory');
  return members;
}

/** Archives of more than 4 GB or 65,535 members have their numbers in a record of its own. */
function wideEnd(
  file: number,
  tail: Buffer,
  end: number,
): { count: number; bytes: number; at: number } | undefined {
  const locator = end - 20;
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50) return undefined;
  const record = bytesAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
  if (record.readUInt32LE(0) !== 0x06064b50) return undefined;
  return {
    count: Number(record.readBigUInt64LE(32)),
    bytes: Number(record.readBigUInt64LE(40)),
    at: Number(record.readBigUInt64LE(48)),
  };
}

function entriesOf(directory: Buffer, count: number): ZipMember[] {
  const members: ZipMember[] = [];
  let at = 0;
  for (let i = 0; i < count && at + ENTRY_BYTES <= directory.length; i++) {
    if (directory.readUInt32LE(at) !== 0x02014b50) break;
    const [names, extras, comments] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const name = directory.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + names);
    const extra = directory.subarray(at + ENTRY_BYTES + names, at + ENTRY_BYTES + names + extras);
    const unpacked = directory.readUInt32LE(at + 24);
    const [packed, offset] = wideNumbers(
      extra,
      unpacked,
      directory.readUInt32LE(at + 20),
      directory.readUInt32LE(at + 42),
    );
    members.push({ name, method: directory.readUInt16LE(at + 10), packed, offset });
    at += ENTRY_BYTES + names + extras + comments;
  }
  return members;
}

/** Those of the three that do not fit into 32 bits stand in an extra field, in this order. */
function wideNumbers(extra: Buffer, unpacked: number, packed: number, offset: number): [number, number] {
  let at = 0;
  while (at + 4 <= extra.length) {
    const [id, bytes] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)];
    if (id === 1) {
      const wide = extra.subarray(at + 4, at + 4 + bytes);
      let place = 0;
      const next = (value: number): number => {
        if (value !== WIDE || place + 8 > wide.length) return value;
        place += 8;
        return Number(wide.readBigUInt64LE(place - 8));
      };
      next(unpacked);
      return [next(packed), next(offset)];
    }
    at += 4 + bytes;
  }
  return [packed, offset];
}

function unpack(bytes: Buffer, method: number): Buffer | undefined {
  if (method === 0) return bytes;
  if (method === 8) return inflateRawSync(bytes, { maxOutputLength: MAX_MEMBER_BYTES });
  return method === 93 ? unpackFrames(bytes) : undefined;
}

/** Node unpacks one frame and leaves the rest. */
function unpackFrames(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let [at, size] = [0, 0];
  while (at < bytes.length) {
    const { buffer, engine } = zstdDecompressSync(bytes.subarray(at), {
      maxOutputLength: MAX_MEMBER_BYTES,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    size += buffer.length;
    if (engine.bytesWritten === 0 || size > MAX_MEMBER_BYTES) throw new RangeError('too large');
    parts.push(buffer);
    at += engine.bytesWritten;
  }
  return Buffer.concat(parts);
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const more = readSync(file, buffer, read, length - read, at + read);
    if (more === 0) throw new Error('cut off');
    read += more;
  }
  return buffer;
}
