import { expect, it } from 'vitest';
import { didYouMean, suggest } from './suggest.ts';

it.each([
  ['metric', 'metrics'],
  ['exmaple', 'example'],
  ['RUNS', 'runs'],
  ['banana', undefined],
  ['', undefined],
])('takes %j for %j', (word, meant) => {
  expect(suggest(word, ['metrics', 'example', 'runs'])).toBe(meant);
});

it('says nothing when there is nothing near', () => {
  expect(didYouMean('banana', ['runs'])).toBe('');
  expect(didYouMean('rums', ['runs'])).toBe('; did you mean "runs"?');
});
