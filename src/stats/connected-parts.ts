/**
 * The parts into which forbidden pairs divide a matrix: rows and columns are in one part when a chain of allowed
 * (finite) pairs connects them. A row or column without any allowed pair belongs to no part.
 *
 * When: inside `assignment`. A similarity with a threshold leaves many small parts, and 100 parts of 20 × 20 are
 * solved far sooner than one of 2,000 × 2,000.
 * Reference: union–find with path halving, R. E. Tarjan, JACM 22 (1975). Cost: one pass over the matrix.
 * Worked value: 2 × 2 with only the diagonal allowed → two parts, { rows: 0, cols: 0 } and { rows: 1, cols: 1 }.
 */
export function connectedParts(
  values: Float64Array,
  rows: number,
  cols: number,
): { readonly rows: Int32Array; readonly cols: Int32Array }[] {
  // Rows are the nodes 0 … rows − 1, columns follow.
  const parent = Int32Array.from({ length: rows + cols }, (_, i) => i);
  const root = (node: number): number => {
    let top = node;
    while (parent[top] !== top) {
      parent[top] = parent[parent[top] as number] as number;
      top = parent[top] as number;
    }
    return top;
  };
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      if (Number.isFinite(values[row * cols + col])) parent[root(rows + col)] = root(row);
    }
  }

  const parts = new Map<number, { rows: number[]; cols: number[] }>();
  for (let node = 0; node < rows + cols; node++) {
    const top = root(node);
    const part = parts.get(top) ?? { rows: [], cols: [] };
    parts.set(top, part);
    if (node < rows) part.rows.push(node);
    else part.cols.push(node - rows);
  }
  return [...parts.values()]
    .filter((part) => part.rows.length > 0 && part.cols.length > 0)
    .map((part) => ({ rows: Int32Array.from(part.rows), cols: Int32Array.from(part.cols) }));
}
