import { type Arguments, type Command, GLOBAL_OPTIONS, type Terminal } from './command.ts';
import { COMMANDS, DEFAULT_COMMAND } from './commands.ts';
import { ASSAY_HELP, commandHelp } from './help.ts';
import { parseArguments } from './parse-arguments.ts';
import { sayError } from './say-error.ts';
import { openTerminal } from './terminal.ts';

export async function main(argv: readonly string[]): Promise<void> {
  const terminal = openTerminal(process, argv);
  try {
    process.exitCode = await dispatch(argv, terminal);
  } catch (error) {
    terminal.progress('');
    terminal.note(sayError(error, argv.includes('--debug')));
    process.exitCode = 3;
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const asksHelp = argv.includes('--help') || argv.includes('-h') || argv[0] === 'help';
  const words = (argv[0] === 'help' ? argv.slice(1) : argv).filter((word) => word !== '-h');
  const [first] = words;
  if (asksHelp && (first === undefined || first.startsWith('-'))) return show(ASSAY_HELP, terminal);
  const entry = findEntry(words);
  if (entry === undefined) {
    const { AssayError } = await import('../errors.ts');
    const { didYouMean } = await import('../suggest.ts');
    const hint = didYouMean(
      first ?? '',
      COMMANDS.map((command) => command.name),
    );
    throw new AssayError('USAGE', `assay has no command "${first}"${hint}`, {
      remedy: 'assay --help lists the commands.',
    });
  }
  const { command } = await entry.load();
  if (asksHelp) return show(commandHelp(command), terminal);
  return command.run(parse(command, words), terminal);
}

/** `assay` alone, or with options only, runs the main job. */
function findEntry(words: readonly string[]): (typeof COMMANDS)[number] | undefined {
  if (words[0] === undefined || words[0].startsWith('-')) {
    return COMMANDS.find((command) => command.name === DEFAULT_COMMAND);
  }
  // The longest name wins, so that a group of commands can also be a command of its own.
  return COMMANDS.filter((command) => words.slice(0, nameLength(command.name)).join(' ') === command.name)
    .toSorted((a, b) => b.name.length - a.name.length)
    .at(0);
}

function nameLength(name: string): number {
  return name.split(' ').length;
}

function parse(command: Command, words: readonly string[]): Arguments {
  const named = words.slice(0, nameLength(command.name)).join(' ') === command.name;
  return parseArguments(command, named ? words.slice(nameLength(command.name)) : words, GLOBAL_OPTIONS);
}

function show(text: string, terminal: Terminal): number {
  terminal.print(text);
  return 0;
}
