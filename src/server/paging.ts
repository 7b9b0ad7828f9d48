/** Pages of records that are listed by time, newest first. */
import { z } from 'zod';
import { decodeCursor, encodeCursor } from './cursor.ts';

export const cursorQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(2000).optional().describe('`next` of the page before'),
});

type Position = { readonly at: string; readonly key: string };

const position = z.strictObject({ at: z.iso.datetime(), key: z.string() });

/** One record more than is shown: whether there is a next page is known without asking again. */
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
