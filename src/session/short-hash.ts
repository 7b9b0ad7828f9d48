import { createHash } from 'node:crypto';

/** Eight digits that tell two sets of figures of one name apart: the same content, the same digits. */
export function shortHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8);
}
