import { z } from 'zod';
import { SESSION_COLUMNS, type SessionColumn } from '../../session/columns.ts';
import { SIGNAL_COLUMNS } from '../../session/signal-columns.ts';

const VALUES = { number: z.number(), time: z.iso.datetime(), text: z.string(), flag: z.boolean() } as const;

/** A row of `sessions score`: one session. Derived from the columns; `null` is unmeasured. */
export const sessionRow = z.strictObject({
  ...Object.fromEntries(SESSION_COLUMNS.map((column: SessionColumn) => [column.key, cellSchema(column)])),
  ...Object.fromEntries(
    SIGNAL_COLUMNS.map(({ key, doc }) => [key, z.number().nullable().optional().describe(doc)]),
  ),
  version: z.literal(1).describe('Of the row; columns that are added do not change it'),
});

function cellSchema({ type, required, words, doc }: SessionColumn): z.ZodType {
  const value = VALUES[type];
  const withWords = words === undefined ? value : z.union([value, z.enum(words)]);
  return (required === true ? withWords : withWords.nullable()).describe(doc);
}
