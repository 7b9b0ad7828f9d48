import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averageRanks } from './average-ranks.ts';

describe('averageRanks', () => {
  it('shares the rank among ties as R 4.2.2: rank(c(10, 20, 20, 5))', () => {
    expect([...averageRanks([10, 20, 20, 5])]).toEqual([2, 3.5, 3.5, 1]);
    expect([...averageRanks([])]).toEqual([]);
  });

  it('is one plus the number below plus half of the others that tie', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (values) => {
        const expected = values.map((value) => {
          const below = values.filter((other) => other < value).length;
          const ties = values.filter((other) => other === value).length - 1;
          return 1 + below + ties / 2;
        });
        expect([...averageRanks(values)]).toEqual(expected);
      }),
    );
  });
});
