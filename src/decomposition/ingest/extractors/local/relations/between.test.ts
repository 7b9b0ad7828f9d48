import { expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import { placesOf } from '../concepts.ts';
import { between } from './relate.ts';

/** The words between the first and the last of the given names; names in the middle are other concepts. */
function link(text: string, ...names: string[]): string {
  const analysis = analyse(text);
  const places = names.map((name) => placesOf(analysis, name)[0] ?? { at: -1, length: 1 });
  const [first, ...rest] = places;
  const last = rest.pop();
  if (first === undefined || last === undefined) throw new Error('two names are needed');
  return between(analysis.words, first, last, rest)
    .steps.map(({ word }) => word)
    .join(' ');
}

it.each([
  [
    'drops what is said of the first alone',
    'Erosion, the loss of soil, leads to floods.',
    ['eros', 'flood'],
    'lead to',
  ],
  ['drops parentheses', 'Erosion (see above) causes floods.', ['eros', 'flood'], 'cause'],
  ['drops adverbs between commas', 'Erosion, however, causes floods.', ['eros', 'flood'], 'cause'],
  ['drops what is joined to the first', 'Rain and wind cause erosion.', ['rain', 'wind', 'eros'], 'cause'],
  [
    'drops what is joined to the second',
    'Rain causes floods and erosion.',
    ['rain', 'flood', 'eros'],
    'cause',
  ],
  ['drops members of a list', 'Metals such as iron, copper and zinc rust.', ['metal', 'zinc'], 'such as #'],
  [
    'marks other concepts',
    'Rain fills rivers that feed lakes.',
    ['rain', 'river', 'lake'],
    'fill @ that feed',
  ],
])('%s', (_, text, names, expected) => {
  expect(link(text, ...names)).toBe(expected);
});
