/**
 * Risky actions: discarded work, removed or weakened tests, disabled checks, skipped hooks. What the user asked for
 * does not count.
 */
import { MAX_RISKS, type RiskKind } from '../evidence.ts';
import { hashText } from './hash.ts';
import type { ShellPart } from './shell-syntax.ts';
import type { Effect, RunState } from './state.ts';

type RiskEffect = Extract<Effect, { does: 'risk' | 'stash' }>;

/** Options of git itself that take the next word. */
const TAKES_VALUE = /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/;
const SKIPS_HOOKS = /(?:^|\s)(?:HUSKY=0|HUSKY_SKIP_HOOKS=1|LEFTHOOK=0|SKIP=[\w,-]+)\s/;
/** Generated files and others that nobody needs to preserve. */
const DISPOSABLE =
  /^(?:\/tmp\/|\/var\/tmp\/|\/dev\/|~\/\.)|(?:^|\/)(?:node_modules|dist|build|target|out|coverage|__pycache__|\.[\w-]*cache|\.next|tmp|temp|\.?venv)(?:\/|$)|\.(?:log|tmp|pyc|o|out|bak|orig|rej|swp|pid|lock)$|[$*]/;
const TEST_PATH =
  /(?:^|[\\/])(?:tests?|specs?|__tests__|e2e)[\\/]|[._-](?:test|spec)s?\.\w+$|(?:^|[\\/])test_\w+\.py$/i;

const PLACE_TO_TRY = /^cd (?:\/tmp|\/var\/tmp|\$TMPDIR|\$\(mktemp)/;

export function risksIn(parts: readonly ShellPart[], command: string): RiskEffect[] {
  const mayBeRisky = parts.some(({ text }) => text.startsWith('git ') || text.startsWith('rm '));
  if (!mayBeRisky || parts.some(({ text }) => PLACE_TO_TRY.test(text))) return [];
  const skipsHooks = SKIPS_HOOKS.test(command.slice(0, 2_000));
  return parts.flatMap(({ text }) => riskOf(text.length > 1_000 ? text.slice(0, 1_000) : text, skipsHooks));
}

function riskOf(text: string, skipsHooks: boolean): RiskEffect[] {
  if (text.startsWith('rm ')) return removal(text.slice(3));
  if (!text.startsWith('git ')) return [];
  const words = text.split(' ');
  let at = 1;
  while (words[at]?.startsWith('-')) at += TAKES_VALUE.test(words[at] ?? '') ? 2 : 1;
  const rest = words.slice(at + 1).join(' ');
  switch (words[at]) {
    case 'stash':
      return stashing(rest);
    case 'reset':
      return /(?:^| )--(?:hard|merge)(?: |$)/.test(rest) ? [discards()] : [];
    case 'checkout':
      return checkout(rest);
    case 'restore':
      return /(?:^| )(?:--staged|-S)(?: |$)/.test(rest) && !/(?:^| )(?:--worktree|-W)(?: |$)/.test(rest)
        ? []
        : [discards(pathsIn(rest))];
    case 'clean':
      return /(?:^| )(?:-[^\Wf]*f\w*|--force)(?: |$)/.test(rest) &&
        !/(?:^| )(?:-[^\Wn]*n\w*|--dry-run)(?: |$)/.test(rest)
        ? [{ does: 'risk', risk: 'deleted-files' }]
        : [];
    case 'push':
      if (/(?:^| )(?:-f|--force(?:-with-lease)?(?:=\S+)?|\+\S+)(?: |$)/.test(rest))
        return [{ does: 'risk', risk: 'force-push' }];
      return hooks(rest, skipsHooks);
    case 'commit':
      return /(?:^| )-[^\Wn]*n\w*(?: |$)/.test(rest)
        ? [{ does: 'risk', risk: 'hooks-skipped' }]
        : hooks(rest, skipsHooks);
    case 'rm':
      return removal(rest).filter(
        ({ does, ...one }) => does === 'risk' && 'risk' in one && one.risk === 'tests-removed',
      );
    default:
      return [];
  }
}

/** The risky part of a command, else its beginning. */
export function riskyPart(command: string): string {
  const found =
    /\b(?:git (?:-C \S+ )?(?:stash|reset|checkout|restore|clean|push|commit|rm)|rm) [^\n;&|]*/.exec(command);
  return (found?.[0] ?? command).trim();
}

const hooks = (rest: string, skipped: boolean): RiskEffect[] =>
  skipped || /(?:^| )--no-verify(?: |$)/.test(rest) ? [{ does: 'risk', risk: 'hooks-skipped' }] : [];

function stashing(rest: string): RiskEffect[] {
  const [verb = 'push'] = rest.split(' ');
  if (verb === 'drop' || verb === 'clear') return [{ does: 'risk', risk: 'discarded-changes', stash: true }];
  if (verb === 'pop' || verb === 'apply') return [{ does: 'stash', puts: 'back' }];
  return verb === '' || verb === 'push' || verb === 'save' || verb.startsWith('-')
    ? [{ does: 'stash', puts: 'away' }]
    : [];
}

/** Checking out a branch discards nothing. */
function checkout(rest: string): RiskEffect[] {
  if (/(?:^| )(?:-f|--force)(?: |$)/.test(rest)) return [discards()];
  const at = rest.startsWith('-- ') ? 0 : rest.indexOf(' -- ');
  if (at >= 0) return [discards(pathsIn(rest.slice(at)))];
  const words = rest.split(' ').filter((word) => word !== '' && !word.startsWith('-'));
  if (/(?:^| )-[bB](?: |$)/.test(rest)) return [];
  const [only = ''] = words;
  const isPath =
    words.length === 1 && (only === '.' || (/\/[^/]*\.\w{1,5}$/.test(only) && !only.startsWith('origin/')));
  return isPath ? [discards(words)] : [];
}

function discards(paths?: readonly string[]): RiskEffect {
  const all =
    paths === undefined || paths.length === 0 || paths.some((path) => /^(?:\.|:\/|\*|\.\/)$/.test(path));
  return { does: 'risk', risk: 'discarded-changes', ...(!all && { files: paths.map(nameHash) }) };
}

function removal(rest: string): RiskEffect[] {
  const paths = pathsIn(rest).filter((path) => !DISPOSABLE.test(path));
  const tests = paths.filter((path) => TEST_PATH.test(path));
  const others = paths.filter((path) => !TEST_PATH.test(path));
  const effect = (risk: RiskKind, some: readonly string[]): RiskEffect[] =>
    some.length === 0 ? [] : [{ does: 'risk', risk, files: some.map(nameHash) }];
  return [...effect('tests-removed', tests), ...effect('deleted-files', others)];
}

function pathsIn(rest: string): string[] {
  return rest
    .split(' ')
    .filter(
      (word) =>
        word !== '' && !word.startsWith('-') && !/[<>]/.test(word) && !/^(?:HEAD\S*|Q|FAILURES)$/.test(word),
    );
}

const nameHash = (path: string): number => hashText(path.split('/').findLast((part) => part !== '') ?? '');

// What an edit does to tests and checks.

export type EditRisk = {
  readonly kinds: readonly RiskKind[];
  readonly testsAdded: number;
  readonly assertsAdded: number;
};

const TEST_DEFINED =
  /^\s*(?:(?:it|test|describe|specify|scenario)(?:\.\w+)*\(|(?:async )?def test_\w|func (?:\(\w+ \*?\w+\) )?Test\w|#\[(?:\w+::)?test|@(?:Test|ParameterizedTest)\b|\[(?:Fact|Theory|Test|TestMethod)\b|(?:public )?function test\w)/;
const SKIPPED =
  /\b(?:it|test|describe)\.(?:skip|todo|fixme)\b|\bx(?:it|describe|test)\(|@pytest\.mark\.(?:skip|xfail)|@unittest\.skip|\bpytest\.skip\(|\bt\.Skip(?:f|Now)?\(|@(?:Disabled|Ignore)\b|#\[ignore|\[Ignore\b/;
const ASSERTS = /\bassert|\bexpect\(|\brequire\.\w|\bshould\b|\bt\.Errorf?\(/i;
/** For a whole file, or without naming the rule. Disabling one rule on one line is the usual practice with linters. */
const DISABLED =
  /eslint-disable(?!-(?:next-)?line)|@ts-(?:nocheck|ignore)|# type: ?ignore(?!\[)|# noqa(?!:)|# mypy: ?ignore-errors|\/\/ ?nolint(?![:\w])|#!\[allow\(|pylint: ?disable=all|@SuppressWarnings\("all"\)|continue-on-error: true/;
const MOST_LINES = 2_000;
/** A test that loses this many assertions checks less than before. */
const FEWER_ASSERTS = 2;

/** Lines that were added and removed. For a file written as a whole, the former content is unknown. */
export function riskOfEdit(
  path: string,
  added: readonly string[],
  removed: readonly string[],
  whole: boolean,
): EditRisk | undefined {
  const kinds: RiskKind[] = [];
  const isTest = TEST_PATH.test(path.slice(-300));
  const count = (lines: readonly string[], found: RegExp): number => {
    let n = 0;
    for (let i = 0; i < lines.length && i < MOST_LINES; i += 1)
      if (found.test((lines[i] as string).slice(0, 300))) n += 1;
    return n;
  };
  if (!whole && count(added, DISABLED) > count(removed, DISABLED)) kinds.push('checks-disabled');
  if (!isTest) return kinds.length === 0 ? undefined : { kinds, testsAdded: 0, assertsAdded: 0 };
  const assertsAdded = count(added, ASSERTS) - count(removed, ASSERTS);
  const testsAdded = count(added, TEST_DEFINED) - count(removed, TEST_DEFINED);
  if (!whole && testsAdded < 0) kinds.push('tests-removed');
  else if (!whole && count(added, SKIPPED) > count(removed, SKIPPED)) kinds.push('tests-weakened');
  else if (!whole && testsAdded === 0 && removed.length > 0 && -assertsAdded >= FEWER_ASSERTS)
    kinds.push('assertions-removed');
  return kinds.length === 0 && testsAdded === 0 && assertsAdded === 0
    ? undefined
    : { kinds, testsAdded, assertsAdded };
}

// What the user asked for.

const ASKED: readonly (readonly [RegExp, readonly RiskKind[]])[] = [
  [
    /\b(?:undo|revert|discard|reset|roll ?back|restore|stash|throw (?:it|them|that|this|everything)? ?away|start (?:over|again|fresh)|from scratch|clean ?up|drop (?:it|that|this|the|all|my|your))\b/i,
    ['discarded-changes', 'deleted-files'],
  ],
  [
    /\b(?:delet\w*|remov\w*|rm|clean\w*|get rid of|drop|rename|move|replace|merge|consolidat\w*|obsolete|unused|dead)\b/i,
    ['deleted-files'],
  ],
  [/\b(?:force|amend|squash|rebase|rewrite (?:the )?history)\b/i, ['force-push']],
  [
    /\b(?:no-?verify|(?:skip|without|ignore|bypass) (?:the )?(?:\w+ )?(?:hooks?|checks?))\b/i,
    ['hooks-skipped'],
  ],
  [
    /\b(?:delet|remov|drop|skip|disabl|prun|consolidat|merg|mov|clean|simplif|rewrit|trim|reduc)\w*\b[^.\n]{0,80}\b(?:tests?|specs?)\b/i,
    ['tests-removed', 'tests-weakened', 'assertions-removed'],
  ],
  [/\b(?:ignore|disable|suppress|silence|skip)\w*\b/i, ['checks-disabled']],
];
const MAX_LOOK = 4_000;

export function requestedRisks(text: string): RiskKind[] {
  const seen = text.length > MAX_LOOK ? text.slice(0, MAX_LOOK) : text;
  return ASKED.flatMap(([asks, kinds]) => (asks.test(seen) ? kinds : []));
}

// Adds the risk to the run.

function noteRisk(run: RunState, kind: RiskKind, line: number, all?: true): void {
  const { risks } = run.seen;
  if (run.live?.allowed.includes(kind) === true || risks.length >= MAX_RISKS) return;
  const last = risks.at(-1);
  if (last?.kind === kind && last.line === line) return;
  risks.push({ kind, line, ...(all && { all }) });
}

export function noteEditRisks(
  run: RunState,
  edits: readonly { readonly risk?: EditRisk }[],
  line: number,
): void {
  for (const { risk } of edits) {
    if (risk === undefined) continue;
    run.seen.testsAdded += risk.testsAdded;
    run.seen.assertsAdded += risk.assertsAdded;
    for (const kind of risk.kinds) noteRisk(run, kind, line);
  }
}

export function noteStash({ seen: { work } }: RunState, puts: 'away' | 'back'): void {
  if (puts === 'away') {
    work.stashed = [...new Set([...work.stashed, ...work.uncommitted])];
    work.uncommitted = [];
  } else {
    work.uncommitted = [...new Set([...work.uncommitted, ...work.stashed])];
    work.stashed = [];
    work.discardedAt = 0;
  }
}

/** A shell command that discards or deletes. A session may delete what it made itself. */
export function noteShellRisk(
  run: RunState,
  { risk, files, stash }: Extract<Effect, { does: 'risk' }>,
  line: number,
): void {
  const { work } = run.seen;
  if (risk === 'discarded-changes') {
    const all = files === undefined;
    noteRisk(run, risk, line, all || undefined);
    discard(run, files, stash === true, line);
    return;
  }
  if (files?.every((file) => work.files.includes(file))) return;
  if (risk === 'tests-removed') run.seen.testsAdded -= files?.length ?? 1;
  noteRisk(run, risk, line, files === undefined ? true : undefined);
}

function discard(run: RunState, files: readonly number[] | undefined, stash: boolean, line: number): void {
  const { work } = run.seen;
  const had = stash ? work.stashed : work.uncommitted;
  const left = files === undefined ? [] : had.filter((file) => !files.includes(file));
  const lost = had.length - left.length;
  if (stash) work.stashed = left;
  else work.uncommitted = left;
  const nothingLeft = work.uncommitted.length + work.stashed.length === 0;
  if (
    lost > 0 &&
    nothingLeft &&
    work.commits === 0 &&
    run.live?.allowed.includes('discarded-changes') !== true
  )
    work.discardedAt = line;
}
