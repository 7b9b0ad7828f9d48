import { expect, it } from 'vitest';
import { readPredicate } from './output.ts';

it.each([
  ['CAUSES', 'CAUSES'],
  ['causes', 'CAUSES'],
  ['is-a', 'IS_A'],
  ['Is a', 'IS_A'],
  ['relatesTo', 'RELATES_TO'],
  [' relates_to ', 'RELATES_TO'],
])('reads %s as %s', (given, predicate) => {
  expect(readPredicate(given)).toBe(predicate);
});

it('takes a name that is mapped, in any spelling, and leaves others as they are', () => {
  const map = { 'leads to': 'CAUSES' } as const;
  expect(readPredicate('LEADS_TO', map)).toBe('CAUSES');
  expect(readPredicate('EATS', map)).toBe('EATS');
  expect(readPredicate('constructor', map)).toBe('constructor');
});

it('never maps what is a predicate already to another one', () => {
  expect(readPredicate('causes', { CAUSES: 'IS_A' })).toBe('CAUSES');
});
