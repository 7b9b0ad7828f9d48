import type { z } from 'zod';
import type { Action } from '../../report/action.ts';
import type { action as schema } from '../schema/action.ts';

/** Without the options that are not given. */
export function encodeAction({
  operation,
  positionals = [],
  options = {},
  into,
}: Action): z.infer<typeof schema> {
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [[name, value] as const],
  );
  return {
    operation,
    positionals: [...positionals],
    options: Object.fromEntries(given),
    ...(into !== undefined && { into }),
  };
}
