/** Field schemas shared by truths, runs and experiments. */
import { z } from 'zod';
import { AssayError, type WayOut } from '../../errors.ts';
import { show, tryParse } from '../../say-issue.ts';

/** More than any real file has; an upper bound protects readers from hostile input. */
export const MAX_ITEMS = 100_000;

export const text = z.string().trim().min(1).max(50_000);

/** A name for tables and messages: one line without control characters. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^\P{Cc}*$/u, 'must be one line without control characters');

/** Paths are compared as text, so they are normalised: forward slashes, no leading `./`. */
export const file = name.overwrite(normalPath);

export function normalPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '');
}

const line = z.int().min(1, 'lines count from 1').max(100_000_000);

export const lines = z
  .tuple([line, line], { error: (issue) => `must be [from, to], two line numbers, not ${show(issue.input)}` })
  .refine(([from, to]) => from <= to, {
    error: ({ input }) => `${show(input)} is reversed; the first line comes first`,
  });

/**
 * Line numbers as other tools write them: some use 0 for an unknown line or omit an end equal to the start. If a range
 * ends before it begins, its lines are swapped.
 */
export function linesOf(from: number | undefined, to: number | undefined): [number, number] | undefined {
  if (from === undefined || from < 1) return undefined;
  const end = to === undefined || to < 1 ? from : to;
  return [Math.min(from, end), Math.max(from, end)];
}

export const location = strict({
  file: file.optional(),
  section: name.optional(),
  lines: lines.optional(),
}).refine(
  (place) => Object.values(place).some((part) => part !== undefined),
  'is empty; give a file, a section or lines, or remove the location',
);

/** Free-form properties. Assay stores but does not interpret them. */
export const properties = z.record(z.string(), z.unknown()).optional();

type Repeat<Item> = {
  readonly item: Item;
  readonly index: number;
  readonly original: Item;
  readonly first: number;
};

/** Every item whose key occurred before, with the first item of that key. */
export function repeats<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown = (item) => item,
): Repeat<Item>[] {
  const seen = new Map<unknown, Pick<Repeat<Item>, 'original' | 'first'>>();
  return items.flatMap((item, index) => {
    const key = keyOf(item);
    const known = seen.get(key);
    if (known === undefined) seen.set(key, { original: item, first: index });
    return known === undefined ? [] : [{ item, index, ...known }];
  });
}

/** Whether the value is a plain object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Input validation: every fault names its file, its line if the format has lines, and its place. */

export type FieldPlace = readonly PropertyKey[];

/** The content of a file before its shape is validated. */
export type RawValue = {
  readonly path: string;
  readonly value: unknown;
  /** The line of a place in the text; absent for JSON, where a path identifies the place. */
  readonly lineOf?: (place: FieldPlace) => number | undefined;
};

export type Fault = {
  readonly file: string;
  readonly line?: number;
  readonly place: string;
  readonly message: string;
};

/** The file is readable, but its content is invalid. Contains every fault; the message shows the first. */
export class InvalidInput extends AssayError {
  readonly faults: readonly Fault[];

  constructor(
    faults: readonly Fault[],
    options: { remedy?: string | readonly WayOut[]; cause?: unknown } = {},
  ) {
    const [first] = faults;
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
    super(
      'INPUT_INVALID',
      first === undefined ? 'the input is not valid' : `${faultText(first)}${more}`,
      more === '' || options.remedy !== undefined ? options : { ...options, remedy: allFaults(first?.file) },
    );
    this.faults = faults;
  }
}

function allFaults(file = ''): readonly WayOut[] {
  return [{ say: 'See all of them', step: { operation: 'workflow lint', positionals: [file] } }];
}

function faultText({ file, line, place, message }: Fault): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${place}: ${message}`;
}

function faultAt(source: RawValue, place: FieldPlace, message: string): Fault {
  const line = source.lineOf?.(place);
  return {
    file: source.path,
    line,
    place: place.length === 0 ? 'the whole document' : place.map(String).join('.'),
    message,
  };
}

export function refuse(
  source: RawValue,
  place: FieldPlace,
  message: string,
  remedy?: string | readonly WayOut[],
): InvalidInput {
  return new InvalidInput([faultAt(source, place, message)], remedy === undefined ? {} : { remedy });
}

export function check<T extends z.ZodType>(schema: T, source: RawValue, remedy?: string): z.infer<T> {
  const parsed = tryParse(schema, source.value, source.path);
  if (parsed.success) return parsed.data;
  throw new InvalidInput(
    parsed.error.issues.map(({ path, message }) => faultAt(source, path, message)),
    { cause: parsed.error, remedy },
  );
}

/** An object without unknown keys; the error lists the valid ones. */
export function strict<T extends z.ZodRawShape>(shape: T) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has the unknown key ${issue.keys.map(show).join(', ')}; valid keys are ${known}`
        : undefined,
  });
}
