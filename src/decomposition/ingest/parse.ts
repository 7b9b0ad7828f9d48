import type { z } from 'zod';
import { AssayError, type WayOut } from '../../errors.ts';
import { tryParse } from '../../say-issue.ts';

/** Input validation: the error names the file and the place in it. */
export function parseWith<T extends z.ZodType>(
  schema: T,
  value: unknown,
  path: string,
  tellsAll?: WayOut,
): z.infer<T> {
  const parsed = tryParse(schema, value, path);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const more = parsed.error.issues.length - 1;
  throw new AssayError(
    'INPUT_INVALID',
    `${path}: ${placeOf(issue?.path ?? [])}: ${issue?.message}${more > 0 ? ` (and ${more} more)` : ''}`,
    { cause: parsed.error, ...(more > 0 && tellsAll !== undefined && { remedy: [tellsAll] }) },
  );
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'the whole document' : path.map(String).join('.');
}
