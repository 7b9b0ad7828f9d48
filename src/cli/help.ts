/** Every page of help, and which command the first words name. */
import { AssayError } from '../errors.ts';
import { didYouMean } from '../suggest.ts';
import { type Command, type CommandEntry, type Option, optionsOf, type Terminal } from './command.ts';
import { COMMANDS } from './command-list.ts';

/** What `assay` does without a command. */
const DEFAULT_COMMAND = 'overview';

/** `assay` alone, or with options only, runs the main job. */
export function findEntry(words: readonly string[]): CommandEntry | undefined {
  const isBare = words[0] === undefined || words[0].startsWith('-');
  // The longest name wins, so that a group of commands can also be a command.
  return COMMANDS.filter(({ name }) => (isBare ? name === DEFAULT_COMMAND : startsWith(words, name)))
    .toSorted((a, b) => b.name.length - a.name.length)
    .at(0);
}

function startsWith(words: readonly string[], name: string): boolean {
  return words.slice(0, nameLength(name)).join(' ') === name;
}

/** What follows the name of the command. */
export function wordsAfterName(words: readonly string[], name: string): readonly string[] {
  return startsWith(words, name) ? words.slice(nameLength(name)) : words;
}

function nameLength(name: string): number {
  return name.split(' ').length;
}

function commandsBelow(words: string): readonly CommandEntry[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${words} `));
}

/** The first words of several commands list them; anything else is not understood. */
export function groupHelp(words: readonly string[], { width }: Pick<Terminal, 'width'>): string {
  const named = words.filter((word) => !word.startsWith('-'));
  const group = [named.slice(0, 2).join(' '), named[0] ?? ''].find(
    (start) => commandsBelow(start).length > 0,
  );
  if (group === undefined || group.split(' ').length < named.length) throw unknownCommand(named, group);
  const commands = commandsBelow(group);
  const page = Math.min(PAGE, width);
  return [
    `Usage: assay ${group} COMMAND [OPTIONS]`,
    '',
    'Commands',
    ...commands.map(({ name, summary }) => row(name, summary, page)),
    '',
    `Example: assay ${commands[0]?.name ?? group} --help`,
    '',
  ].join('\n');
}

function unknownCommand(named: readonly string[], group: string | undefined): AssayError {
  const names = (group === undefined ? COMMANDS : commandsBelow(group)).map(({ name }) => name);
  const groups = names.flatMap((name) => (name.includes(' ') ? name.split(' ').slice(0, 1) : []));
  const starts = [3, 2, 1].map((length) => named.slice(0, length).join(' '));
  const typed =
    starts.find((start) => didYouMean(start, names) !== '') ??
    named.slice(0, (group?.split(' ').length ?? 0) + 1).join(' ');
  const hint = didYouMean(typed, names) || didYouMean(typed, groups);
  return new AssayError('USAGE', `assay has no command "${typed}"${hint}`, {
    remedy: `assay ${group === undefined ? '' : `${group} `}--help lists the commands.`,
  });
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
    ...Object.entries(optionsOf(command)).map(([name, option]) => optionRow(name, option, page)),
    '',
    command.examples.length > 1 ? 'Examples' : 'Example',
    ...command.examples.map((example) => exampleLines(example, page)),
    ...(command.notes === undefined ? [] : ['', ...command.notes.flatMap((note) => wrap(note, page))]),
    '',
  ].join('\n');
}

/** Longer lines are hard to read, however wide the screen is. */
const PAGE = 100;
const LEFT = 26;

function row(left: string, right: string, page: number): string {
  const indent = `\n  ${' '.repeat(LEFT)}`;
  const text = wrap(right, page - LEFT - 2).join(indent);
  return left.length < LEFT ? `  ${left.padEnd(LEFT)}${text}` : `  ${left}${indent}${text}`;
}

function optionRow(name: string, option: Option, page: number): string {
  const value =
    option.type === 'flag'
      ? ''
      : ` ${option.type === 'choice' ? option.choices.join('|') : (option.value ?? 'VALUE')}`;
  const fallback = 'default' in option && option.default !== undefined ? ` (default ${option.default})` : '';
  return row(`--${name}${value}`, `${option.doc}${fallback}`, page);
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
function exampleLines(example: string, page: number): string {
  return wrap(example, page - 8)
    .map((line, i) => `${i === 0 ? '  ' : '    '}${line}`)
    .join(' \\\n');
}

type Instrument = {
  readonly title: string;
  /** The most used commands, in the order of use, each in a few words. */
  readonly commands: Readonly<Record<string, string>>;
};

const INSTRUMENTS: readonly Instrument[] = [
  {
    title: 'Sessions: how agent sessions went (all commands: assay sessions --help)',
    commands: {
      'sessions attention': 'what went wrong, with the line that proves it',
      'sessions list': 'request, Q, cost and reason of each session',
      'sessions explain': 'why a session got its score, with its lines',
      'sessions roi': 'quality per dollar by model, project or day',
      'sessions verify': 'run your tests before and after its commits',
    },
  },
  {
    title: 'Extraction evals: concepts and relationships against golden cases',
    commands: {
      'decomposition extract': 'extract with a model, a program or offline',
      'decomposition run': 'measure all golden cases, and gate',
      'decomposition investigate': 'why a case fails, and what to try',
      'decomposition compare': 'compare with the baseline',
      'decomposition lint': 'check the golden cases',
    },
  },
  {
    title: 'Review evals: how well a review finds known errors over repeated runs',
    commands: {
      'workflow score': 'detection, severity, depth, cost, stability',
      'workflow compare': 'is the new version better, or is it noise?',
      'workflow report': 'a whole experiment on a page',
      'workflow heatmap': 'detection by category',
      'workflow blind start': 'start a blind evaluation',
    },
  },
];

/** One screen of 80 by 24. */
export function assayHelp(width = PAGE): string {
  const page = Math.min(PAGE, width);
  const alone = COMMANDS.map(({ name }) => name).filter(
    (name) => !name.includes(' ') && name !== DEFAULT_COMMAND,
  );
  return [
    ...wrap('assay [COMMAND] [OPTIONS]: measure the quality of LLM work', page),
    ...INSTRUMENTS.flatMap(({ title, commands }, i) => [
      ...(i === 0 ? [] : ['']),
      ...wrap(title, page),
      ...Object.entries(commands).map(([name, says]) => row(name, says, page)),
    ]),
    ...wrap(`Also: ${alone.join(', ')}`, page),
    ...wrap('Exit codes: 0 passed, 1 blocked by a gate, 2 inconclusive, 3 could not run', page),
    '',
  ].join('\n');
}
