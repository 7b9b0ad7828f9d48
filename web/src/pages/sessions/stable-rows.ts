/** Rows that must not move: new ones wait while the pointer or the focus is in the table. */
export type StableRows<Row> = { readonly shown: readonly Row[]; readonly waiting: number };

/**
 * The rows to show of `next` when `before` is on the screen. A busy table keeps its rows in place: existing ones get
 * new values, none is added or removed.
 */
export function stableRows<Row>(
  before: readonly Row[],
  next: readonly Row[],
  keyOf: (row: Row) => string,
  busy: boolean,
): StableRows<Row> {
  if (!busy || before.length === 0) return { shown: next, waiting: 0 };
  const fresh = new Map(next.map((row) => [keyOf(row), row]));
  const known = new Set(before.map(keyOf));
  return {
    shown: before.map((row) => fresh.get(keyOf(row)) ?? row),
    waiting: next.filter((row) => !known.has(keyOf(row))).length,
  };
}
