import { describe, expect, it } from 'vitest';
import { connectedParts } from './connected-parts.ts';

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
