import { checkSameLength, type Numbers } from './check-input.ts';

/**
 * Least squares with an intercept and slopes that are never negative: y ≈ a + Σ slope × column.
 *
 * When: weights are wanted, and a negative weight would say that doing better is worse.
 * Reference: C. L. Lawson and R. J. Hanson, "Solving Least Squares Problems" (1974); scipy `optimize.nnls` on centred
 * data. Solved by coordinate descent, which for this convex problem ends at the same place.
 * Cost: O(rows × columns) a sweep, at most 1,000 sweeps.
 * Worked value: columns (0, 1, 2, 3) and (3, 0, 1, 2), y (0, 1, 2, 3) → slopes 1 and 0. A column without spread: 0.
 */
export function nonNegativeFit(columns: readonly Numbers[], y: Numbers): number[] {
  const centred = columns.map((column) => {
    checkSameLength(column, y, ['column', 'y']);
    return centre(column);
  });
  const residual = centre(y);
  const squares = centred.map((column) => column.reduce((sum, value) => sum + value * value, 0));
  const slopes = columns.map(() => 0);
  for (let sweep = 0; sweep < 1000; sweep++) {
    let moved = 0;
    for (const [place, column] of centred.entries()) {
      const [square, slope] = [squares[place] as number, slopes[place] as number];
      if (square < 1e-12) continue;
      const pull = column.reduce((sum, value, row) => sum + value * (residual[row] as number), 0) / square;
      const step = Math.max(0, slope + pull) - slope;
      slopes[place] = slope + step;
      for (let row = 0; row < residual.length; row++)
        residual[row] = (residual[row] as number) - step * (column[row] as number);
      moved = Math.max(moved, Math.abs(step));
    }
    if (moved < 1e-10) break;
  }
  return slopes;
}

function centre(values: Numbers): Float64Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  const mean = sum / values.length;
  return Float64Array.from(values, (value) => value - mean);
}
