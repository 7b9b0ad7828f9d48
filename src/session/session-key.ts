/**
 * Which session a session is. An id alone does not tell: two projects have a `run.json` each, and a transcript may
 * claim whatever it likes. So the key is made of the source, the place and the id.
 *
 * The place is the first entry of the transcript where the format gives entries ids that copies keep, because agents
 * archive, rename and back up their transcripts, and a copy is the same session; otherwise it is where the file is.
 */
import { createHash, hash } from 'node:crypto';
import type { FileReading, SessionFacts } from './evidence.ts';

/** 96 bits: a billion sessions share a key with a chance of 1 in 10^11. */
const BYTES = 12;

export function keyOfSession(
  { source, origin, sessionId }: Pick<SessionFacts, 'source' | 'origin' | 'sessionId'>,
  { path, place }: Pick<FileReading, 'path' | 'place'>,
): string {
  return sessionKey(source, origin ?? place ?? path, sessionId);
}

function sessionKey(source: string, place: string, sessionId: string): string {
  const parts = JSON.stringify([source, place, sessionId]);
  // Not a part of the whole hash: keys are kept, and would keep it with them.
  return hash('sha256', parts, 'buffer').toString('hex', 0, BYTES);
}

/** Eight digits that tell two sets of figures of one name apart: the same content, the same digits. */
export function shortHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8);
}
