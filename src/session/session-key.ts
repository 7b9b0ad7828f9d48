/**
 * The identity of a session. An id alone is not unique: two projects have a `run.json` each, and a transcript may claim
 * any id. So the key is a hash of the source, the place and the id.
 *
 *  The place is the first entry of the transcript, for formats whose entry ids survive copying: agents archive, rename
 * and back up their transcripts, and a duplicate is the same session. Otherwise it is the path of the file.
 */
import { createHash, hash } from 'node:crypto';
import type { FileReading, SessionFacts } from './evidence.ts';

/** 96 bits: among a billion sessions, the chance of a collision is 1 in 10^11. */
const BYTES = 12;

export function keyOfSession(
  { source, origin, sessionId }: Pick<SessionFacts, 'source' | 'origin' | 'sessionId'>,
  { path, place }: Pick<FileReading, 'path' | 'place'>,
): string {
  return sessionKey(source, origin ?? place ?? path, sessionId);
}

function sessionKey(source: string, place: string, sessionId: string): string {
  const parts = JSON.stringify([source, place, sessionId]);
  // Not a slice of the whole hash: keys stay in memory, and a slice would retain the whole string.
  return hash('sha256', parts, 'buffer').toString('hex', 0, BYTES);
}

/** Eight digits that distinguish two versions of data with one name: the same content has the same digits. */
export function shortHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8);
}
