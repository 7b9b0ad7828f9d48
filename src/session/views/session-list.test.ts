import { expect, it } from 'vitest';
import { linesTable } from './session-list.ts';

it('keeps what sessions are sorted by at every width', () => {
  const dropOf = (sort: 'date' | 'turns') =>
    linesTable('', [], { sort }).columns.find(({ key }) => key === 'turns')?.priority;
  expect(dropOf('turns')).toBe(1);
  expect(dropOf('date')).toBeGreaterThan(1);
});
