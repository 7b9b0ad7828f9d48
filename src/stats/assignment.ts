import { fsum } from 'd3-array';

export type Assignment = {
  /** The column of each row; −1 for a row that got none. */
  readonly columnOfRow: Int32Array;
  /** How many rows got a column. */
  readonly pairs: number;
  /** The sum over the pairs. */
  readonly total: number;
};

/**
 * The best one-to-one assignment of rows to columns: as many pairs as possible, and among those the smallest sum of
 * `values` (the largest with `maximise`). `values` holds the matrix row by row; an infinite value (of either sign)
 * forbids the pair. There may be more rows than columns or the other way round; what is left over stays alone.
 *
 * When: matching found items to expected ones by similarity. Taking the best pair first and going on from there
 * (greedy) can lose pairs that this keeps.
 * Reference: D. F. Crouse, IEEE Transactions on Aerospace and Electronic Systems 52 (2016); without forbidden pairs,
 * scipy `linear_sum_assignment`. Cost: O(n³) at worst; parts that no allowed pair connects are solved one by one.
 * Deterministic: the same matrix gives the same pairs, also among ties.
 * Worked value: [[4, 1, 3], [2, 0, 5], [3, 2, 2]] → rows take columns 1, 0, 2; total 5.
 */
export function assignment(
  values: Float64Array,
  rows: number,
  cols: number,
  { maximise = false }: { readonly maximise?: boolean } = {},
): Assignment {
  const forbidden = checkMatrix(values, rows, cols);
  const matrix: Matrix = { values, cols, sign: maximise ? -1 : 1 };
  const columnOfRow = new Int32Array(rows).fill(-1);
  const parts = forbidden ? connectedParts(values, rows, cols) : [{ rows: range(rows), cols: range(cols) }];
  for (const part of parts) assignPart(matrix, part, columnOfRow);

  const chosen: number[] = [];
  for (let row = 0; row < rows; row++) {
    const col = columnOfRow[row] as number;
    if (col >= 0) chosen.push(values[row * cols + col] as number);
  }
  return { columnOfRow, pairs: chosen.length, total: fsum(chosen) };
}

type Matrix = { readonly values: Float64Array; readonly cols: number; readonly sign: 1 | -1 };
type Part = { readonly rows: Int32Array; readonly cols: Int32Array };

function assignPart(matrix: Matrix, part: Part, columnOfRow: Int32Array): void {
  // The search goes from the shorter side to the longer one, so that every one of the shorter finds a partner.
  const turned = part.rows.length > part.cols.length;
  const [from, to] = turned ? [part.cols, part.rows] : [part.rows, part.cols];
  const costs = costsOf(matrix, from, to, turned);
  const partners = shortestAugmentingPaths(costs, from.length, to.length);
  for (let i = 0; i < from.length; i++) {
    const [one, other] = [from[i] as number, to[partners[i] as number] as number];
    const [row, col] = turned ? [other, one] : [one, other];
    if (Number.isFinite(matrix.values[row * matrix.cols + col])) columnOfRow[row] = col;
  }
}

/**
 * The costs of one part, laid out for the search. A forbidden pair gets a price so high that no saving elsewhere
 * makes up for it: it is taken only when no allowed pair is left, and then dropped.
 */
function costsOf(
  { values, cols, sign }: Matrix,
  from: Int32Array,
  to: Int32Array,
  turned: boolean,
): Float64Array {
  const costs = new Float64Array(from.length * to.length);
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < from.length; i++) {
    const one = from[i] as number;
    for (let j = 0; j < to.length; j++) {
      const other = to[j] as number;
      const value = values[turned ? other * cols + one : one * cols + other] as number;
      const cost = Number.isFinite(value) ? sign * value : Infinity;
      costs[i * to.length + j] = cost;
      if (cost < least) least = cost;
      if (cost > most && cost < Infinity) most = cost;
    }
  }
  const step = most - least || Math.abs(most) || 1;
  const price = most + (from.length + 1) * step;
  for (let i = 0; i < costs.length; i++) if (costs[i] === Infinity) costs[i] = price;
  return costs;
}

/** Whether any pair is forbidden. */
function checkMatrix(values: Float64Array, rows: number, cols: number): boolean {
  if (
    !Number.isInteger(rows) ||
    !Number.isInteger(cols) ||
    rows < 0 ||
    cols < 0 ||
    values.length !== rows * cols
  ) {
    throw new RangeError(`a matrix of ${rows} × ${cols} does not have ${values.length} values`);
  }
  let forbidden = false;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) throw new RangeError(`values[${i}] is NaN`);
    if (value === Infinity || value === -Infinity) forbidden = true;
  }
  return forbidden;
}

function range(length: number): Int32Array {
  return Int32Array.from({ length }, (_, i) => i);
}

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

/**
 * The core of `assignment`: a partner for each of `rows` rows among at least as many columns, at the smallest total
 * cost. `costs` is finite and row by row. Returns the column of each row.
 *
 * It keeps a price for each row and column such that no pair costs less than its two prices; an assignment of pairs that
 * cost exactly that is optimal. Every row takes its cheapest column if it is free; each of the others searches the
 * cheapest chain of exchanges (Dijkstra), and prices follow.
 *
 * Reference: D. F. Crouse, IEEE Transactions on Aerospace and Electronic Systems 52 (2016). Cost: O(rows² · cols) at worst.
 * Worked value: 2 × 2 costs 1, 2, 1, 4 → rows take columns 1 and 0.
 */
export function shortestAugmentingPaths(costs: Float64Array, rows: number, cols: number): Int32Array {
  if (rows > cols) throw new RangeError(`at least as many columns as rows are needed, got ${rows} × ${cols}`);
  const state: State = {
    costs,
    rows,
    cols,
    rowPrice: new Float64Array(rows),
    colPrice: new Float64Array(cols),
    columnOfRow: new Int32Array(rows).fill(-1),
    rowOfColumn: new Int32Array(cols).fill(-1),
  };
  takeCheapest(state);
  const search = makeSearch(state);
  for (let row = 0; row < rows; row++) if (state.columnOfRow[row] === -1) search(row);
  return state.columnOfRow;
}

type State = {
  readonly costs: Float64Array;
  readonly rows: number;
  readonly cols: number;
  readonly rowPrice: Float64Array;
  /** 0 for a column nobody has, below 0 only for columns in demand: this is what makes a surplus of columns safe. */
  readonly colPrice: Float64Array;
  readonly columnOfRow: Int32Array;
  readonly rowOfColumn: Int32Array;
};

function takeCheapest({ costs, rows, cols, rowPrice, columnOfRow, rowOfColumn }: State): void {
  for (let row = 0; row < rows; row++) {
    const base = row * cols;
    let best = 0;
    for (let col = 1; col < cols; col++) {
      if ((costs[base + col] as number) < (costs[base + best] as number)) best = col;
    }
    rowPrice[row] = costs[base + best] as number;
    if (rowOfColumn[best] === -1) {
      rowOfColumn[best] = row;
      columnOfRow[row] = best;
    }
  }
}

/** The search from one row that is still alone; its working arrays are shared by all searches. */
function makeSearch(state: State): (row: number) => void {
  const { costs, rows, cols, rowPrice, colPrice, columnOfRow, rowOfColumn } = state;
  const distance = new Float64Array(cols);
  const cameFrom = new Int32Array(cols);
  const open = new Int32Array(cols);
  const closed = new Int32Array(rows);

  return (start) => {
    for (let col = 0; col < cols; col++) open[col] = col;
    distance.fill(Infinity);
    let opened = cols;
    let closedCount = 0;
    let row = start;
    let reached = 0;
    let end = -1;
    while (end === -1) {
      const base = row * cols;
      const offset = reached - (rowPrice[row] as number);
      let nearest = Infinity;
      let place = -1;
      for (let i = 0; i < opened; i++) {
        const col = open[i] as number;
        const through = offset + (costs[base + col] as number) - (colPrice[col] as number);
        let best = distance[col] as number;
        if (through < best) {
          best = through;
          distance[col] = through;
          cameFrom[col] = row;
        }
        // Among equally near columns a free one ends the search.
        if (best < nearest || (best === nearest && rowOfColumn[col] === -1)) {
          nearest = best;
          place = i;
        }
      }
      reached = nearest;
      const col = open[place] as number;
      open[place] = open[--opened] as number;
      if (rowOfColumn[col] === -1) end = col;
      else {
        closed[closedCount++] = col;
        row = rowOfColumn[col] as number;
      }
    }

    rowPrice[start] = (rowPrice[start] as number) + reached;
    for (let i = 0; i < closedCount; i++) {
      const col = closed[i] as number;
      const slack = reached - (distance[col] as number);
      colPrice[col] = (colPrice[col] as number) - slack;
      const owner = rowOfColumn[col] as number;
      rowPrice[owner] = (rowPrice[owner] as number) + slack;
    }
    // Walk back along the chain: each row takes the column that the next one gave up.
    for (let col = end; ; ) {
      const taker = cameFrom[col] as number;
      const given = columnOfRow[taker] as number;
      rowOfColumn[col] = taker;
      columnOfRow[taker] = col;
      if (taker === start) break;
      col = given;
    }
  };
}
