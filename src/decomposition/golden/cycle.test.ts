import { expect, it } from 'vitest';
import { findCycles } from './lint-case.ts';

const steps = (...ways: string[]) => ways.map((way) => ({ from: way.charAt(0), to: way.charAt(1) }));

it('finds no cycle where everything leads onwards, also by two ways', () => {
  expect(findCycles(steps('ab', 'bc', 'ac', 'cd'))).toEqual([]);
});

it('finds a pair that leads both ways, and a longer way round, each once', () => {
  expect(findCycles(steps('ab', 'ba'))).toEqual([[0, 1]]);
  expect(findCycles(steps('xa', 'bc', 'ab', 'ca', 'cy'))).toEqual([[1, 3, 2]]);
});

it('leaves no step of a circle untold, also when two circles share one', () => {
  expect(findCycles(steps('ab', 'ba', 'bc', 'ca'))).toEqual([
    [0, 1],
    [2, 3, 0],
  ]);
  expect(findCycles(steps('ab', 'ba', 'cd', 'dc'))).toEqual([
    [0, 1],
    [2, 3],
  ]);
});
