import { expect, it } from 'vitest';
import { nextStep } from './next-step.ts';

it('names no id that a command cannot be given', () => {
  const given = { paths: ['t'], options: {} };
  expect(nextStep('explain', given, { id: 'a\u001bb' })).toHaveLength(1);
  expect(nextStep('explain', given, { id: 'a\u0000b' })).toEqual([]);
});
