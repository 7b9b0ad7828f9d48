/** JSON files that users edit by hand or store for a long time. */
import type { z } from 'zod';
import { AssayError, type WayOut } from '../errors.ts';
import { readJson } from '../files.ts';

/** Parses by the schema; an error names the place of the problem. */
export function readChecked<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  {
    remedy,
    json = readJson(path),
  }: { readonly remedy?: string | readonly WayOut[]; readonly json?: unknown } = {},
): z.infer<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.map(String).join('.') || 'the whole file';
  throw new AssayError('INPUT_INVALID', `${path}: ${place}: ${issue?.message}`, {
    cause: parsed.error,
    ...(remedy !== undefined && { remedy }),
  });
}
