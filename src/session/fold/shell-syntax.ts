/** Splits a command line into its simple commands, with what happens to the exit code of each. */

const MAX_PARTS = 24;
const MAX_COMMAND = 100_000;
/** Without the content of here-documents. */
const MAX_BARE = 2_000;

export type ShellPart = {
  /** One simple command without assignments, wrappers and the folder of its program. */
  readonly text: string;
  /** Its exit code is not that of the whole line: a pipe, `;` or `||` follows. */
  readonly hidden: boolean;
  /** The filter that its output passes through. */
  readonly into?: string;
  /** An `echo` that may print its exit code follows directly. */
  readonly printsExitCode?: true;
  readonly followed?: true;
};

/** The simple commands of a line, without here-documents, quoted words, assignments and wrappers. */
export function partsOf(command: string): ShellPart[] {
  const bare = bareOf(command);
  const pieces = bare.split(/(&&|\|\||\|&?|(?<![<>&\d])&(?![&>\d])|[;\n(){}])/);
  const piped = /\bset -\w*o pipefail\b/.test(bare);
  const found: { text: string; next: string }[] = [];
  for (let index = 0; index < pieces.length && found.length < MAX_PARTS; index += 2) {
    const text = wordsOf(pieces[index] ?? '');
    const next = pieces[index + 1] ?? '';
    const last = found[found.length - 1];
    if (text !== '' && !/^\d?[<>]\S*$/.test(text)) found.push({ text, next });
    // `(npm test) | tail`: what follows the bracket follows its content.
    else if (last !== undefined && /^[)}]$/.test(last.next)) last.next = next;
  }
  const lastHiding = found.slice(0, -1).findLastIndex(({ next }) => HIDES.has(next));
  return found.map(({ text, next }, at) => {
    const pipe = next.startsWith('|') && next !== '||';
    const later = at <= lastHiding;
    const into = pipe ? found[at + 1]?.text : undefined;
    const printsExitCode = (next === ';' || next === '\n') && found[at + 1]?.text.startsWith('echo') === true;
    return {
      text,
      hidden: (pipe && !piped) || later,
      into,
      ...(printsExitCode && { printsExitCode }),
      ...(at < found.length - 1 && { followed: true as const }),
    };
  });
}

/** After these the line continues whatever the exit code. */
const HIDES: ReadonlySet<string> = new Set([';', '\n', '||', '&']);

function bareOf(command: string): string {
  const plain = withoutHereDocuments(command.length > MAX_COMMAND ? command.slice(0, MAX_COMMAND) : command)
    .slice(0, MAX_BARE)
    .replace(/\\\n/g, ' ');
  return withInnerCommands(plain)
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, quoted)
    .replace(/(^|[\s;])#[^\n]*/g, '$1');
}

const HERE = /^<<-?[ \t]*(['"]?)(\w{1,40})\1/;

/**
 * The content of a here-document is not a command, unless a shell or an interpreter reads it. Its end is searched for
 * rather than matched, because it may be long.
 */
function withoutHereDocuments(command: string): string {
  let bare = '';
  let at = 0;
  let left = MAX_PARTS;
  for (let from = command.indexOf('<<'); from >= 0 && left > 0; from = command.indexOf('<<', at)) {
    left -= 1;
    const here = HERE.exec(command.slice(from, from + 60));
    const line = command.indexOf('\n', from);
    if (here === null || line < 0) {
      bare += command.slice(at, from + 2);
      at = from + 2;
      continue;
    }
    const before = command.slice(command.lastIndexOf('\n', from) + 1, from);
    const end = command.indexOf(`\n${here[2]}`, line);
    const body = command.slice(line + 1, end < 0 ? command.length : end);
    bare += command.slice(at, from) + bodyWord(before, body) + command.slice(from + here[0].length, line);
    at = end < 0 ? command.length : end + 1 + (here[2]?.length ?? 0);
  }
  return bare + command.slice(at);
}

function bodyWord(before: string, body: string): string {
  const reader = readsBody(before);
  if (reader === 'shell') return ` ( ${body.slice(0, MAX_BARE)}\n)`;
  return reader === 'program' ? ` ${inlineWord(body)}` : '';
}

/** Replaces a quoted pattern that matches only lines about failures. */
export const LOOKS_FOR_FAILURES = 'FAILURES';
const FAILURES = /error|fail|✗|✖|not ok|panic|cannot find/i;
const SUCCESSES = /pass|\bok\b|success|done|✓|---/i;

/** A quoted word keeps its position, and its content when that is a plain word such as a path. */
function quoted(text: string): string {
  const inside = text.slice(1, -1);
  if (/^[\w@./:~$-]{1,80}$/.test(inside)) return inside;
  return inside.length < 100 && FAILURES.test(inside) && !SUCCESSES.test(inside) ? LOOKS_FOR_FAILURES : 'Q';
}

function wordsOf(piece: string): string {
  return withoutWrappers(piece.trim().split(/\s+/)).join(' ');
}

// Programs that run another one: `timeout 60`, `npx`, `uv run`, `docker exec app`. The program that they run counts.

const PREFIXES = new Set(
  `sudo doas time env command exec nohup xargs stdbuf setsid caffeinate builtin then do else if while until ! nice ionice timeout
  gtimeout npx bunx uvx xvfb-run rtk`.split(/\s+/),
);

/** First and second word → how many plain words (a container, a folder) precede the command. */
const RUNNERS = new Map<string, number>([
  ...['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye', 'pixi', 'devbox', 'doppler', 'op', 'pipx'].map(
    (program) => [`${program} run`, 0] as const,
  ),
  ...['npm exec', 'pnpm exec', 'yarn exec', 'pnpm dlx', 'yarn dlx', 'bundle exec', 'mise x', 'mise exec'].map(
    (words) => [words, 0] as const,
  ),
  ...['docker exec', 'docker run', 'podman exec', 'podman run', 'kubectl exec'].map(
    (words) => [words, 1] as const,
  ),
  ...['direnv exec', 'nix develop', 'conda run', 'micromamba run'].map((words) => [words, 0] as const),
]);
/** Their `run` may name a task of the project instead of a program. */
const TASK_RUNNERS = new Set(['pdm', 'hatch', 'rye', 'pixi', 'devbox', 'pipenv', 'poetry']);
const TASK = /^(?:test|tests|lint|check|build|typecheck|types|verify|ci|spec|e2e|unit|compile)(?:[:_-]\S*)?$/;

/** Options, without their dashes, that take the next word. */
const VALUE_FLAGS = new Set(
  `w e u n p k s f C v l c workdir env env-file user package with python extra group project directory volume name network
  platform context namespace container mount entrypoint signal file profile`.split(/\s+/),
);

const MAX_LAYERS = 8;
const ASSIGNMENT = /^\w+=/;

/** The words of a command without its wrapper. */
function withoutWrappers(given: readonly string[]): readonly string[] {
  let words = given;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const inner = unwrapped(words);
    if (inner === undefined) break;
    words = inner;
  }
  return words;
}

function unwrapped(words: readonly string[]): readonly string[] | undefined {
  const [first = '', second = ''] = words;
  if (words.length < 2) return undefined;
  if (ASSIGNMENT.test(first)) return words.slice(1);
  const program = baseOf(first);
  if (PREFIXES.has(program)) return afterOptions(words, 1, program.endsWith('timeout') ? 1 : 0);
  if ((program === 'docker' || program === 'podman') && second === 'compose') return composed(words.slice(2));
  if (program === 'docker-compose') return composed(words.slice(1));
  if (program === 'ssh') return afterHost(words);
  const plain = RUNNERS.get(`${program} ${second}`);
  if (plain === undefined) return undefined;
  const rest = afterOptions(words, 2, plain + (/^(?:direnv|nix)$/.test(program) ? 1 : 0));
  return TASK_RUNNERS.has(program) && TASK.test(rest[0] ?? '') ? ['npm', 'run', ...rest] : rest;
}

/** Options of ssh that take the next word. */
const SSH_VALUES = /^-[A-Za-z]*[bcDEeFIiJLlmOopQRSWw]$/;

/** The command on the remote machine: after the options and the host. */
function afterHost(words: readonly string[]): readonly string[] | undefined {
  let at = 1;
  while (words[at]?.startsWith('-')) at += SSH_VALUES.test(words[at] ?? '') ? 2 : 1;
  const rest = words.slice(at + 1);
  return rest.length === 0 ? undefined : rest;
}

function composed(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => word === 'exec' || word === 'run');
  return at < 0 ? undefined : afterOptions(words, at + 1, 1);
}

/** What remains after the options and `plain` further words. */
function afterOptions(words: readonly string[], from: number, plain: number): readonly string[] {
  let at = from;
  let left = plain;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return words.slice(at + 1);
    if (word.startsWith('-')) {
      if (VALUE_FLAGS.has(word.replace(/^--?/, ''))) at += 1;
    } else if (left > 0) left -= 1;
    else break;
  }
  return words.slice(at);
}

export function baseOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

// Commands and programs in quotes: `bash -c "…"`, `ssh host '…'`, `python -c "…"`. What they run counts as run by the
// line.

/** `it's` is one shell word; an escaped quote does not end double quotes. */
const QUOTED = /('[^']*'|"(?:[^"\\]|\\.)*")/.source;
const WORD = /[^\s'"|;&()<>]+/.source;
/** Between a program and its quoted words. */
const MAX_WORDS = 30;

/** Programs that take a shell command line as an option value. */
const SHELLS = new RegExp(
  `(?:(?<!\\S)\\S*/|(?<![\\w./-]))(?:(?:ba|z|da|k|fi|a)?sh|pwsh|powershell|cmd|su|runuser|script|nix-shell|nix (?:develop|shell)|vagrant ssh|wsl|lima|flatpak)(?:\\.exe)?((?:\\s+${WORD}){0,${MAX_WORDS}}?)\\s+(?:-\\w*c|-Command|-command|/[cC]|-{2}(?:run|command))[ =]\\s*${QUOTED}`,
  'g',
);
/** `ssh host '…'`: the first quoted words after the host. */
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
const MAX_QUOTED_LAYERS = 3;
/** A longer line before a here-document is data. */
const MAX_READER = 2_000;
/** A private character that nobody types: marks the summary of a quoted program. */
const MARK = '\uE000';

/** What each of the four patterns needs. */
const MAY_RUN_INNER =
  /\s(?:-(?:\w*c|[erpE]|pe|Command|command|batch)|\/[cC]|--(?:run|command|eval|print))[ =]|ssh|mosh|heroku|eval/;

/** Replaces quoted command lines by bracketed ones, and quoted programs by one word. */
export function withInnerCommands(command: string): string {
  if (!command.includes("'") && !command.includes('"')) return command;
  if (!MAY_RUN_INNER.test(command)) return command;
  let text = command;
  for (let layer = 0; layer < MAX_QUOTED_LAYERS; layer += 1) {
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

/** What reads a here-document: a shell, an interpreter, or neither. */
function readsBody(line: string): 'shell' | 'program' | undefined {
  const last = line.split(/&&|\|\||[;|]/).at(-1) ?? '';
  const words = last.trim();
  if (words.length > MAX_READER) return undefined;
  const inContainer = /\b(?:docker|podman|kubectl) /.test(words) && /\b(?:ba|z)?sh(?: -\S+)*$/.test(words);
  if (inContainer || /^(?:\S*\/)?(?:(?:ba|z|da|k)?sh)(?: -\S+)*$|^ssh(?: \S+)+$/.test(words)) return 'shell';
  return READS_PROGRAM.test(words) ? 'program' : undefined;
}

/** The word that replaces a program: what the program does. */
function inlineWord(code: string): string {
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

/** The files whose code it runs, as far as it names them: every imported module may be one. */
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

/** What `inlineWord` recorded about a quoted program: a kind of check, or the files that it runs. */
export function inlineCheck(
  text: string,
): { readonly kind: 'tests' | 'lint' } | { readonly files: readonly string[] } | undefined {
  const at = text.indexOf(MARK);
  if (at < 0) return undefined;
  const word = text.slice(at + 1).split(' ')[0] ?? '';
  if (word === 'tests' || word === 'lint') return { kind: word };
  return word.startsWith('run:') ? { files: word.slice(4).split(',') } : undefined;
}
