import { expect, it } from 'vitest';
import { parseArguments } from '../parse-arguments.ts';
import { filterOf } from './filter-options.ts';
import { command as sending } from './send.ts';

it.each(['agent', 'model', 'project'])('refuses an empty --%s, which could mean every session', (name) => {
  for (const value of ['', ' '])
    expect(() => filterOf(parseArguments(sending, [`--${name}`, value]))).toThrow(`--${name} is empty`);
  expect(filterOf(parseArguments(sending, [`--${name}`, 'checkout']))).toEqual({ [name]: 'checkout' });
});
