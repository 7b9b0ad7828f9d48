import { describe, expect, it } from 'vitest';
import { jointShares } from './joint-shares.ts';

describe('jointShares', () => {
  it('is the worked value', () => {
    expect(jointShares(['a', 'a', 'b'], ['a', 'b', 'b'])).toEqual({
      cells: [
        [1 / 3, 1 / 3],
        [0, 1 / 3],
      ],
      rows: [2 / 3, 1 / 3],
      cols: [1 / 3, 2 / 3],
      n: 3,
    });
  });

  it('has the same table whatever the order of items, and keeps 1, "1" and true apart', () => {
    expect(jointShares(['b', 'a'], ['a', 'b'])).toEqual(jointShares(['a', 'b'], ['b', 'a']));
    expect(jointShares([1, '1', true], [1, '1', true]).rows).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  it('follows the order of given categories and refuses a label that is none', () => {
    expect(jointShares(['low'], ['high'], ['low', 'mid', 'high']).cells[0]).toEqual([0, 0, 1]);
    expect(() => jointShares(['low'], ['other'], ['low'])).toThrow(
      new RangeError('the label "other" is not one of the categories'),
    );
  });

  it('refuses lists of different length', () => {
    expect(() => jointShares(['a'], [])).toThrow(RangeError);
  });
});
