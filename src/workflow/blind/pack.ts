/**
 * Content that must not be read in passing: packed, so that neither a look into the folder nor a search shows it.
 * This is a curtain, not a lock: who wants to unpack it can. What it guards against is seeing it without meaning to.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { AssayError } from '../../errors.ts';

/** A small file that unpacks to more than this was not written by Assay. */
const MAX_BYTES = 256 * 1024 * 1024;

export function pack(content: unknown): string {
  return gzipSync(JSON.stringify(content)).toString('base64');
}

export function unpack(text: string, where: string): unknown {
  try {
    return JSON.parse(gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: MAX_BYTES }).toString());
  } catch (cause) {
    throw new AssayError('BLIND_TAMPERED', `${where} cannot be unpacked: it is not as it was written`, {
      cause,
    });
  }
}
