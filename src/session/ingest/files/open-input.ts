/**
 * A file, compressed or not, or standard input → chunks of bytes. A chunk is valid until the next one is read. Reads at
 * most the size at opening, so that a growing file does not go on for ever.
 */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { maxUnpackedBytes } from '../../../archives/unpack-limit.ts';
import { AssayError } from '../../../errors.ts';
import { fileError } from '../../../files.ts';

export const STANDARD_INPUT = '-';

/** Opens input that is not a file; undefined for a file. */
export type OpenInput = (path: string) => Input | undefined | Promise<Input | undefined>;

/** The compression or encoding, by the first bytes. */
type Packing = 'plain' | 'utf-16le' | 'utf-16be' | 'gzip' | 'zstd' | 'sqlite' | 'zip';

export type Input = {
  readonly path: string;
  readonly packing: Packing;
  /** Bytes there were when it was opened. */
  readonly size: number;
  readonly chunks: (from?: number) => AsyncGenerator<Buffer, void, void>;
};

const CHUNK_BYTES = 128 * 1024;
const MAX_STREAM_BYTES = 512 * 1024 * 1024;
const NOTHING: Buffer[] = [];
const SQLITE_MAGIC = 'SQLite format 3\0';

export async function openInput(path: string): Promise<Input> {
  if (path === STANDARD_INPUT) return openStream(path, process.stdin);
  if (isPipe(path)) return openStream(path, createReadStream(path));
  const { packing, size } = look(path);
  const chunks = (from = 0) => {
    if (packing === 'gzip' || packing === 'zstd')
      return inUtf8(size === 0 ? NOTHING : decompressed(createReadStream(path, { end: size - 1 }), packing));
    const bytes = fileChunks(path, from, size);
    return packing === 'plain' ? bytes : inUtf8(bytes);
  };
  return { path, packing, size, chunks };
}

/** A pipe can be read only once, so it is buffered in memory. */
async function openStream(path: string, stream: Readable): Promise<Input> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      parts.push(chunk);
      size += chunk.length;
      if (size > MAX_STREAM_BYTES)
        throw new AssayError('FILE_TOO_LARGE', `${path} has over 512 MB: write them to a file and name that`);
    }
  } catch (cause) {
    throw fileError(path, cause);
  }
  const whole = Buffer.concat(parts);
  const found = packingOf(whole.subarray(0, 16));
  const packing = found === 'sqlite' || found === 'zip' ? 'plain' : found;
  const chunks = (from = 0) =>
    inUtf8(
      packing === 'gzip' || packing === 'zstd'
        ? decompressed(Readable.from([whole]), packing)
        : piecesOf(whole, from),
    );
  return { path, packing, size, chunks };
}

async function* piecesOf(bytes: Buffer, from: number): AsyncGenerator<Buffer, void, void> {
  for (let at = from; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** As a shell makes one for `<(command)`. It must not be opened twice. */
function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false;
  }
}

function look(path: string): { packing: Packing; size: number } {
  return withFile(path, (file) => {
    const { size } = fstatSync(file);
    const head = Buffer.alloc(16);
    const length = readSync(file, head, 0, 16, 0);
    return { packing: packingOf(head.subarray(0, length)), size };
  });
}

function packingOf(head: Buffer): Packing {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528) return 'zstd';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.length >= 4 && head.readUInt32LE(0) === 0x04034b50) return 'zip';
  return head.toString('latin1') === SQLITE_MAGIC ? 'sqlite' : 'plain';
}

/** Without waiting on a pipe or device that was named by mistake. */
export function withFile<T>(path: string, use: (file: number) => T): T {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new AssayError('FILE_EXPECTED', `${path} is ${kindOf(stats)}, not a file`);
    return use(file);
  } catch (cause) {
    throw fileError(path, cause);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** One buffer serves all files of a thread, as long as they are read one after the other. */
let idleBuffer: Buffer | undefined;

async function* fileChunks(path: string, from: number, size: number): AsyncGenerator<Buffer, void, void> {
  const buffer = idleBuffer ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  idleBuffer = undefined;
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    for (let at = from; at < size; ) {
      const length = readSync(file, buffer, 0, Math.min(buffer.length, size - at), at);
      if (length === 0) break;
      yield length === buffer.length ? buffer : buffer.subarray(0, length);
      at += length;
    }
  } catch (cause) {
    throw fileError(path, cause);
  } finally {
    if (file !== undefined) closeSync(file);
    idleBuffer = buffer;
  }
}

/** Thrown when a compressed file ends too early or is damaged: what came before it has been handed on. */
export class PackingError extends Error {}

async function* decompressed(packed: Readable, packing: 'gzip' | 'zstd'): AsyncGenerator<Buffer, void, void> {
  const unpacker =
    packing === 'gzip'
      ? createGunzip({ chunkSize: CHUNK_BYTES / 4 })
      : createZstdDecompress({ chunkSize: CHUNK_BYTES / 4 });
  packed.on('error', (error) => unpacker.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of packed.pipe(unpacker)) {
      bytes += (chunk as Buffer).length;
      // `bytesWritten` is the number of compressed bytes so far.
      if (bytes > maxUnpackedBytes(unpacker.bytesWritten)) throw new Error(`it grows beyond ${bytes} bytes`);
      yield chunk as Buffer;
    }
  } catch (cause) {
    throw new PackingError(`it cannot be unpacked: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  } finally {
    packed.destroy();
    unpacker.destroy();
  }
}

/**
 * UTF-16, which Windows programs call Unicode, detected by its byte order mark. Other encodings are passed on
 * unchanged.
 */
async function* inUtf8(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) decoder = decoderFor(packingOf(chunk.subarray(0, 16)));
    isFirst = false;
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield Buffer.from(rest);
}

function decoderFor(packing: Packing): TextDecoder | undefined {
  return packing === 'utf-16le' || packing === 'utf-16be' ? new TextDecoder(packing) : undefined;
}
