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
  ['Torrential rain triggered landslides.', ['triggered']],
  ['On Monday the road reopens.', ['reopens']],
  ['A control system works.', ['works']],
])('finds the verb between two names in "%s"', (text, expected) => {
  expect(verbs(text)).toEqual(expected);
});

it.each([
  ['Iron deficiency may cause fatigue.', ['cause']],
  ['Iron deficiency did not cause fatigue.', ['cause']],
  ['It aims to promote growth.', ['promote']],
  ['The reform has lowered prices.', ['lowered']],
  ['They left without causing harm.', ['causing']],
])('finds the verb after its helper in "%s"', (text, expected) => {
  expect(verbs(text)).toEqual(expect.arrayContaining(expected));
});

it.each([
  'The root causes of poverty are many.',
  'Energy needs and water needs differ.',
  'The computer generated images of it.',
])('leaves nouns alone in "%s"', (text) => {
  expect(verbs(text)).toEqual([]);
});
