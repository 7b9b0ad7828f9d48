import { expect, it } from 'vitest';
import { findSameTexts } from './same-texts.ts';

const marsh =
  'A tidal marsh is a wetland that the sea floods twice a day. Tides bring sediment, and sediment builds it.';
const moor =
  'A moor is open land with heather. Sheep graze on it, and in late summer whole hills turn purple.';

it('finds a text that comes again, whatever its spelling and line breaks', () => {
  const again = marsh.toUpperCase().replaceAll(' ', '\n');
  expect(findSameTexts([marsh, moor, again])).toEqual([{ first: 0, second: 2, share: 1 }]);
});

it('finds a text that has been changed here and there, or taken into a longer one', () => {
  const changed = marsh.replace('twice', 'once');
  const [likeness] = findSameTexts([marsh, changed]);
  expect(likeness).toMatchObject({ first: 0, second: 1 });
  expect(likeness?.share).toBeLessThan(1);
  expect(findSameTexts([marsh, `${moor} ${marsh} ${moor}`])).toEqual([{ first: 0, second: 1, share: 1 }]);
});

it('leaves texts alone that share single words or a phrase', () => {
  expect(
    findSameTexts([marsh, moor, `${moor.slice(0, 34)} It is dry. Nobody floods it twice a day.`]),
  ).toEqual([]);
});

it('tells of each copy once, beside the original', () => {
  expect(findSameTexts([marsh, marsh, marsh]).map(({ first, second }) => [first, second])).toEqual([
    [0, 1],
    [0, 2],
  ]);
});

it('compares texts of a word or two whole', () => {
  expect(findSameTexts(['Peat.', 'peat', 'Peat bog'])).toEqual([{ first: 0, second: 1, share: 1 }]);
});
