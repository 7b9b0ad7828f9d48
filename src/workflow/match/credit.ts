import { assignment } from '../../stats/assignment.ts';

/** An error that a finding could be credited with. */
type Claim = { readonly target: number; readonly value: number };

/**
 * The best one-to-one credit: as many pairs as possible, and among those the largest sum of values. Findings that
 * share no error, directly or through others, are decided apart, so that thousands of findings stay thousands of small
 * questions. Returns finding → error.
 */
export function credit(claims: readonly (readonly Claim[])[], errors: number): ReadonlyMap<number, number> {
  const credited = new Map<number, number>();
  for (const findings of partsOf(claims, errors)) {
    const columnOf = new Map<number, number>();
    for (const finding of findings) {
      for (const { target } of claims[finding] ?? [])
        if (!columnOf.has(target)) columnOf.set(target, columnOf.size);
    }
    const columns = [...columnOf.keys()];
    const values = new Float64Array(findings.length * columns.length).fill(-Infinity);
    findings.forEach((finding, row) => {
      for (const { target, value } of claims[finding] ?? [])
        values[row * columns.length + (columnOf.get(target) as number)] = value;
    });
    const { columnOfRow } = assignment(values, findings.length, columns.length, { maximise: true });
    columnOfRow.forEach((column, row) => {
      if (column >= 0) credited.set(findings[row] as number, columns[column] as number);
    });
  }
  return credited;
}

/** Groups of findings that hang together through their errors. Union–find over the errors, with path halving. */
function partsOf(claims: readonly (readonly Claim[])[], errors: number): Iterable<readonly number[]> {
  const parent = Int32Array.from({ length: errors }, (_, error) => error);
  const up = (error: number) => parent[error] as number;
  const root = (error: number): number => {
    let top = error;
    for (; up(top) !== top; top = up(top)) parent[top] = up(up(top));
    return top;
  };
  for (const [first, ...others] of claims) {
    if (first === undefined) continue;
    for (const { target } of others) parent[root(target)] = root(first.target);
  }
  const claiming = claims.flatMap((own, finding) => (own.length > 0 ? [finding] : []));
  return Map.groupBy(claiming, (finding) => root(claims[finding]?.[0]?.target ?? 0)).values();
}
