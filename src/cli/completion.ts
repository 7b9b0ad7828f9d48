import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import type { WordsAfter } from './completion/words-after.ts';
import { zshScript } from './completion/zsh.ts';
import { optionsOf } from './options-of.ts';

/** Where nothing of ours fits, the shell completes file names. */
const SCRIPTS: Readonly<Record<string, (after: WordsAfter) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const command: Command = {
  name: 'completion',
  summary: 'Print the script that completes commands and options in bash, zsh or fish',
  positionals: { usage: 'bash|zsh|fish', max: 1 },
  options: {},
  examples: [
    'assay completion bash > ~/.local/share/bash-completion/completions/assay',
    'assay completion zsh > ~/.zfunc/_assay',
    'assay completion fish > ~/.config/fish/completions/assay.fish',
  ],
  notes: ['In one bash alone: source <(assay completion bash). For zsh the folder has to be in fpath.'],
  run: async ({ positionals: [shell] }, terminal) => {
    const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw await unknownShell(shell);
    const commands = await Promise.all(COMMANDS.map(async (entry) => (await entry.load()).command));
    terminal.print(script(wordsAfter(commands)));
    return 0;
  },
};

async function unknownShell(shell: string | undefined): Promise<Error> {
  const { AssayError } = await import('../errors.ts');
  const choices = Object.keys(SCRIPTS).join(', ');
  const which = shell === undefined ? 'needs the name of a shell' : `does not know "${shell}"`;
  return new AssayError('USAGE', `assay completion ${which}: ${choices}`, {
    remedy: 'assay completion bash prints the script for bash.',
  });
}

/** What may follow each beginning of a command. */
function wordsAfter(commands: readonly Command[]): WordsAfter {
  const after = new Map<string, Map<string, { doc: string; choices: readonly string[] }>>();
  const add = (start: string, word: string, doc: string, choices: readonly string[] = []) => {
    const words = after.get(start) ?? new Map();
    if (!words.has(word)) words.set(word, { doc, choices });
    after.set(start, words);
  };
  for (const command of commands) {
    const { name, summary } = command;
    const words = name.split(' ');
    words.forEach((word, index) => {
      const isLast = index === words.length - 1;
      add(words.slice(0, index).join(' '), word, isLast ? summary : `${word} commands`);
    });
    for (const [option, { doc, choices }] of Object.entries(optionsOf(command)))
      add(name, `--${option}`, doc, choices);
  }
  return new Map(
    [...after].map(([start, words]) => [start, [...words].map(([word, rest]) => ({ word, ...rest }))]),
  );
}
