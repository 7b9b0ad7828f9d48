import { expect, it } from 'vitest';
import { analyse } from './analyse.ts';
import { candidatesOf } from './concepts.ts';

const keys = (text: string) => candidatesOf(analyse(text)).map(({ key }) => key);

it('finds names and their parts, and joins inflected forms', () => {
  const found = candidatesOf(analyse('Algal blooms shade the lake. An algal bloom fades.'));
  expect(found.find(({ key }) => key === 'algal bloom')?.occurrences).toHaveLength(2);
  expect(found.map(({ key }) => key)).toContain('lake');
});

it('never crosses punctuation or begins or ends with a function word', () => {
  expect(keys('Salt, water and the sea.')).toEqual(['salt', 'water', 'sea']);
});

it('allows a link inside a name', () => {
  expect(keys('Freedom of speech matters.')).toContain('freedom of speech');
});
