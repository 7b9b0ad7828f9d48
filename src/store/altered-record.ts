import { AssayError } from '../errors.ts';
import type { Field } from './fields.ts';

/**
 * What `read` makes of a row. Where it is not as it was written and such are asked for: what stands in it, with the hash
 * that it was written with, which is the last of the row.
 */
export function readOrAltered<R>(
  fields: readonly Field[],
  row: readonly unknown[],
  altered: 'told' | undefined,
  read: () => R,
): R {
  try {
    return read();
  } catch (error) {
    const isDamage = error instanceof AssayError && error.code === 'STORE_CORRUPT';
    if (altered === undefined || !isDamage) throw error;
    return { ...whatStands(fields, row), alteredFrom: String(row[fields.length]) } as R;
  }
}

function whatStands(fields: readonly Field[], row: readonly unknown[]): Record<string, unknown> {
  const values = fields.flatMap(({ name, kind, optional }, i) => {
    const value = row[i] ?? undefined;
    if (value === undefined && optional) return [];
    return [[name, kind === 'number' ? Number(value) || 0 : String(value ?? '')] as const];
  });
  return Object.fromEntries(values);
}
