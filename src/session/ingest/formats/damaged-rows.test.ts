/** Formats that are read from databases alone: rows as they are, damaged. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changes, mutated } from './testing/mutate.ts';
import { expectWellFormed, readLines } from './testing/read-events.ts';
import { ROWS } from './testing/rows.ts';

describe.each(ROWS)('rows of %s, damaged', (_, adapter, rows) => {
  it('never throw and never make a malformed event', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.nat(rows.length - 1), changes, (index, todo) => {
        count += 1;
        const damaged = rows.map((row, place) => (place === index ? mutated(row, todo) : row));
        expectWellFormed(readLines(adapter, damaged));
      }),
      { numRuns: 1000 },
    );
    expect(count).toBeGreaterThanOrEqual(1000);
  });

  it('may be any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expectWellFormed(readLines(adapter, [value]))),
      { numRuns: 300 },
    );
  });
});
