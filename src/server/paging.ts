/** Pages of records that are listed by time, newest first. */
import { z } from 'zod';
import { AssayError } from '../errors.ts';

export const cursorQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(2000).optional().describe('`next` of the page before'),
});

type Position = { readonly at: string; readonly key: string };

const position = z.strictObject({ at: z.iso.datetime(), key: z.string() });

/** Reads one record more than a page, to know whether there is a next page. */
export function pageAfter({ limit, cursor }: z.output<typeof cursorQuery>): {
  readonly limit: number;
  readonly after?: Position;
} {
  return { limit: limit + 1, ...(cursor !== undefined && { after: decodeCursor(cursor, position) }) };
}

export function pageOfRecords<Record>(
  found: readonly Record[],
  limit: number,
  positionOf: (record: Record) => Position,
): { readonly items: readonly Record[]; readonly next: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null };
}

/** Where a page ended, as an opaque word of an address. It holds what the last record was put in order by, and nothing else. */
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
    throw new AssayError('REQUEST_INVALID', 'the cursor does not come from this address', { cause });
  }
}
