/** Validation at the edge: every fault is named with its file, its line where the format has lines, and its place. */
import { z } from 'zod';
import { AssayError, type WayOut } from '../../errors.ts';
import { show, tryParse } from '../../say-issue.ts';

export type FieldPlace = readonly PropertyKey[];

/** What a file holds, before its shape is known. */
export type RawValue = {
  readonly path: string;
  readonly value: unknown;
  /** Where a place stands in the text; absent for JSON, whose places are paths. */
  readonly lineOf?: (place: FieldPlace) => number | undefined;
};

export type Fault = {
  readonly file: string;
  readonly line?: number;
  readonly place: string;
  readonly message: string;
};

/** The file can be read, but it does not say what it should. Holds every fault; the message shows the first. */
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
      first === undefined ? 'the input is not valid' : `${sayFault(first)}${more}`,
      more === '' || options.remedy !== undefined ? options : { ...options, remedy: allFaults(first?.file) },
    );
    this.faults = faults;
  }
}

function allFaults(file = ''): readonly WayOut[] {
  return [{ say: 'See all of them', step: { operation: 'workflow lint', positionals: [file] } }];
}

function sayFault({ file, line, place, message }: Fault): string {
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

/** An object without unknown keys; a misspelt one is named beside those that exist. */
export function strict<T extends z.ZodRawShape>(shape: T) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has the unknown key ${issue.keys.map(show).join(', ')}; it may have ${known}`
        : undefined,
  });
}
