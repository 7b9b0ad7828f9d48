import { type Command, defineCommand, optionsOf } from './command.ts';
import { COMMANDS } from './command-list.ts';

/** Where nothing of ours fits, the shell completes file names. */
const SCRIPTS: Readonly<Record<string, (after: WordsAfter) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const command = defineCommand({
  name: 'completion',
  summary: 'Print the script that completes commands and options in bash, zsh or fish',
  positionals: { usage: 'bash|zsh|fish', max: 1 },
  options: {},
  examples: [
    'assay completion bash > ~/.local/share/bash-completion/completions/assay',
    'assay completion zsh > ~/.zfunc/_assay',
    'assay completion fish > ~/.config/fish/completions/assay.fish',
  ],
  notes: [
    'For the current bash only: source <(assay completion bash). For zsh, the folder must be in fpath.',
  ],
  run: async ({ positionals: [shell] }, terminal) => {
    const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined) throw await unknownShell(shell);
    const commands = await Promise.all(COMMANDS.map(async (entry) => (await entry.load()).command));
    terminal.print(script(wordsAfter(commands)));
    return 0;
  },
});

async function unknownShell(shell: string | undefined): Promise<Error> {
  const { AssayError } = await import('../errors.ts');
  const choices = Object.keys(SCRIPTS).join(', ');
  const which = shell === undefined ? 'needs the name of a shell' : `does not know "${shell}"`;
  return new AssayError('USAGE', `assay completion ${which}: ${choices}`, {
    remedy: 'For example, assay completion bash prints the script for bash.',
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
    for (const [word, option] of Object.entries(optionsOf(command)))
      add(name, `--${word}`, option.doc, option.type === 'choice' ? option.choices : []);
  }
  return new Map(
    [...after].map(([start, words]) => [start, [...words].map(([word, rest]) => ({ word, ...rest }))]),
  );
}

/** Beginning of a command → the words that may follow it. */
type WordsAfter = ReadonlyMap<
  string,
  readonly { readonly word: string; readonly doc: string; readonly choices: readonly string[] }[]
>;

/** Options with a fixed set of values: `sessions list --format` → its values. */
function choicesOf(after: WordsAfter): [string, readonly string[]][] {
  return [...after].flatMap(([start, words]) =>
    words.flatMap(({ word, choices }): [string, readonly string[]][] =>
      choices.length === 0 ? [] : [[`${start} ${word}`, choices]],
    ),
  );
}

/** Our own words hold quotes now and then. */
function quoted(text: string, quote: "'" | '"' = "'"): string {
  return quote === "'" ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}

function branches(entries: readonly (readonly [string, readonly string[]])[]): string {
  return entries.map(([key, words]) => `    '${key}') words='${words.join(' ')}' ;;`).join('\n');
}

function bashScript(after: WordsAfter): string {
  const starts = [...after.keys()].filter((start) => start !== '');
  return `# Completion of assay for bash: source <(assay completion bash)
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" start='' words='' next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${start:+$start }\${COMP_WORDS[i]}"
    case "$next" in
    ${starts.map((start) => `'${start}'`).join('|')}) start="$next" ;;
    esac
  done
  case "$start $before" in
${branches(choicesOf(after))}
  esac
  [[ -z $words ]] && case "$start" in
${branches([...after].map(([start, words]) => [start, words.map(({ word }) => word)]))}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _assay assay
`;
}

function fishScript(after: WordsAfter): string {
  const lines = [...after].flatMap(([start, words]) =>
    words.map(({ word, doc, choices }) => {
      const at = `-n ${quoted(`__assay_at ${quoted(start, '"')}`)}`;
      if (!word.startsWith('--')) return `complete -c assay ${at} -f -a ${word} -d ${quoted(doc)}`;
      const values = choices.length === 0 ? '' : ` -x -a ${quoted(choices.join(' '))}`;
      return `complete -c assay ${at} -l ${word.slice(2)}${values} -d ${quoted(doc)}`;
    }),
  );
  const starts = [...after.keys()].filter((start) => start !== '').map((start) => quoted(start));
  return `# Completion of assay for fish
function __assay_at
  set -l start ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$start $word")
    contains -- $next ${starts.join(' ')}; and set start $next
  end
  test "$start" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function zshScript(after: WordsAfter): string {
  const described = (words: readonly { readonly word: string; readonly doc: string }[]) =>
    words.map(({ word, doc }) => `      ${quoted(`${word.replaceAll(':', '\\:')}:${doc}`)}`).join('\n');
  return `#compdef assay
# Completion of assay for zsh: assay completion zsh > a folder of fpath, as _assay
_assay() {
  local start='' next before="\${words[CURRENT-1]}"
  local -a found
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    next="\${start:+$start }\${words[i]}"
    case "$next" in
    ${[...after.keys()]
      .filter((start) => start !== '')
      .map((start) => `(${quoted(start)})`)
      .map((pattern) => `${pattern} start="$next" ;;`)
      .join('\n    ')}
    esac
  done
  case "$start $before" in
${choicesOf(after)
  .map(([key, choices]) => `    (${quoted(key)}) compadd -- ${choices.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case "$start" in
${[...after].map(([start, words]) => `    (${quoted(start)}) found=(\n${described(words)}\n    ) ;;`).join('\n')}
  esac
  _describe -V 'assay' found || _files
}
if [[ $funcstack[1] == _assay ]]; then _assay "$@"; else compdef _assay assay; fi
`;
}
