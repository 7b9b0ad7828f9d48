import { expect, it } from 'vitest';
import { chooseConcepts, conceptLimit, type Occurrence } from './concepts.ts';

const WEIGHTS = new Map([['score', 1]]);
const ranked = (key: string, score: number, occurrences: Occurrence[]) => ({
  key,
  occurrences,
  plausible: score,
  salience: new Map([['score', score]]),
});
const keys = (list: ReturnType<typeof ranked>[]) => chooseConcepts(list, WEIGHTS, 600).map(({ key }) => key);

it('takes twice the concepts for four times the words, from 5 up to 25', () => {
  expect([0, 25, 100, 400, 10_000].map(conceptLimit)).toEqual([5, 6, 12, 24, 25]);
});

it('leaves out a piece that never stands alone', () => {
  const whole = ranked('gene transfer', 3, [
    { at: 0, length: 2 },
    { at: 9, length: 2 },
  ]);
  const piece = ranked('gene', 2, [
    { at: 0, length: 1 },
    { at: 9, length: 1 },
  ]);
  expect(keys([whole, piece])).toEqual(['gene transfer']);
});

it('takes the longer name instead of its piece when both occur equally often', () => {
  const piece = ranked('gene transfer', 3, [{ at: 1, length: 2 }]);
  const whole = ranked('horizontal gene transfer', 2, [{ at: 0, length: 3 }]);
  expect(keys([piece, whole])).toEqual(['horizontal gene transfer']);
});

it('keeps a piece that also stands alone', () => {
  const whole = ranked('gene transfer', 3, [{ at: 0, length: 2 }]);
  const piece = ranked('gene', 2, [
    { at: 0, length: 1 },
    { at: 5, length: 1 },
  ]);
  expect(keys([whole, piece])).toEqual(['gene transfer', 'gene']);
});
