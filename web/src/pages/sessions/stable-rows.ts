/** Rows that must not move: what is new waits while the reader points at the table or has the focus in it. */
export type StableRows<Row> = { readonly shown: readonly Row[]; readonly waiting: number };

/**
 * What to show of `next` when `before` is on the screen. A busy table keeps its rows in their places: those that are
 * still there get their new values, none comes and none goes.
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
