/**
 * The position of concepts in a graph: columns from source to target, and within a column near connected ones.
 * Deterministic.
 */
export type GraphEdge = { readonly from: string; readonly to: string };

export type Placed = { readonly name: string; readonly column: number; readonly row: number };

export type Layout = { readonly nodes: readonly Placed[]; readonly columns: number; readonly rows: number };

/** So often each column is put in the order of its neighbours. */
const SWEEPS = 6;

export function layOut(edges: readonly GraphEdge[], alone: readonly string[] = []): Layout {
  const names = [...new Set([...edges.flatMap(({ from, to }) => [from, to]), ...alone])].toSorted();
  const ahead = withoutCircles(names, edges);
  const columnOf = columnsBy(names, ahead);
  const columns: string[][] = [];
  for (const name of names) {
    const at = columnOf.get(name) ?? 0;
    while (columns.length <= at) columns.push([]);
    columns[at]?.push(name);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const order = sweep % 2 === 0 ? columns : columns.toReversed();
    const rows = rowsIn(columns);
    for (const column of order) {
      sortByNeighbours(column, edges, rows);
      for (const [row, name] of column.entries()) rows.set(name, row);
    }
  }
  return {
    nodes: columns.flatMap((column, at) => column.map((name, row) => ({ name, column: at, row }))),
    columns: columns.length,
    rows: Math.max(0, ...columns.map(({ length }) => length)),
  };
}

/** Edges that lead on; one that closes a circle would put both ends behind each other. */
function withoutCircles(names: readonly string[], edges: readonly GraphEdge[]): Map<string, string[]> {
  const targets = new Map(names.map((name) => [name, [] as string[]]));
  const reaches = (from: string, to: string): boolean => {
    const seen = new Set<string>();
    const queue = [from];
    for (const name of queue) {
      if (name === to) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      queue.push(...(targets.get(name) ?? []));
    }
    return false;
  };
  for (const { from, to } of edges) if (!reaches(to, from)) targets.get(from)?.push(to);
  return targets;
}

/** The longest way that leads to each, in steps. */
function columnsBy(
  names: readonly string[],
  ahead: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const column = new Map(names.map((name) => [name, 0]));
  // A way without circles has fewer steps than there are names.
  for (let step = 0; step < names.length; step++) {
    let moved = false;
    for (const name of names) {
      const next = (column.get(name) ?? 0) + 1;
      for (const target of ahead.get(name) ?? []) {
        if ((column.get(target) ?? 0) >= next) continue;
        column.set(target, next);
        moved = true;
      }
    }
    if (!moved) break;
  }
  return column;
}

function rowsIn(columns: readonly (readonly string[])[]): Map<string, number> {
  return new Map(columns.flatMap((column) => column.map((name, row) => [name, row] as const)));
}

function sortByNeighbours(
  column: string[],
  edges: readonly GraphEdge[],
  rows: ReadonlyMap<string, number>,
): void {
  const middle = new Map(
    column.map((name) => {
      const neighbours = edges.flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []));
      const sum = neighbours.reduce((total, other) => total + (rows.get(other) ?? 0), 0);
      return [name, neighbours.length === 0 ? (rows.get(name) ?? 0) : sum / neighbours.length];
    }),
  );
  column.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0) || (a < b ? -1 : a > b ? 1 : 0));
}
