import type { Command, Options } from './command.ts';
import { GLOBAL_OPTIONS } from './command.ts';
import { COMMANDS, DEFAULT_COMMAND, type Entry } from './commands.ts';

const WIDTH = 26;
const PAGE = 100;

function row(left: string, right: string): string {
  const [first = '', ...more] = wrap(right, PAGE - WIDTH - 2);
  const below = more.map((line) => `\n  ${' '.repeat(WIDTH)}${line}`).join('');
  return left.length < WIDTH
    ? `  ${left.padEnd(WIDTH)}${first}${below}`
    : `  ${left}\n  ${' '.repeat(WIDTH)}${first}${below}`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** A long command goes on as a shell reads it, so that it can be copied. */
function exampleLines(example: string): string {
  return wrap(example, PAGE - 8)
    .map((line, i) => `${i === 0 ? '  ' : '    '}${line}`)
    .join(' \\\n');
}

function optionRows(options: Options): string[] {
  return Object.entries(options).map(([name, option]) => {
    const value = option.type === 'string' ? ` ${option.choices?.join('|') ?? option.value ?? 'VALUE'}` : '';
    const fallback = option.default === undefined ? '' : ` (default ${option.default})`;
    return row(`--${name}${value}`, `${option.doc}${fallback}`);
  });
}

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
export function groupHelp(words: string, commands: readonly Entry[]): string {
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
