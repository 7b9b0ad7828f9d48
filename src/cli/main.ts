import type { Arguments, Command, Options, Terminal } from './command.ts';
import { assayHelp, commandHelp, findEntry, groupHelp, wordsAfterName } from './help.ts';
import { parseArguments } from './parse-arguments.ts';
import { sayError } from './say-error.ts';
import { openTerminal } from './terminal.ts';

/** `host` is this process, or what a test puts in its place. */
export async function main(argv: readonly string[], host: NodeJS.Process = process): Promise<void> {
  let terminal: ReturnType<typeof openTerminal> | undefined;
  try {
    terminal = openTerminal(host, argv);
    const exitCode = await dispatch(argv, terminal);
    for (const error of terminal.failures) terminal.note(sayError(error, argv.includes('--debug')));
    host.exitCode = terminal.failures.length > 0 ? 3 : exitCode;
  } catch (error) {
    const message = sayError(error, argv.includes('--debug'));
    terminal?.progress('');
    host.exitCode = 3;
    if (terminal === undefined) host.stderr.write(message);
    else terminal.note(message);
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  // Words after `--` are no options: an id may look like one.
  const end = argv.indexOf('--');
  const isHelp = (word: string, place: number): boolean =>
    ['-h', '--help'].includes(word) && (end < 0 || place < end);
  const wantsHelp = argv.some(isHelp) || argv[0] === 'help';
  const words = argv.filter((word, place) => !isHelp(word, place)).slice(argv[0] === 'help' ? 1 : 0);
  if (wantsHelp && words.every((word) => word.startsWith('-')))
    return show(assayHelp(terminal.width), terminal);
  const entry = findEntry(words);
  if (entry === undefined) return show(groupHelp(words, terminal), terminal);
  const { command } = await entry.load();
  if (wantsHelp) return show(commandHelp(command, terminal.width), terminal);
  const args = await parseArguments(command, wordsAfterName(words, command.name));
  const target = command.audited?.(args);
  if (target === undefined) return run(command, args, terminal);
  const { runAudited } = await import('./audit/record-command.ts');
  return runAudited(command, target, args, terminal, () => run(command, args, terminal));
}

/** What only some results need is loaded for those. */
async function run(command: Command, args: Arguments<Options>, host: Terminal): Promise<number> {
  const terminal = command.dataOnly === true ? { ...host, dataOnly: command.dataOnly } : host;
  const { out, open, quiet } = args.values;
  if (out === undefined && open !== true && quiet !== true) return command.run(args, terminal);
  const { runInto } = await import('./result-file.ts');
  return runInto(command, args, terminal);
}

function show(text: string, terminal: Terminal): number {
  terminal.print(text);
  return 0;
}
