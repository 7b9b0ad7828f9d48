import { type PrintedRow, SESSION_COLUMNS } from '../session/columns.ts';

/** A row of `sessions score`; `null` is unmeasured. Without zod: a list of them begins to print at once. */
export type SessionRowWire = { readonly [Key in keyof PrintedRow]: string | number | boolean | null } & {
  readonly version: 1;
};

export function encodeSessionRow(row: PrintedRow): SessionRowWire {
  const wire: Partial<Record<string, string | number | boolean | null>> = {};
  for (const { key } of SESSION_COLUMNS) wire[key] = row[key] ?? null;
  for (const key in row) if (key.startsWith('signal_')) wire[key] = row[key as keyof PrintedRow] ?? null;
  return { ...wire, version: 1 } as SessionRowWire;
}
