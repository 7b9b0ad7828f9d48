/** What is wrong with a value that somebody wrote, in their words: what is there, what it should be, and how that looks. */
import type { z } from 'zod';

/** For zod, in place of its own words where they say less than a person needs. */
export function sayIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing; it is ${kindOf(issue.expected)}`
        : `is ${show(issue.input)} and should be ${kindOf(issue.expected)}`;
    case 'invalid_value':
      return issue.input === undefined
        ? `is missing; it is one of ${issue.values.join(', ')}`
        : `${show(issue.input)} is not known; it is one of ${issue.values.join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' ? 'is empty' : undefined;
    default:
      return undefined;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text, such as "two words"',
  number: 'a number, such as 0.75',
  int: 'a whole number, such as 3',
  boolean: 'true or false',
  array: 'a list, such as ["one", "two"]',
  object: 'an object, such as {"name": "value"}',
  record: 'an object, such as {"name": "value"}',
};

function kindOf(expected: string): string {
  return Object.hasOwn(KINDS, expected) ? (KINDS[expected] ?? expected) : `of the kind ${expected}`;
}

/** A value as a message shows it: short, on one line, and never walked through when it is large or deep. */
export function show(value: unknown): string {
  const isFlat = (one: unknown) => typeof one !== 'object' || one === null;
  if (Array.isArray(value) && !(value.length <= 4 && value.every(isFlat))) return 'a list';
  if (!Array.isArray(value) && !isFlat(value)) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
