/**
 * A file, compressed or not, or standard input → chunks of bytes. A chunk is valid until the next one is asked for.
 * Never more than the size at opening is read, so that a file that grows meanwhile does not keep us.
 */
import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { fileError } from '../../files.ts';

export const STANDARD_INPUT = '-';

/** What the first bytes say a file is. */
export type Packing = 'plain' | 'gzip' | 'zstd' | 'sqlite';

export type Input = {
  readonly path: string;
  readonly packing: Packing;
  /** Bytes on disk when it was opened; undefined for a pipe, which can be read only once. */
  readonly size: number | undefined;
  readonly chunks: (from?: number) => AsyncGenerator<Buffer, void, void>;
};

const CHUNK_BYTES = 128 * 1024;
const SQLITE_MAGIC = 'SQLite format 3\0';

export function openInput(path: string): Input {
  if (path === STANDARD_INPUT) {
    return { path, packing: 'plain', size: undefined, chunks: () => pipeChunks(path, process.stdin) };
  }
  if (isPipe(path)) {
    return {
      path,
      packing: 'plain',
      size: undefined,
      chunks: () => pipeChunks(path, createReadStream(path)),
    };
  }
  const { packing, size } = look(path);
  const chunks = (from = 0) => {
    if (packing === 'gzip' || packing === 'zstd') return unpack(path, packing, size);
    return fileChunks(path, from, size);
  };
  return { path, packing, size, chunks };
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
  return head.toString('latin1') === SQLITE_MAGIC ? 'sqlite' : 'plain';
}

/** Without waiting on a pipe or device somebody named by mistake. */
export function withFile<T>(path: string, use: (file: number) => T): T {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) throw Object.assign(new Error('it is not a file'), { code: 'EISDIR' });
    return use(file);
  } catch (cause) {
    throw fileError(path, cause);
  } finally {
    if (file !== undefined) closeSync(file);
  }
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

async function* unpack(
  path: string,
  packing: 'gzip' | 'zstd',
  size: number,
): AsyncGenerator<Buffer, void, void> {
  if (size === 0) return;
  yield* decompressed(createReadStream(path, { end: size - 1 }), packing);
}

async function* decompressed(packed: Readable, packing: 'gzip' | 'zstd'): AsyncGenerator<Buffer, void, void> {
  const unpacker =
    packing === 'gzip'
      ? createGunzip({ chunkSize: CHUNK_BYTES / 4 })
      : createZstdDecompress({ chunkSize: CHUNK_BYTES / 4 });
  packed.on('error', (error) => unpacker.destroy(error));
  try {
    for await (const chunk of packed.pipe(unpacker)) yield chunk as Buffer;
  } catch (cause) {
    throw new PackingError(`it cannot be unpacked: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  } finally {
    packed.destroy();
    unpacker.destroy();
  }
}

/** A pipe may be compressed as well; its first chunk tells. */
async function* pipeChunks(path: string, stream: Readable): AsyncGenerator<Buffer, void, void> {
  try {
    const rest: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
    const first = await rest.next();
    if (first.done) return;
    const all = continued(first.value, rest);
    const packing = packingOf(first.value.subarray(0, 16));
    yield* packing === 'gzip' || packing === 'zstd' ? decompressed(Readable.from(all), packing) : all;
  } catch (cause) {
    if (cause instanceof PackingError) throw cause;
    throw fileError(path, cause);
  }
}

async function* continued(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, void> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
