import type { Given } from '../report/action.ts';
import { maskLine, secretsIn } from '../secrets.ts';
import type { Arguments, Options } from './command.ts';

/** The options that were typed; those that only repeat a default are left out. */
export function givenOf({ values }: Arguments, options: Options): Given {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === false || value === options[name]?.default
        ? []
        : [[name, name === 'command' && typeof value === 'string' ? withoutKeys(value) : value]],
    ),
  );
}

/** A report with this line in it may be passed on. */
function withoutKeys(command: string): string {
  return maskLine(command, secretsIn(command.split(/[\s'"]+/), process.env));
}
