/**
 * Commands and programs that stand in quotes: `bash -c "…"`, `ssh host '…'`, `python -c "…"`. What is run there is what the
 * line does.
 */

/** `it's` is one word of a shell; what is escaped in double quotes is not their end. */
const QUOTED = /('[^']*'|"(?:[^"\\]|\\.)*")/.source;
const WORD = /[^\s'"|;&()<>]+/.source;
/** Between a program and its quoted words. */
const MAX_WORDS = 30;

/** Programs that take a line for a shell behind an option. */
const SHELLS = new RegExp(
  `(?:(?<!\\S)\\S*/|(?<![\\w./-]))(?:(?:ba|z|da|k|fi|a)?sh|pwsh|powershell|cmd|su|runuser|script|nix-shell|nix (?:develop|shell)|vagrant ssh|wsl|lima|flatpak)(?:\\.exe)?((?:\\s+${WORD}){0,${MAX_WORDS}}?)\\s+(?:-\\w*c|-Command|-command|/[cC]|-{2}(?:run|command))[ =]\\s*${QUOTED}`,
  'g',
);
/** `ssh host '…'`: the first quoted words behind its host. */
const REMOTE = new RegExp(
  `(?<![\\w./-])(?:ssh|mosh|gcloud compute ssh|fly ssh console|heroku run)(?:\\s+-[oiF]\\s+(?:'[^']*'|"[^"]*")|\\s+${WORD}){0,${MAX_WORDS}}?\\s+(?!-)${WORD}\\s+${QUOTED}`,
  'g',
);
const EVAL = new RegExp(`(?<![\\w./-])eval\\s+${QUOTED}`, 'g');

/** Programs that take a program of their language. */
const INTERPRETERS =
  'python[\\d.]*|node|deno eval|bun|tsx|ruby|perl|php|Rscript|R|julia|elixir|lua|matlab|octave|clojure|ghci';
const INLINE = new RegExp(
  `(?<![\\w-])(${INTERPRETERS})((?:\\s+${WORD}){0,${MAX_WORDS}}?)\\s+(-c|-e|-r|-p|-pe|-E|-{2}(?:eval|print)|-batch)[ =]\\s*${QUOTED}`,
  'g',
);
const MAX_LAYERS = 3;
/** A longer line before a here-document is data. */
const MAX_READER = 2_000;
/** Nobody types it: marks what a program in quotes does. */
const MARK = '\uE000';

/** What each of the four needs. */
const MAY_RUN_INNER =
  /\s(?:-(?:\w*c|[erpE]|pe|Command|command|batch)|\/[cC]|--(?:run|command|eval|print))[ =]|ssh|mosh|heroku|eval/;

/** The line with what is in its quotes run in brackets, and programs in quotes told by a word. */
export function withInnerCommands(command: string): string {
  if (!command.includes("'") && !command.includes('"')) return command;
  if (!MAY_RUN_INNER.test(command)) return command;
  let text = command;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const inner = text
      .replace(
        INLINE,
        (_, program: string, options: string, flag: string, quoted: string) =>
          `${program}${options} ${flag} ${inlineWord(unquoted(quoted))}`,
      )
      .replace(SHELLS, (_, _options: string, quoted: string) => `( ${unquoted(quoted)} )`)
      .replace(REMOTE, (_, quoted: string) => `( ${unquoted(quoted)} )`)
      .replace(EVAL, (_, quoted: string) => `( ${unquoted(quoted)} )`);
    if (inner === text) break;
    text = inner;
  }
  return text;
}

function unquoted(quoted: string): string {
  const inside = quoted.slice(1, -1);
  return quoted.startsWith('"') ? inside.replace(/\\(["\\$`])/g, '$1') : inside;
}

const READS_PROGRAM = new RegExp(`^(?:\\S*/)?(?:${INTERPRETERS})(?: -[-\\w]+)*(?: -)?$`);

/** What a here-document is for: a script of a shell, a program of a language, or data. */
export function readsBody(line: string): 'shell' | 'program' | undefined {
  const last = line.split(/&&|\|\||[;|]/).at(-1) ?? '';
  const words = last.trim();
  if (words.length > MAX_READER) return undefined;
  const inContainer = /\b(?:docker|podman|kubectl) /.test(words) && /\b(?:ba|z)?sh(?: -\S+)*$/.test(words);
  if (inContainer || /^(?:\S*\/)?(?:(?:ba|z|da|k)?sh)(?: -\S+)*$|^ssh(?: \S+)+$/.test(words)) return 'shell';
  return READS_PROGRAM.test(words) ? 'program' : undefined;
}

/** In place of a program: what it does, as one word. */
export function inlineWord(code: string): string {
  const look = code.slice(0, MAX_CODE);
  if (TESTS.test(look)) return `${MARK}tests`;
  if (LINT.test(look)) return `${MARK}lint`;
  const files = filesIn(look);
  return files.length === 0 ? 'Q' : `${MARK}run:${files.join(',')}`;
}

const MAX_CODE = 4_000;
const TESTS =
  /\b(?:devtools|pkgload|testthat|tinytest|RUnit)::+(?=\w*(?:test|check))\w+\(|\btest_(?:dir|file|local|package|check)\(|\b(?:Pkg\.test|ReTest\.retest|runtests|TestItemRunner\.\w+)\b|\bpytest\.main\(|\bunittest\.main\(|\bdoctest\.testmod\(|\bMinitest\.run|\bRSpec::Core::Runner|\brcmdcheck::/;
const LINT = /\blintr::lint\w*\(|\bstyler::\w+\([^)]{0,400}dry|\bpy_compile\.compile\(|\bast\.parse\(/;

const MAX_NAMES = 16;
const PLAIN = /^[\w.-]{1,80}$/;

/** Names of the files whose code it runs, as far as it says: every module may be one of them. */
function filesIn(code: string): string[] {
  const names = new Set<string>();
  const add = (name: string): void => {
    if (PLAIN.test(name) && names.size < MAX_NAMES) names.add(name);
  };
  for (const [, from, imported = ''] of code.matchAll(
    /(?:^|[;\n])[^\S\n]*from\s+([\w.]{1,120})\s+import\s+([\w, *]{1,200})/g,
  )) {
    for (const part of [...(from ?? '').split('.').slice(-2), ...imported.split(/[, ]+/).slice(0, 4)])
      if (part !== '') add(`${part}.py`);
  }
  for (const [, list = ''] of code.matchAll(/(?:^|[;\n])[^\S\n]*import\s+([\w., ]{1,200})/g)) {
    for (const part of list.split(/[., ]+/).slice(0, 6)) if (part !== '' && part !== 'as') add(`${part}.py`);
  }
  for (const [, path = ''] of code.matchAll(
    /(?:require|import|from|source|load|include|exec|runpy\.run_path|open|parse|sys\.source|require_relative|require_once)\s*(?:\(\s*)?['"`]([\w@./-]{1,200})['"`]/g,
  )) {
    const base = path.slice(path.lastIndexOf('/') + 1);
    if (/\.\w{1,5}$/.test(base)) add(base);
    else for (const end of ['js', 'ts', 'mjs', 'cjs', 'rb', 'php', 'tsx']) add(`${base}.${end}`);
  }
  return [...names];
}

export function hasInnerProgram(text: string): boolean {
  return text.includes(MARK);
}

/** What `inlineWord` said of a program in quotes: a kind of check, or the names of the files that it runs. */
export function inlineCheck(
  text: string,
): { readonly kind: 'tests' | 'lint' } | { readonly files: readonly string[] } | undefined {
  const at = text.indexOf(MARK);
  if (at < 0) return undefined;
  const word = text.slice(at + 1).split(' ')[0] ?? '';
  if (word === 'tests' || word === 'lint') return { kind: word };
  return word.startsWith('run:') ? { files: word.slice(4).split(',') } : undefined;
}
