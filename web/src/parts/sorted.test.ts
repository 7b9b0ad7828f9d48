import { expect, it } from 'vitest';
import { sorted } from './sorted.ts';

const ROWS = [
  { q: 0.2, name: 'b10' },
  { q: null, name: 'a' },
  { q: 0.9, name: 'b9' },
];
const COLUMNS = [
  { key: 'q', value: (row: (typeof ROWS)[number]) => row.q },
  { key: 'name', value: (row: (typeof ROWS)[number]) => row.name },
];
const names = (key: string, direction: 'ascending' | 'descending') =>
  sorted(ROWS, COLUMNS, { key, direction }).map(({ name }) => name);

it('puts what is unmeasured last, whichever way it is sorted', () => {
  expect(names('q', 'ascending')).toEqual(['b10', 'b9', 'a']);
  expect(names('q', 'descending')).toEqual(['b9', 'b10', 'a']);
});

it('puts numbers within words in their order, and leaves rows as they came without a column', () => {
  expect(names('name', 'ascending')).toEqual(['a', 'b9', 'b10']);
  expect(sorted(ROWS, COLUMNS, undefined)).toBe(ROWS);
});
