import { expect, it } from 'vitest';
import { analyse } from './analyse.ts';

const verbs = (text: string) =>
  analyse(text)
    .words.filter(({ finite }) => finite)
    .map(({ lower }) => lower);

it.each([
  ['Soil erosion causes crop failure.', ['causes']],
  ['Marine heatwaves cause coral bleaching.', ['cause']],
  ['Price controls lead to supply shortages.', ['lead']],
  ['An agreement limits fishing.', ['limits']],
  ['Crop planting follows land clearing.', ['follows']],
  ['Runoff, often rich in salt, raises the water level.', ['raises']],
])('finds the verb between two names in "%s"', (text, expected) => {
  expect(verbs(text)).toEqual(expected);
});

it.each([
  'The root causes of poverty are many.',
  'Energy needs and water needs differ.',
  'A control system works.',
])('leaves nouns alone in "%s"', (text) => {
  expect(verbs(text)).toEqual([]);
});
