import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AssayError } from '../../errors.ts';

const unpack = promisify(gunzip);

/** The body of a request, unpacked where it is packed, and never longer than `most` bytes in either form. */
export async function readBody(request: Request, most: number): Promise<Buffer> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > most) throw tooLong(most);
  const body = await collect(request, most);
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip')
    throw new AssayError('REQUEST_INVALID', 'a body may be packed with gzip, and with nothing else');
  return unpackedBody(body, most);
}

async function collect({ body }: Request, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > most) throw tooLong(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function unpackedBody(body: Buffer, most: number): Promise<Buffer> {
  try {
    return await unpack(body, { maxOutputLength: most });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLong(most);
    throw new AssayError('REQUEST_INVALID', 'the body is not what gzip makes', { cause });
  }
}

function tooLong(most: number): AssayError {
  return new AssayError('REQUEST_TOO_LARGE', `a body may have ${most} bytes here, also when it is unpacked`);
}
