import { expect, it } from 'vitest';
import { acronymForms, openAcronymIndex } from './acronym.ts';

const meets = (one: string, other: string) => openAcronymIndex([[one]])(acronymForms([other])).size > 0;

it.each([
  ['ML', 'Machine Learning'],
  ['CNNs', 'convolutional neural network'],
  ['XAS', 'X-ray absorption spectroscopy'],
  ['R.O.I.', 'return on investment'],
  ['RI', 'return on investment'],
  ['GDP', 'gross domestic product (GDP)'],
  ['Machine Learning (ML)', 'machine learning'],
  ['ML (machine learning)', 'Machine Learning'],
  ['Machine Learning [ML]', 'ML'],
])('%j and %j are one, either way round', (one, other) => {
  expect(meets(one, other)).toBe(true);
  expect(meets(other, one)).toBe(true);
});

it.each([
  ['Maximum Likelihood', 'Machine Learning'],
  ['ml', 'Machine Learning'],
  ['car', 'carbon absorption rate'],
  ['C (language)', 'C'],
  ['Mercury (planet)', 'Mercury'],
  ['M', 'Mathematics'],
  ['MLP', 'Machine Learning'],
])('%j and %j are two', (one, other) => {
  expect(meets(one, other)).toBe(false);
  expect(meets(other, one)).toBe(false);
});
