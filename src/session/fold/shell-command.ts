/** What a shell command changes, read from the command alone: commits, pull requests, checks, files. */
import { checkOf } from './checks.ts';
import type { EvidencePhrase } from './effects.ts';
import { type FileChange, patched, touch } from './file-changes.ts';
import { hashText } from './hash.ts';
import { risksIn } from './risks.ts';
import { hasInnerProgram, partsOf, type ShellPart } from './shell-syntax.ts';
import type { Effect } from './state.ts';

const MAKE = {
  commit: { does: 'make', artifact: 'commit' },
  pull: { does: 'make', artifact: 'pull-request' },
  issue: { does: 'make', artifact: 'issue' },
  message: { does: 'make', artifact: 'message' },
  record: { does: 'make', artifact: 'record' },
  cron: { does: 'make', artifact: 'cron' },
  file: { does: 'make', artifact: 'file' },
} as const satisfies Record<string, Effect>;
const CHANGE: Effect = { does: 'change' };
const state = (what: EvidencePhrase, final: boolean): Effect => ({ does: 'state', what, final });

const RULES: readonly (readonly [RegExp, readonly Effect[]])[] = [
  [/^git (?:-\S+ \S+ )*commit\b(?!.*--dry-run)/, [MAKE.commit]],
  [
    /^(?:git (?:-\S+ \S+ )*push|jj git push|gt (?:submit|ss)|ghstack(?: submit)?|git spr update|arc diff)\b(?!.*--dry-run)/,
    [CHANGE, state('pushed', false)],
  ],
  [/^git (?:apply|am|revert|cherry-pick|merge|rebase)\b(?!.*--(?:check|abort))/, [CHANGE]],
  [/^gh pr create\b|^glab mr create\b/, [MAKE.pull, state('pull request opened', false)]],
  [/^gh pr merge\b|^glab mr merge\b/, [CHANGE, state('pull request merged', true)]],
  [/^gh issue close\b|^glab issue close\b/, [MAKE.issue, state('issue closed', true)]],
  [/^gh issue create\b|^glab issue create\b/, [MAKE.issue]],
  [/^gh (?:pr|issue) (?:comment|review)\b/, [MAKE.message]],
  [/^gh pr (?:edit|close|reopen|ready)\b|^gh issue (?:edit|reopen)\b/, [MAKE.record]],
  [
    /^(?:npm|pnpm|yarn|bun|cargo) publish\b|^twine upload\b|^gh release create\b/,
    [CHANGE, state('published', true)],
  ],
  [/^gh api\b.*(?:-X|--method)[ =]?(?:POST|PUT|PATCH|DELETE)\b/, [MAKE.record]],
  [
    /^curl\b(?!.*(?:localhost|127\.0\.0\.1|0\.0\.0\.0)).*(?:(?:-X|--request)[ =]?(?:POST|PUT|PATCH|DELETE)\b|\s(?:-d|--data\S*|--json)\s)/,
    [MAKE.record],
  ],
  [
    /^kubectl (?:apply|delete|scale|patch|rollout restart|create)\b|^terraform (?:apply|destroy)\b|^helm (?:install|upgrade|uninstall|rollback)\b|^docker (?:push|rm|rmi|stop|start|restart|kill|\w+ (?:prune|rm)|compose (?:up|down|restart|stop|start))\b|^systemctl (?:--\S+ )*(?:start|stop|restart|reload|enable|disable)\b/,
    [MAKE.record],
  ],
  [/^crontab(?! -l)\b|^[\w.-]+ cron (?:add|create)\b/, [MAKE.cron]],
  [/^[\w.-]+ message send\b|^(?:sendmail|mail|mutt)\b/, [MAKE.message]],
  [
    /^sed\b.*\s-i|^perl\b.*\s-[a-z0]*i(?:\.\S+|e)?(?:\s|$)|^(?:tee|touch|cp|mv|patch|apply_patch)\b/,
    [MAKE.file],
  ],
  [/^rm\b/, [CHANGE]],
];

/** Most commands match no rule: one combined pattern rules them out. */
const ANY_RULE = new RegExp(RULES.map(([rule]) => rule.source).join('|'));

/** Redirection into files. Scratch paths and other streams do not count. */
const REDIRECT = /(?:^|[^0-9&>])>{1,2}\s*(?!&|\/dev\/|\/tmp\/|\/var\/tmp\/|\$\(|&?\d\b)[\w./~$"'-]/;

const REDIRECTED = /(?:^|[^0-9&>])>{1,2}\s*(?!&|\/dev\/|\/tmp\/|\/var\/tmp\/|\$\(|&?\d\b)([\w./~$-]{1,300})/;

type ShellReading = { readonly effects: Effect[]; readonly target: number };

export function readShell(command: string): ShellReading {
  const parts = partsOf(command);
  const effects: Effect[] = [];
  let stashed = false;
  for (const part of parts) {
    if (/^git (?:-C \S+ )?stash\b/.test(part.text))
      stashed = !/ stash (?:pop|apply|list|show|drop)/.test(part.text);
    // A check while the changes are stashed does not check the changes.
    effects.push(...effectsOf(part, command).filter(({ does }) => !stashed || does !== 'check'));
  }
  effects.push(...risksIn(parts, command));
  if (isAnswer(parts)) effects.push(ANSWER);
  return { effects: withoutRepeats(effects), target: targetOf(parts.map(({ text }) => text)) };
}

const ANSWER: Effect = { does: 'answer' };
/** Programs whose exit code is an answer, and explicit exits. */
const ANSWERS =
  /^(?:e?grep|rg|ag|diff|cmp|test|\[|which|pgrep|command -v|type|expr|jq (?:-e|--exit-status)|systemctl (?:-\S+ )*is-\w+|exit [1-9]\d*|false|git (?:-C \S+ )?(?:diff\b.*--(?:exit-code|quiet)|grep\b|merge-base --is-ancestor|show-ref|rev-parse --verify|diff-index|check-ignore))(?: |$)/;

function isAnswer(parts: readonly ShellPart[]): boolean {
  const last = parts.at(-1);
  return (
    last !== undefined &&
    ANSWERS.test(last.text) &&
    parts.slice(0, -1).every(({ text, hidden }) => hidden || isHarmless(text))
  );
}

/** Programs that only read or prepare: no rule names them, and they check nothing. */
const HARMLESS = new Set(
  `cat cd ls grep rg head tail wc find echo pwd export sort uniq cut tr date which printf sleep test [ mkdir true false type tree stat du
  df file basename dirname realpath readlink ps kill`.split(/\s+/),
);

function isHarmless(text: string): boolean {
  const space = text.indexOf(' ');
  return HARMLESS.has(space < 0 ? text : text.slice(0, space)) && !hasInnerProgram(text);
}

function effectsOf(part: ShellPart, command: string): Effect[] {
  const { text } = part;
  if (isHarmless(text) && !text.includes('>')) return [];
  const effects = ANY_RULE.test(text) ? RULES.flatMap(([rule, found]) => (rule.test(text) ? found : [])) : [];
  if (REDIRECT.test(text)) effects.push(MAKE.file);
  if (effects.length > 0) effects.push(...touchedBy(text, command));
  const check = checkOf(part);
  return check === undefined ? effects : [...effects, check];
}

/** A commit in a loop counts once. Changes and checks stay in order, because the last one counts. */
function withoutRepeats(effects: readonly Effect[]): Effect[] {
  const seen = new Set<Effect>();
  return effects.filter((effect) => !seen.has(effect) && seen.add(effect));
}

const PATCHES_CODE =
  /^git (?:-\S+ \S+ )*(?:apply|am|revert|cherry-pick)\b(?!.*--(?:check|abort|stat|no-commit))|^patch\b(?!.*--dry-run)/;
const WRITES = /^(?:sed|perl|tee|cp|mv)\b/;

/** The files that a command writes, as far as it names them. */
function touchedBy(text: string, command: string): Effect[] {
  if (text.startsWith('apply_patch')) return patched(command);
  if (PATCHES_CODE.test(text)) return [{ does: 'touch', code: true }];
  const written = REDIRECTED.exec(text)?.[1];
  if (written !== undefined) return [touch(written, true)];
  if (!WRITES.test(text)) return [];
  const last = text.split(' ').findLast((word) => !word.startsWith('-') && !/[<>]/.test(word));
  return last === undefined ? [] : [touch(last, true)];
}

const SUBCOMMANDS =
  /^(?:git|npm|pnpm|yarn|bun|cargo|go|docker|kubectl|make|mise|just|brew|apt|apt-get|pip|pip3|terraform|helm|systemctl)$/;

/**
 * The target of a command, which distinguishes a retry from something new: the program and its first plain words,
 * skipping preparatory commands.
 */
function targetOf(segments: readonly string[]): number {
  const main = segments.find(
    (one) => !/^(?:cd|echo|export|set|source|\.|pwd|sleep|mkdir|true|unset)(?: |$)/.test(one),
  );
  const words = (main ?? segments[0] ?? '').slice(0, 400).split(' ');
  const program = words[0] ?? '';
  const plain = words
    .slice(1)
    .filter((word) => word !== '' && !word.startsWith('-') && !/^[<>\d&]/.test(word));
  const kept = program === 'gh' || plain[0] === 'run' || !SUBCOMMANDS.test(program) ? 2 : 1;
  return hashText([program, ...plain.slice(0, kept)].join(' '));
}

// Lines that a shell command writes into files, where the command itself shows them.

const HERE = /<<-?\s*(?:'([^']+)'|"([^"]+)"|\\?([\w-]+))/;
const NAME = /(?:'([^']+)'|"([^"]+)"|([^\s;&|<>()'"]+))/.source;
const TARGET = new RegExp(`(>{1,2})\\s*${NAME}`);
const TEE = new RegExp(`\\btee\\s+(-a\\s+)?${NAME}`);
/** `echo '…' >> file`, without shell expansions. */
const ECHO = new RegExp(`(?:^|[;&])\\s*echo\\s+(?:'([^']*)'|"([^"$\`\\\\]*)")\\s*(>{1,2})\\s*${NAME}`);
/** `sed -i '3a\text' file`: inserted or replaced whole lines. A substitution within lines shows no line. */
const SED = new RegExp(
  `\\bsed\\s+-i\\S*\\s+(?:''\\s+|-e\\s+)?'[\\d$]*(?:/[^/']*/)?[aic]\\\\?\\s*([^\\s'][^']*)'\\s+${NAME}`,
);
const MAX_FOUND = 100;
/** A longer line of a command is data, not a command. */
const MAX_LINE = 2_000;

export function readShellWrites(command: string): FileChange[] {
  const written = readLines(command);
  if (!command.includes('rm ') && !command.includes('mv ')) return written;
  const parts = partsOf(command).map(({ text }) => text);
  const gone = parts.flatMap(removals).filter(({ path }) => isPlainPath(path));
  const first = (found: RegExp): number => parts.findIndex((text) => found.test(text));
  return first(DELETES_OR_MOVES) < first(WRITES_LINES) ? [...gone, ...written] : [...written, ...gone];
}

const DELETES_OR_MOVES = /^(?:git )?(rm|mv) (.+)$/;
const WRITES_LINES = />|^(?:sed|tee) /;
/** Git untracks the file, which stays on disk. */
const INDEX_ONLY = /(?:^| )-{2}cached(?: |$)/;

/** `rm file` removes it, `mv file other` moves all of it. For folders, a command does not show the files. */
function removals(text: string): FileChange[] {
  const [, program, rest = ''] = DELETES_OR_MOVES.exec(text) ?? [];
  if (program === undefined || INDEX_ONLY.test(rest)) return [];
  const paths = rest.split(' ').filter((word) => !word.startsWith('-') && !/[<>]/.test(word));
  if (program === 'rm') return paths.map(goneFrom);
  const [from, to] = paths;
  if (paths.length !== 2 || from === undefined || to === undefined) return [];
  const path = /[\\/]$|^\.{1,2}$/.test(to) ? `${to}/${from.split(/[\\/]/).at(-1)}` : to;
  return [{ ...goneFrom(path), whole: false, from }];
}

const goneFrom = (path: string): FileChange => ({ path, added: [], removed: [], whole: true });

function readLines(command: string): FileChange[] {
  if (!command.includes('<<') && !command.includes('>') && !command.includes('sed ')) return [];
  const changes: FileChange[] = [];
  const lines = command.split('\n');
  for (let at = 0; at < lines.length && changes.length < MAX_FOUND; at += 1) {
    const line = lines[at] as string;
    if (line.length > MAX_LINE) continue;
    const [start, ...words] = (line.includes('<<') && HERE.exec(line)) || [];
    if (start === undefined) {
      changes.push(...lineWrites(line));
      continue;
    }
    const end = endOfBody(lines, at + 1, firstOf(words) ?? '');
    if (end < 0) break;
    const target = writeTargetOf(line.replace(start, ' '));
    if (target !== undefined)
      changes.push({
        path: target.path,
        added: lines.slice(at + 1, end),
        removed: [],
        whole: !target.appends,
      });
    at = end;
  }
  return changes.filter(({ path }) => isPlainPath(path));
}

/** The line with the closing word alone. */
function endOfBody(lines: readonly string[], from: number, word: string): number {
  return lines.findIndex((line, at) => at >= from && line.length < MAX_LINE && line.trim() === word);
}

function lineWrites(line: string): FileChange[] {
  if (line.includes('echo ') && line.includes('>')) {
    const [, single, double, how, ...names] = ECHO.exec(line) ?? [];
    const path = firstOf(names);
    if (path !== undefined)
      return [{ path, added: [single ?? double ?? ''], removed: [], whole: how === '>' }];
  }
  if (!line.includes('sed ')) return [];
  const [, text, ...names] = SED.exec(line) ?? [];
  const path = firstOf(names);
  return path === undefined || text === undefined ? [] : [{ path, added: [text], removed: [], whole: false }];
}

function writeTargetOf(line: string): { path: string; appends: boolean } | undefined {
  const [, how, ...names] = TARGET.exec(line) ?? [];
  const path = firstOf(names);
  if (path !== undefined) return { path, appends: how === '>>' };
  const [, append, ...files] = TEE.exec(line) ?? [];
  const file = firstOf(files);
  return file === undefined ? undefined : { path: file, appends: append !== undefined };
}

const firstOf = (names: readonly (string | undefined)[]): string | undefined =>
  names.find((name) => name !== undefined);

/** A path with shell expansions is not a name. */
function isPlainPath(path: string): boolean {
  return !/[$`*?]|^\/dev\/|^&/.test(path);
}
