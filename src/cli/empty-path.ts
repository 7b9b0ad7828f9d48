import type { Arguments, Command } from './command.ts';

/** What options are called in help whose value is a folder. */
const FOLDERS = ['DIR', 'FOLDER'];

/**
 * What is wrong with an empty word, as a shell leaves of a variable that is not set: as a path it would mean the current
 * folder.
 */
export function emptyPath(
  { options, positionals: taken }: Command,
  values: Arguments['values'],
  positionals: readonly string[],
): string | undefined {
  if (positionals.includes('')) return `an empty word was given for ${taken?.usage}; is a variable not set?`;
  const name = Object.entries(options).find(
    ([key, { value = '' }]) => values[key] === '' && FOLDERS.includes(value),
  )?.[0];
  return name && `--${name} needs the path of a folder, and an empty one was given; is a variable not set?`;
}
