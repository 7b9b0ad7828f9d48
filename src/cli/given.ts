import type { Given } from '../report/action.ts';
import type { Arguments, Options } from './command.ts';

/** The options that were typed; those that only repeat a default are left out. */
export function givenOf({ values }: Arguments, options: Options): Given {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === false || value === options[name]?.default ? [] : [[name, value]],
    ),
  );
}
