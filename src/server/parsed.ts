/** What comes in, checked by its schema; what is wrong is said with its place. */
import type { z } from 'zod';
import { AssayError } from '../errors.ts';
import { sayIssue } from '../say-issue.ts';

export function parsed(schema: z.ZodType, value: unknown, where: string): unknown {
  const result = schema.safeParse(value, { error: sayIssue });
  if (result.success) return result.data;
  const issue = nearestIssue(result.error.issues);
  const place = [where, ...(issue?.path ?? [])].join('.');
  throw new AssayError('REQUEST_INVALID', `${place}: ${issue?.message ?? 'is wrong'}`);
}

/** Where one or many may be sent, what is wrong is said of the form that was meant: the one that is wrong further inside. */
function nearestIssue([issue]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  const inside = issue.errors.map(nearestIssue).find((one) => one !== undefined && one.path.length > 0);
  return inside === undefined ? issue : { ...inside, path: [...issue.path, ...inside.path] };
}
