/**
 * The core of `assignment`: a partner for each of `rows` rows among at least as many columns, at the smallest total
 * cost. `costs` is finite and row by row. Returns the column of each row.
 *
 * It keeps a price for each row and column such that no pair costs less than its two prices; a pair is "tight" when
 * it costs exactly that, and an assignment of tight pairs is optimal. Three steps, each faster and less general than
 * the next: every row takes its cheapest column if it is free; rows bid against each other for their favourite; what
 * is still alone searches the cheapest chain of exchanges (Dijkstra) and prices follow.
 *
 * Reference: R. Jonker and A. Volgenant, Computing 38 (1987): the reduction by rows, the augmenting row reduction
 * and the augmentation; their reduction by columns is left out because it holds only for square matrices. The
 * Dijkstra step as in D. F. Crouse (2016). Cost: O(rows² · cols) at worst.
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
  if (cols > 1) bid(state);
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

/**
 * Each row without a column takes its favourite, makes it dearer by what the second best would have cost more, and
 * puts out the row that had it, which then bids in turn. Bids are limited: tiny raises can go on for very long.
 */
function bid({ costs, rows, cols, rowPrice, colPrice, columnOfRow, rowOfColumn }: State): void {
  let waiting: number[] = [];
  for (let row = rows - 1; row >= 0; row--) if (columnOfRow[row] === -1) waiting.push(row);
  for (let round = 0; round < 2; round++) {
    const later: number[] = [];
    let bids = 4 * rows;
    while (waiting.length > 0) {
      const row = waiting.pop() as number;
      const base = row * cols;
      let best = -1;
      let second = -1;
      let bestCost = Infinity;
      let secondCost = Infinity;
      for (let col = 0; col < cols; col++) {
        const cost = (costs[base + col] as number) - (colPrice[col] as number);
        if (cost >= secondCost) continue;
        if (cost < bestCost) {
          second = best;
          secondCost = bestCost;
          best = col;
          bestCost = cost;
        } else {
          second = col;
          secondCost = cost;
        }
      }
      const strictly = bestCost < secondCost;
      const target = !strictly && rowOfColumn[best] !== -1 ? second : best;
      rowPrice[row] = secondCost;
      if (strictly) colPrice[best] = (colPrice[best] as number) - (secondCost - bestCost);
      const displaced = rowOfColumn[target] as number;
      rowOfColumn[target] = row;
      columnOfRow[row] = target;
      if (displaced === -1) continue;
      columnOfRow[displaced] = -1;
      if (strictly && bids-- > 0) waiting.push(displaced);
      else later.push(displaced);
    }
    waiting = later.reverse();
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
