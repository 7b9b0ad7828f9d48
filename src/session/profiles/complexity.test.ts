import { describe, expect, it } from 'vitest';
import { runWith } from '../run-with.ts';
import { complexityOf } from './complexity.ts';

describe('complexity', () => {
  it.each([
    ['simple', { tools: { calls: 5 }, turns: 3, outputChars: 2500 }],
    ['moderate', { tools: { calls: 6 } }],
    ['moderate', { spawned: 1 }],
    ['moderate', { outputChars: 2501 }],
    ['complex', { tools: { calls: 30 } }],
    ['complex', { artifacts: [{ artifact: 'file', made: 5, failed: 0, lines: [] }] }],
    ['complex', { turns: 12 }],
  ] as const)('is %s for %j', (complexity, fields) => {
    expect(complexityOf(runWith(fields)).complexity).toBe(complexity);
  });

  it('names the fact that decided', () => {
    expect(complexityOf(runWith({ tools: { calls: 44 } })).reason).toBe('44 tool calls');
  });
});
