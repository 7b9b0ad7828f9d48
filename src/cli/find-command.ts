import { COMMANDS, type CommandEntry, DEFAULT_COMMAND } from './commands.ts';

/** `assay` alone, or with options only, runs the main job. */
export function findEntry(words: readonly string[]): CommandEntry | undefined {
  if (words[0] === undefined || words[0].startsWith('-')) {
    return COMMANDS.find((command) => command.name === DEFAULT_COMMAND);
  }
  // The longest name wins, so that a group of commands can also be a command of its own.
  return COMMANDS.filter((command) => words.slice(0, nameLength(command.name)).join(' ') === command.name)
    .toSorted((a, b) => b.name.length - a.name.length)
    .at(0);
}

/** How many words a name has. */
export function nameLength(name: string): number {
  return name.split(' ').length;
}
