import { AssayError } from '../errors.ts';
import { didYouMean } from '../suggest.ts';
import type { Terminal } from './command.ts';
import { COMMANDS, commandsBelow } from './commands.ts';
import { groupHelp } from './help.ts';

/** The first words of several commands list them; anything else is not understood. */
export function sayGroup(words: readonly string[], { width }: Terminal): string {
  const named = words.filter((word) => !word.startsWith('-'));
  const group = [named.slice(0, 2).join(' '), named[0] ?? ''].find(
    (start) => commandsBelow(start).length > 0,
  );
  if (group !== undefined && group.split(' ').length >= named.length) {
    return groupHelp(group, commandsBelow(group), width);
  }
  const known = group === undefined ? COMMANDS : commandsBelow(group);
  const names = known.map((command) => command.name);
  const groups = names.flatMap((name) => (name.includes(' ') ? name.split(' ').slice(0, 1) : []));
  const starts = [3, 2, 1].map((length) => named.slice(0, length).join(' '));
  const typed =
    starts.find((start) => didYouMean(start, names) !== '') ??
    named.slice(0, (group?.split(' ').length ?? 0) + 1).join(' ');
  const hint = didYouMean(typed, names) || didYouMean(typed, groups);
  throw new AssayError('USAGE', `assay has no command "${typed}"${hint}`, {
    remedy: `assay ${group === undefined ? '' : `${group} `}--help lists the commands.`,
  });
}
