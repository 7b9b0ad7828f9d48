import { expect, it } from 'vitest';
import { extractLocally } from '../local.ts';
import { modelOf } from '../model.ts';
import weights from '../weights.json' with { type: 'json' };

const model = modelOf(weights);
const relations = (text: string) =>
  extractLocally(text, model).relationships.map(
    ({ source, target, predicate }) => `${source} ${predicate} ${target}`,
  );

it.each([
  // Copula, kind-of, apposition, such as, including, and other.
  [
    'A glacier is a body of ice. Solar power is a form of renewable energy.',
    'solar power IS_A renewable energy',
  ],
  ['Barter, a kind of economic exchange, came first.', 'barter IS_A economic exchange'],
  ['Many countries use renewable sources such as wind power.', 'wind power IS_A renewable sources'],
  ['The court hears civil cases, including contract disputes.', 'contract disputes IS_A civil cases'],
  // Active, passive, light verbs, nouns.
  ['Soil erosion causes crop failure.', 'soil erosion CAUSES crop failure'],
  ['Crop failure is caused by soil erosion.', 'soil erosion CAUSES crop failure'],
  ['Price controls lead to supply shortages.', 'price controls CAUSES supply shortages'],
  ['Supply shortages result from price controls.', 'price controls CAUSES supply shortages'],
  ['Heavy rainfall triggers flash floods.', 'heavy rainfall CAUSES flash floods'],
  // Needs, both ways.
  ['Seed germination requires soil moisture.', 'seed germination REQUIRES soil moisture'],
  ['Seed germination depends on soil moisture.', 'seed germination REQUIRES soil moisture'],
  ['Online banking needs secure encryption.', 'online banking REQUIRES secure encryption'],
  // Order, both ways.
  ['Land clearing precedes crop planting.', 'land clearing PRECEDES crop planting'],
  ['Crop planting follows land clearing.', 'land clearing PRECEDES crop planting'],
  ['Land clearing comes before crop planting.', 'land clearing PRECEDES crop planting'],
  ['Land clearing is followed by crop planting.', 'land clearing PRECEDES crop planting'],
])('reads in "%s" that %s', (text, expected) => {
  expect(relations(text)).toContain(expected);
});

it.each([
  ['Heavy rainfall causes flash floods and soil erosion.', 'heavy rainfall CAUSES flash floods'],
  ['Heavy rainfall causes flash floods and soil erosion.', 'heavy rainfall CAUSES soil erosion'],
  ['Soil erosion, a slow loss of land, leads to crop failure.', 'soil erosion CAUSES crop failure'],
  ['Soil erosion, however, leads to crop failure.', 'soil erosion CAUSES crop failure'],
])('reads across what interrupts in "%s" that %s', (text, expected) => {
  expect(relations(text)).toContain(expected);
});

it('relates two concepts of a clause that states none of the four', () => {
  expect(relations('The water table stores mineral salts.')).toEqual([
    'water table RELATES_TO mineral salts',
  ]);
});

it('never states two relations of one pair', () => {
  const text = 'The soil erosion causes crop failure. After this, crop failure is followed by soil erosion.';
  expect(relations(text)).toHaveLength(1);
});

it('says nothing about concepts that share no sentence', () => {
  expect(relations('Soil erosion is slow. Crop failure is sudden.')).toEqual([]);
});
