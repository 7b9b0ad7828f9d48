/** Changes of files in a run, and what checked the last one: a check before a later change says nothing about it (R58c). */
import { verdictOf } from './check-verdict.ts';
import type { EvidencePhrase } from './evidence-phrases.ts';
import type { CallOutcome } from './outcome.ts';
import type { CheckEffect, CheckKind, RunState } from './state.ts';

const MAX_FILES = 64;

const PASSED: Readonly<Record<CheckKind, EvidencePhrase>> = {
  tests: 'tests passed',
  checks: 'checks passed',
  hook: 'checks of the commit passed',
  types: 'types checked',
  lint: 'linter passed',
  build: 'build passed',
  run: 'the changed program ran',
  ci: 'CI passed',
  report: 'a sub-agent reports passing checks',
};
const FAILED: Readonly<Record<CheckKind, EvidencePhrase>> = {
  tests: 'tests failed',
  checks: 'checks failed',
  hook: 'checks of the commit failed',
  types: 'type errors',
  lint: 'linter failed',
  build: 'build failed',
  run: 'the changed program broke',
  ci: 'CI failed',
  report: 'a sub-agent reports failing checks',
};

/** A file or a record was changed: what was known about its state before is stale. */
export function noteChange(run: RunState, line: number): void {
  const { work } = run.seen;
  if (line > work.lastChangeLine) work.lastChangeLine = line;
}

export function noteTouch(run: RunState, code: boolean, file: number | undefined, line: number): void {
  noteChange(run, line);
  const { work } = run.seen;
  if (file !== undefined) remember(work.files, file);
  if (!code) return;
  work.codeChanges += 1;
  work.lastCodeLine = line;
  work.out = undefined;
  work.check = undefined;
}

function remember(files: number[], file: number): void {
  if (files.includes(file)) return;
  files.push(file);
  if (files.length > MAX_FILES) files.shift();
}

/** What CI said until now was about something older. */
export function notePush({ seen: { work } }: RunState): void {
  work.out = 'pushed';
  if (work.check?.kind === 'ci') work.check = undefined;
}

export function noteCommitted({ seen: { work } }: RunState): void {
  work.out ??= 'committed';
}

export type SeenResult = {
  readonly outcome: CallOutcome;
  readonly text: string | undefined;
  readonly stated: boolean;
};

export function noteCheck(run: RunState, check: CheckEffect, seen: SeenResult, line: number): void {
  const { work } = run.seen;
  // Another program than the one that was changed.
  if (check.file !== undefined && !work.files.includes(check.file)) return;
  if (check.files !== undefined && !check.files.some((file) => work.files.includes(file))) return;
  const passed = verdictOf(check, seen.outcome, seen.text, seen.stated);
  if (passed === undefined) return;
  if (check.kind === 'ci' && isOlder(run, check, passed)) return;
  if (passed && check.builds !== undefined) remember(work.files, check.builds);
  // `lint && test`: one call, and the part that failed is what it says.
  if (passed && work.check?.line === line && !work.check.passed) return;
  // That a program runs, or compiles, does not mend what the tests have shown.
  if (passed && work.check?.passed === false && STRENGTH[check.kind] < STRENGTH[work.check.kind]) return;
  work.check = { kind: check.kind, passed, what: (passed ? PASSED : FAILED)[check.kind], line };
}

/**
 * CI speaks of the last change once that is out: pushed here, by the person, who has spoken since, or by whatever follows a
 * commit. What failed before a push is what is being mended.
 */
function isOlder({ seen: { work }, live }: RunState, { waits }: CheckEffect, passed: boolean): boolean {
  if (work.codeChanges === 0 || work.out === 'pushed' || waits === true) return false;
  if ((live?.heardAt ?? 0) > work.lastCodeLine) return false;
  return !(passed && work.out === 'committed');
}

/** What a passing check of this kind can speak for. */
const STRENGTH: Readonly<Record<CheckKind, number>> = {
  run: 0,
  hook: 1,
  checks: 2,
  report: 0,
  lint: 0,
  types: 1,
  build: 1,
  tests: 2,
  ci: 2,
};
