import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sayIssue } from './say-issue.ts';

describe('a value of the wrong kind', () => {
  it.each([
    ['a share', z.number().min(0).max(1), 'a number, such as 0.75'],
    ['a share with a default', z.number().min(0).max(1).default(0.4), 'a number, such as 0.75'],
    ['a count', z.number().int().positive(), 'a whole number, such as 5'],
    ['a large number', z.number().min(100), 'a number, such as 100'],
    ['any number', z.number(), 'a number, such as 5'],
  ])('is told a value that would be right: %s', (_, schema, words) => {
    const { error } = schema.safeParse('low', { error: sayIssue });
    expect(error?.issues[0]?.message).toBe(`is "low" and should be ${words}`);
  });
});
