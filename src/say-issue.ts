/** Words for an invalid value: what it is, what it should be, and an example. */
import type { z } from 'zod';
import { AssayError } from './errors.ts';

/** Replaces zod's message where it says too little. */
export function sayIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `is missing; it is ${kindOf(issue)}`;
      // What was written is lost where it was to be made a number.
      return Number.isNaN(issue.input)
        ? `is no number and should be ${kindOf(issue)}`
        : `is ${show(issue.input)} and should be ${kindOf(issue)}`;
    case 'invalid_value':
      return issue.input === undefined
        ? `is missing; it is one of ${issue.values.join(', ')}`
        : `${show(issue.input)} is not known; it is one of ${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string') return 'is empty';
      return sayBound(issue, 'at least', issue.minimum);
    case 'too_big':
      return sayBound(issue, 'at most', issue.maximum);
    default:
      return undefined;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text, such as "two words"',
  int: 'a whole number, such as 3',
  boolean: 'true or false',
  array: 'a list, such as ["one", "two"]',
  object: 'an object, such as {"name": "value"}',
  tuple: 'a list of two numbers, such as [15, 25]',
  record: 'an object, such as {"name": "value"}',
};

type Wrong = z.core.$ZodRawIssue;

function kindOf({ expected, inst }: Wrong & { readonly code: 'invalid_type' }): string {
  if (expected === 'number')
    return `${isWhole(inst) ? 'a whole number, such as' : 'a number, such as'} ${exampleFor(inst)}`;
  return Object.hasOwn(KINDS, expected) ? (KINDS[expected] ?? expected) : `of the kind ${expected}`;
}

/** What zod stores about a number: whether it is an integer, and its range. */
type NumberRule = { readonly check?: string; readonly format?: string; readonly value?: unknown };
type NumberSchema = {
  readonly _zod?: {
    readonly def?: NumberRule & {
      readonly checks?: readonly { readonly _zod?: { readonly def?: NumberRule } }[];
    };
  };
};

function rulesOf(inst: unknown): NumberRule[] {
  const def = (inst as NumberSchema | undefined)?._zod?.def;
  return [def, ...(def?.checks ?? []).map((check) => check._zod?.def)].flatMap((rule) => rule ?? []);
}

function isWhole(inst: unknown): boolean {
  return rulesOf(inst).some(({ format }) => format?.includes('int') === true);
}

/** A value that would be right. */
function exampleFor(inst: unknown): string {
  const bound = (side: string, otherwise: number) => {
    const value = rulesOf(inst).find(({ check }) => check === side)?.value;
    return typeof value === 'number' ? value : otherwise;
  };
  const maximum = bound('less_than', Number.POSITIVE_INFINITY);
  if (!isWhole(inst) && maximum <= 1) return '0.75';
  return String(Math.min(Math.max(5, bound('greater_than', 0)), maximum));
}

function sayBound(issue: Wrong, side: string, bound: unknown): string | undefined {
  if (Array.isArray(issue.input)) return `has ${issue.input.length} and should have ${side} ${String(bound)}`;
  if (typeof issue.input !== 'number') return undefined;
  return `is ${show(issue.input)} and should be ${side} ${String(bound)}`;
}

/** A value as a message shows it: short, on one line, and never walked through when it is large or deep. */
export function show(value: unknown): string {
  const isFlat = (one: unknown) => typeof one !== 'object' || one === null;
  if (Array.isArray(value) && !(value.length <= 4 && value.every(isFlat))) return 'a list';
  if (!Array.isArray(value) && !isFlat(value)) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** As `safeParse`, in our words. A million faults, or a million levels, exhaust the stack of the library. */
export function tryParse<T extends z.ZodType>(
  schema: T,
  value: unknown,
  path: string,
): z.ZodSafeParseResult<z.infer<T>> {
  try {
    return schema.safeParse(value, { error: sayIssue });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new AssayError('INPUT_INVALID', `${path} has more faults, or more levels, than can be named`, {
      cause,
    });
  }
}
