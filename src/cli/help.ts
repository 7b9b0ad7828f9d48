import type { Command } from './command.ts';
import type { CommandEntry } from './commands.ts';
import { exampleLines, optionRows, PAGE, row, wrap } from './help-rows.ts';
import { optionsOf } from './options-of.ts';

/** Help for the first words of several commands, such as `assay sessions`. */
export function groupHelp(words: string, commands: readonly CommandEntry[], width = PAGE): string {
  const page = Math.min(PAGE, width);
  return [
    `Usage: assay ${words} COMMAND [OPTIONS]`,
    '',
    'Commands',
    ...commands.map(({ name, summary }) => row(name, summary, page)),
    '',
    `Example: assay ${commands[0]?.name ?? words} --help`,
    '',
  ].join('\n');
}

export function commandHelp(command: Command, width = PAGE): string {
  const page = Math.min(PAGE, width);
  const usage = ['assay', command.name, command.positionals?.usage, '[OPTIONS]'].filter(Boolean).join(' ');
  return [
    ...wrap(command.summary.endsWith('?') ? command.summary : `${command.summary}.`, page),
    '',
    ...wrap(`Usage: ${usage}`, page),
    '',
    'Options',
    ...optionRows(optionsOf(command), page),
    '',
    command.examples.length > 1 ? 'Examples' : 'Example',
    ...command.examples.map((example) => exampleLines(example, page)),
    ...(command.notes === undefined ? [] : ['', ...command.notes.flatMap((note) => wrap(note, page))]),
    '',
  ].join('\n');
}
