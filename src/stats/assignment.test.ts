import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignment, connectedParts, shortestAugmentingPaths } from './assignment.ts';
import { random } from './random.ts';

type Best = { pairs: number; total: number };

/** Every way to pair rows with columns: most pairs first, then the smallest total. */
function bruteForce(values: Float64Array, rows: number, cols: number, sign: 1 | -1): Best {
  let best: Best = { pairs: -1, total: 0 };
  const walk = (row: number, used: ReadonlySet<number>, pairs: number, total: number): void => {
    if (row === rows) {
      const better = pairs > best.pairs || (pairs === best.pairs && sign * total < sign * best.total);
      if (better) best = { pairs, total };
      return;
    }
    walk(row + 1, used, pairs, total);
    for (let col = 0; col < cols; col++) {
      const value = values[row * cols + col] as number;
      if (!used.has(col) && Number.isFinite(value))
        walk(row + 1, new Set([...used, col]), pairs + 1, total + value);
    }
  };
  walk(0, new Set(), 0, 0);
  return best;
}

/** A small matrix of this kind of value, of any shape. */
function matrices(
  value: fc.Arbitrary<number>,
): fc.Arbitrary<{ rows: number; cols: number; values: Float64Array }> {
  const side = fc.integer({ min: 1, max: 5 });
  return fc
    .tuple(side, side)
    .chain(([rows, cols]) =>
      fc
        .array(value, { minLength: rows * cols, maxLength: rows * cols })
        .map((list) => ({ rows, cols, values: Float64Array.from(list) })),
    );
}

const SIX_BY_EIGHT = [
  [81, 8, 17, 23, 18, 80, 86, 58],
  [3, 9, 33, 43, 62, 47, 26, 15],
  [69, 73, 3, 11, 45, 39, 88, 51],
  [42, 43, 66, 58, 17, 73, 75, 95],
  [78, 28, 31, 64, 65, 69, 86, 29],
  [93, 0, 7, 97, 94, 29, 13, 31],
];

describe('assignment', () => {
  it('is the worked value', () => {
    const result = assignment(Float64Array.of(4, 1, 3, 2, 0, 5, 3, 2, 2), 3, 3);
    expect(result).toEqual({ columnOfRow: Int32Array.of(1, 0, 2), pairs: 3, total: 5 });
  });

  it('is that of scipy 1.17.1: linear_sum_assignment, both ways and turned on its side', () => {
    const values = Float64Array.from(SIX_BY_EIGHT.flat());
    expect(assignment(values, 6, 8)).toEqual({
      columnOfRow: Int32Array.of(1, 0, 2, 4, 7, 6),
      pairs: 6,
      total: 73,
    });
    expect(assignment(values, 6, 8, { maximise: true })).toEqual({
      columnOfRow: Int32Array.of(5, 4, 6, 7, 0, 3),
      pairs: 6,
      total: 500,
    });
    const turned = Float64Array.from(
      { length: 48 },
      (_, i) => values[(i % 6) * 8 + Math.floor(i / 6)] as number,
    );
    expect(assignment(turned, 8, 6)).toEqual({
      columnOfRow: Int32Array.of(1, 0, 2, -1, 3, -1, 5, 4),
      pairs: 6,
      total: 73,
    });
  });

  // The same matrix, written to a file, given to scipy 1.17.1: linear_sum_assignment(m) and (m, maximize=True).
  it('has the total of scipy 1.17.1 for 120 × 150 random values', () => {
    const { bits } = random(5);
    const values = Float64Array.from({ length: 120 * 150 }, () => bits() / 2 ** 32);
    expect(assignment(values, 120, 150).total).toBeCloseTo(1.0858952146954834, 11);
    expect(assignment(values, 120, 150, { maximise: true }).total).toBeCloseTo(118.8793995869346, 11);
  });

  it('prefers more pairs to a smaller total', () => {
    // Row 0 alone with column 0 would cost 1; both rows can be served for 100 + 50.
    expect(assignment(Float64Array.of(1, 100, 50, Infinity), 2, 2)).toEqual({
      columnOfRow: Int32Array.of(1, 0),
      pairs: 2,
      total: 150,
    });
  });

  it('leaves a row alone rather than take a forbidden pair', () => {
    const result = assignment(Float64Array.of(1, Infinity, 2, Infinity), 2, 2);
    expect(result).toEqual({ columnOfRow: Int32Array.of(0, -1), pairs: 1, total: 1 });
    expect(assignment(Float64Array.of(Infinity, Infinity), 1, 2)).toEqual({
      columnOfRow: Int32Array.of(-1),
      pairs: 0,
      total: 0,
    });
  });

  it('takes an empty matrix', () => {
    expect(assignment(new Float64Array(0), 0, 3)).toEqual({
      columnOfRow: new Int32Array(0),
      pairs: 0,
      total: 0,
    });
    expect(assignment(new Float64Array(0), 2, 0)).toEqual({
      columnOfRow: Int32Array.of(-1, -1),
      pairs: 0,
      total: 0,
    });
  });

  it('refuses a matrix of the wrong size and NaN', () => {
    expect(() => assignment(new Float64Array(5), 2, 3)).toThrow(
      new RangeError('a matrix of 2 × 3 does not have 5 values'),
    );
    expect(() => assignment(Float64Array.of(1, NaN), 1, 2)).toThrow(RangeError);
  });

  it.each([
    ['numbers', fc.double({ min: -1000, max: 1000, noNaN: true })],
    ['few values, many ties', fc.integer({ min: -2, max: 2 })],
    ['half of the pairs forbidden', fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(Infinity))],
    [
      'most pairs forbidden',
      fc.oneof(
        { weight: 1, arbitrary: fc.double({ min: -5, max: 5, noNaN: true }) },
        { weight: 3, arbitrary: fc.constant(-Infinity) },
      ),
    ],
  ])('equals brute force on small matrices: %s', (_, value) => {
    fc.assert(
      fc.property(matrices(value), fc.boolean(), ({ values, rows, cols }, maximise) => {
        const result = assignment(values, rows, cols, { maximise });
        const best = bruteForce(values, rows, cols, maximise ? -1 : 1);
        expect(result.pairs).toBe(best.pairs);
        expect(result.total).toBeCloseTo(best.total, 8);
        const taken = [...result.columnOfRow].filter((col) => col >= 0);
        expect(new Set(taken).size).toBe(result.pairs);
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same total when rows change places', () => {
    fc.assert(
      fc.property(matrices(fc.integer({ min: 0, max: 20 })), ({ values, rows, cols }) => {
        const swapped = Float64Array.from(
          values,
          (_, i) => values[(rows - 1 - Math.floor(i / cols)) * cols + (i % cols)] as number,
        );
        expect(assignment(swapped, rows, cols).total).toBe(assignment(values, rows, cols).total);
      }),
    );
  });

  it('gives the same pairs each time, also when all values are equal', () => {
    const values = new Float64Array(30 * 40).fill(1);
    expect(assignment(values, 30, 40)).toEqual(assignment(values, 30, 40));
  });
});

const F = Infinity;

describe('connectedParts', () => {
  it('finds two parts on a diagonal: the worked value', () => {
    expect(connectedParts(Float64Array.of(1, F, F, 1), 2, 2)).toEqual([
      { rows: Int32Array.of(0), cols: Int32Array.of(0) },
      { rows: Int32Array.of(1), cols: Int32Array.of(1) },
    ]);
  });

  it('follows a chain of allowed pairs and leaves out who has none', () => {
    // Row 0 – column 0 – row 2 – column 2; row 1 and column 1 have no allowed pair.
    expect(connectedParts(Float64Array.of(1, F, F, F, -F, F, 1, F, 1), 3, 3)).toEqual([
      { rows: Int32Array.of(0, 2), cols: Int32Array.of(0, 2) },
    ]);
  });

  it('has no part without allowed pairs', () => {
    expect(connectedParts(Float64Array.of(F, F), 1, 2)).toEqual([]);
  });
});

describe('shortestAugmentingPaths', () => {
  it('is the worked value: the second row keeps the cheap column', () => {
    expect([...shortestAugmentingPaths(Float64Array.of(1, 2, 1, 4), 2, 2)]).toEqual([1, 0]);
  });

  it('takes one row, one column, and nothing', () => {
    expect([...shortestAugmentingPaths(Float64Array.of(5, 3, 4), 1, 3)]).toEqual([1]);
    expect([...shortestAugmentingPaths(Float64Array.of(7), 1, 1)]).toEqual([0]);
    expect([...shortestAugmentingPaths(new Float64Array(0), 0, 0)]).toEqual([]);
  });

  it('refuses more rows than columns', () => {
    expect(() => shortestAugmentingPaths(Float64Array.of(1, 2), 2, 1)).toThrow(RangeError);
  });
});
