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
  // Once by words, once by what quotes hold together: a header has its name and its key in one.
  const words = [...command.split(/[\s'"]+/), ...command.split(/['"]/)];
  return maskLine(command, secretsIn(words, process.env));
}
