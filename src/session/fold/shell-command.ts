/** What a shell command does to the world, read from the command alone: commits, pull requests, tests, files. */
import type { EvidencePhrase } from './evidence-phrases.ts';
import { hashText } from './hash.ts';
import type { Effect } from './state.ts';

const MAX_COMMAND = 2_000;
const MAX_SEGMENTS = 24;

/** Cheap test before anything is taken apart: most commands only look. */
const WORTH_READING =
  /\b(git|gh|glab|npm|pnpm|yarn|bun|deno|npx|node|cargo|twine|curl|kubectl|terraform|helm|docker|systemctl|crontab|cron|message|sendmail|mail|mutt|sed|perl|tee|cp|mv|rm|touch|patch|apply_patch|test|tests|pytest|vitest|jest|mocha|unittest|rspec|phpunit|ctest|tox|nox|playwright|check)\b|>/;

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
const RUN_TESTS: Effect = { does: 'test' };
const state = (what: EvidencePhrase, final: boolean): Effect => ({ does: 'state', what, final });

const RULES: readonly (readonly [RegExp, readonly Effect[]])[] = [
  [/^git (?:-\S+ \S+ )*commit\b(?!.*--dry-run)/, [MAKE.commit]],
  [/^git (?:-\S+ \S+ )*push\b(?!.*--dry-run)/, [CHANGE, state('pushed', false)]],
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
    /^kubectl (?:apply|delete|scale|patch|rollout restart|create)\b|^terraform (?:apply|destroy)\b|^helm (?:install|upgrade|uninstall|rollback)\b|^docker push\b|^systemctl (?:--\S+ )*(?:start|stop|restart|reload|enable|disable)\b/,
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

const TEST =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run)?(?: -\S+)* (?:test|t)(?:[:\s]|$)|(?:vitest|jest|mocha|ava|pytest|py\.test|tox|nox|rspec|phpunit|ctest|playwright test)\b|python[\d.]* -m (?:pytest|unittest|nose)|(?:go|cargo|deno|dotnet|mvn|gradle|gradlew|swift|bazel|make|just|task|mix|sbt|lein|rake|rails|flutter|dart|zig build|bun|meson|ninja)(?: -\S+)* (?:\S+ )?(?:test|tests|check|nextest)(?:[:\s]|$)|node --test\b|mise (?:run )?(?:-\S+ )*test|(?:npm|pnpm|yarn|bun) run \S*test)/;

/** Where a command writes by redirection; scratch places and other streams do not count. */
const REDIRECT = /(?:^|[^0-9&>])>{1,2}\s*(?!&|\/dev\/|\/tmp\/|\/var\/tmp\/|\$\(|&?\d\b)[\w./~$"'-]/;

export type ShellReading = { readonly effects: Effect[]; readonly target: number };

export function readShell(command: string): ShellReading {
  const whole = unwrap(command.length > MAX_COMMAND ? command.slice(0, MAX_COMMAND) : command);
  const segments = segmentsOf(whole);
  return { effects: WORTH_READING.test(whole) ? effectsOf(segments) : [], target: targetOf(segments) };
}

function effectsOf(segments: readonly string[]): Effect[] {
  const effects = new Set<Effect>();
  for (const segment of segments) {
    for (const [rule, found] of RULES) if (rule.test(segment)) for (const one of found) effects.add(one);
    if (TEST.test(segment)) effects.add(RUN_TESTS);
    if (REDIRECT.test(segment)) effects.add(MAKE.file);
  }
  return [...effects];
}

/** `bash -lc "…"` → what is inside. */
function unwrap(command: string): string {
  const inner = /^\s*(?:\/\S*\/)?(?:ba|z)?sh\s+-\w*c\s+(['"])([\s\S]*)\1\s*$/.exec(command);
  return inner?.[2] ?? command;
}

/** The simple commands of a line, without here-documents, quoted words, assignments and wrappers. */
function segmentsOf(command: string): string[] {
  const bare = command
    .replace(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n[\s\S]*?(?:\n\s*\2\b|$)/g, '$3')
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, quoted);
  const segments: string[] = [];
  for (const part of bare.split(/&&|\|\||[;|\n(){}]/)) {
    const segment = part
      .trim()
      .replace(
        /^(?:(?:\w+=\S*|sudo|time|env|command|exec|nohup|xargs|npx|bunx|uvx|uv run|poetry run|then|do|else|!|timeout \S+)\s+)+/,
        '',
      )
      .replace(/\s+/g, ' ');
    if (segment !== '') segments.push(segment);
    if (segments.length >= MAX_SEGMENTS) break;
  }
  return segments;
}

/** A quoted word keeps its place, and its content when that is a plain word such as a path. */
function quoted(text: string): string {
  const inside = text.slice(1, -1);
  return /^[\w@./:~$-]{1,80}$/.test(inside) ? inside : 'Q';
}

const SUBCOMMANDS =
  /^(?:git|npm|pnpm|yarn|bun|cargo|go|docker|kubectl|make|mise|just|brew|apt|apt-get|pip|pip3|terraform|helm|systemctl)$/;

/**
 * What a command works on, for telling a retry from something new: the program and its first plain words, of the
 * first command that is not just preparation.
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
