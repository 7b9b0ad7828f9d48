import type { Command } from './command.ts';
import { GLOBAL_OPTIONS } from './command.ts';
import { COMMANDS, type CommandEntry, DEFAULT_COMMAND } from './commands.ts';
import { exampleLines, optionRows, PAGE, row, wrap } from './help-rows.ts';

const EXIT_HELP = [
  'Exit codes: 0 passed, 1 blocked by a gate, 2 inconclusive, 3 could not run.',
  'Assay reads local files and needs no key, no server and no configuration.',
];

export const ASSAY_HELP: string = [
  'assay: know how good the work of your LLMs is.',
  '',
  'Usage: assay [COMMAND] [OPTIONS]',
  '',
  'Commands',
  ...COMMANDS.map(({ name, summary }) =>
    row(name, name === DEFAULT_COMMAND ? `${summary} (default)` : summary),
  ),
  '',
  'Options',
  ...optionRows({ ...GLOBAL_OPTIONS, version: { type: 'boolean', doc: 'Show the version' } }),
  '',
  ...EXIT_HELP,
  'Example: assay metrics decomposition/overall',
  '',
].join('\n');

/** Help for the first words of several commands, such as `assay sessions`. */
export function groupHelp(words: string, commands: readonly CommandEntry[]): string {
  return [
    `Usage: assay ${words} COMMAND [OPTIONS]`,
    '',
    'Commands',
    ...commands.map(({ name, summary }) => row(name, summary)),
    '',
    `Example: assay ${commands[0]?.name ?? words} --help`,
    '',
  ].join('\n');
}

export function commandHelp(command: Command): string {
  const usage = ['assay', command.name, command.positionals?.usage, '[OPTIONS]'].filter(Boolean).join(' ');
  return [
    `${command.summary}.`,
    '',
    `Usage: ${usage}`,
    '',
    'Options',
    ...optionRows({ ...command.options, ...GLOBAL_OPTIONS }),
    '',
    command.examples.length > 1 ? 'Examples' : 'Example',
    ...command.examples.map(exampleLines),
    ...(command.notes === undefined ? [] : ['', ...command.notes.flatMap((note) => wrap(note, PAGE))]),
    '',
  ].join('\n');
}
