/** Where a page ended, as an opaque word of an address. It holds what the last record was put in order by, and nothing else. */
import type { z } from 'zod';
import { AssayError } from '../errors.ts';

export function encodeCursor(position: object): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

export function decodeCursor<Position extends z.ZodType>(
  cursor: string,
  position: Position,
): z.output<Position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    throw new AssayError('REQUEST_INVALID', 'the cursor is not one that this address gave', { cause });
  }
}
