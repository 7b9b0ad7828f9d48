import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AssayError } from '../../errors.ts';

const unpack = promisify(gunzip);

/** All bodies that are being read may have so many bytes together; so many are unpacked at a time. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
const UNPACKED_TOGETHER = 4;

/** The body of a request, unpacked where it is packed, and never longer than `most` bytes in either form. */
export async function readBody(request: Request, most: number): Promise<Buffer> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > most) throw tooLong(most);
  const body = await collect(request, most);
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') throw new AssayError('REQUEST_INVALID', 'a body may only be compressed with gzip');
  return inTurn(() => unpackedBody(body, most));
}

type Collected = { readonly chunks: Uint8Array[]; length: number; isRefused: boolean };

/** Bodies that are still being received. */
const waiting = new Set<Collected>();
let waitingBytes = 0;

async function collect({ body }: Request, most: number): Promise<Buffer> {
  const own: Collected = { chunks: [], length: 0, isRefused: false };
  waiting.add(own);
  try {
    for await (const chunk of body ?? []) {
      own.chunks.push(chunk);
      own.length += chunk.byteLength;
      waitingBytes += chunk.byteLength;
      if (own.length > most) throw tooLong(most);
      if (waitingBytes > MOST_WAITING_BYTES) refuseLongest();
      if (own.isRefused) throw tooManyBodies();
    }
    if (own.isRefused) throw tooManyBodies();
    return Buffer.concat(own.chunks);
  } catch (cause) {
    if (cause instanceof AssayError) throw cause;
    throw new AssayError('REQUEST_INVALID', 'the body is incomplete', { cause });
  } finally {
    waiting.delete(own);
    waitingBytes -= own.length;
  }
}

/** Refuses the longest body first, so that large bodies do not lock out small ones. */
function refuseLongest(): void {
  let longest: Collected | undefined;
  for (const one of waiting) if (longest === undefined || one.length > longest.length) longest = one;
  if (longest === undefined) return;
  longest.isRefused = true;
  longest.chunks.length = 0;
  waitingBytes -= longest.length;
  longest.length = 0;
}

let unpacking = 0;
const next: (() => void)[] = [];

/** Limits concurrent decompression, because a small body can expand. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (unpacking >= UNPACKED_TOGETHER) await new Promise<void>((resolve) => next.push(resolve));
  unpacking += 1;
  try {
    return await work();
  } finally {
    unpacking -= 1;
    next.shift()?.();
  }
}

async function unpackedBody(body: Buffer, most: number): Promise<Buffer> {
  try {
    return await unpack(body, { maxOutputLength: most });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLong(most);
    throw new AssayError('REQUEST_INVALID', 'the body is not valid gzip', { cause });
  }
}

function tooLong(most: number): AssayError {
  return new AssayError(
    'REQUEST_TOO_LARGE',
    `a body may have at most ${most} bytes here, also after decompression`,
  );
}

function tooManyBodies(): AssayError {
  return new AssayError('TOO_MANY_REQUESTS', 'too many large bodies are being sent right now');
}
