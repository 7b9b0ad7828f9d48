/** What calls changed: artifacts, failed attempts, and evidence of a changed state. */
import type { ArtifactKind } from '../event.ts';
import { CHECK_STRENGTH, type CheckKind } from '../evidence.ts';
import type { CallOutcome } from './call-outcome.ts';
import { missingModule, namesFailedTest, verdictOf } from './checks.ts';
import { hashText } from './hash.ts';
import { noteShellRisk, noteStash } from './risks.ts';
import { pointAt } from './runs.ts';
import type { CheckEffect, Effect, OpenCall, RunState } from './state.ts';
import { noteRevision } from './user-turns.ts';

/** Lasting evidence (a merge) ranks above momentary evidence (a test run). */
export const RANK = { explicit: 3, final: 2, moment: 1 } as const;

function changesSomething(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.does === 'make' || effect.does === 'change');
}

export function tryEffects(run: RunState, effects: readonly Effect[]): void {
  if (!changesSomething(effects)) return;
  run.changesAttempted += 1;
  run.seen.request.tried += 1;
}

export function settleEffects(run: RunState, call: OpenCall, seen: SeenResult, line: number): void {
  const { effects } = call;
  const { outcome } = seen;
  if (effects.length === 0) return;
  if (changesSomething(effects)) {
    // A rejected call was not attempted.
    if (outcome === 'denied') {
      run.changesAttempted -= 1;
      run.seen.request.denied += 1;
      run.changesDenied = (run.changesDenied ?? 0) + 1;
    }
    if (outcome === 'failed') {
      run.changesFailed += 1;
      run.seen.request.failed += 1;
    }
    if (outcome === 'succeeded') run.seen.request.made += 1;
  }
  if (outcome === 'denied' || outcome === 'unknown') return;
  const ok = outcome === 'succeeded';
  // `sed -i … && npm test`: the check failed, after the change was made.
  const changed = ok || effects.some(({ does }) => does === 'check');
  for (const effect of effects) {
    if (effect.does === 'make') {
      noteArtifact(run, effect.artifact, ok, line);
      if (ok && effect.artifact === 'record') noteChange(run, line);
      if (ok && effect.artifact === 'commit') noteCommitted(run);
    } else if (effect.does === 'stash') {
      if (ok) noteStash(run, effect.puts);
    } else if (effect.does === 'risk') {
      if (ok) noteShellRisk(run, effect, line);
    } else if (effect.does === 'touch' && changed) noteTouch(run, effect.code, effect.file, line);
    else if (effect.does === 'check') noteCheck(run, effect, seen, line);
    else if (effect.does === 'state' && ok) {
      if (effect.what === 'pushed' || effect.what === 'pull request opened') notePush(run);
      noteState(run, effect.final ? RANK.final : RANK.moment, 1, effect.what, line);
    }
  }
}

function noteArtifact(run: RunState, artifact: ArtifactKind, ok: boolean, line: number): void {
  const facts = artifactOf(run, artifact, line, ok);
  if (ok) facts.made += 1;
  else facts.failed += 1;
}

export function noteStatedArtifact(run: RunState, artifact: ArtifactKind, ok: boolean, line: number): void {
  artifactOf(run, artifact, line, ok);
  run.seen.stated[artifact] ??= { made: 0, failed: 0 };
  run.seen.stated[artifact][ok ? 'made' : 'failed'] += 1;
}

function artifactOf(
  run: RunState,
  artifact: ArtifactKind,
  line: number,
  ok: boolean,
): RunState['artifacts'][number] {
  let facts = run.artifacts.find((one) => one.artifact === artifact);
  if (facts === undefined) {
    facts = { artifact, made: 0, failed: 0, lines: [] };
    run.artifacts.push(facts);
  }
  if (ok || facts.made === 0) pointAt(facts.lines, line);
  return facts;
}

/** Artifacts as counted from calls or as stated by the format, whichever is more. */
export function artifactsOf({ artifacts, seen: { stated } }: RunState): RunState['artifacts'] {
  return artifacts.map((one) => ({
    artifact: one.artifact,
    made: Math.max(one.made, stated[one.artifact]?.made ?? 0),
    failed: Math.max(one.failed, stated[one.artifact]?.failed ?? 0),
    lines: [...one.lines],
  }));
}

/** Later evidence of the same or a higher rank replaces earlier evidence. */
export function noteState(
  run: RunState,
  rank: number,
  value: number,
  what: EvidencePhrase,
  line: number,
): void {
  if (run.seen.stateChange !== undefined && run.seen.stateChange.rank > rank) return;
  run.seen.stateChange = { value, what, line, rank };
}

// Changes of files in a run, and what checked the last one. A check before a later change no longer counts.

const MAX_FILES = 64;

const PASSED: Readonly<Record<CheckKind, EvidencePhrase>> = {
  tests: 'tests passed',
  checks: 'checks passed',
  hook: 'checks of the commit passed',
  types: 'types checked',
  lint: 'linter passed',
  build: 'build passed',
  run: 'the changed program ran',
  snippet: 'a snippet that uses the change ran',
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
  snippet: 'a snippet that uses the change broke',
  ci: 'CI failed',
  report: 'a sub-agent reports failing checks',
};

/** A file or record changed, so earlier evidence about its state is stale. */
function noteChange(run: RunState, line: number): void {
  const { work } = run.seen;
  if (line > work.lastChangeLine) work.lastChangeLine = line;
}

function noteTouch(run: RunState, code: boolean, file: number | undefined, line: number): void {
  noteChange(run, line);
  const { work } = run.seen;
  noteRevision(run, file);
  if (file !== undefined) {
    remember(work.files, file);
    remember(work.uncommitted, file);
  }
  work.discardedAt = 0;
  if (!code) return;
  work.codeChanges += 1;
  work.lastCodeLine = line;
  work.out = undefined;
  work.check = undefined;
  work.impossible = undefined;
}

function remember(files: number[], file: number): void {
  if (files.includes(file)) return;
  files.push(file);
  if (files.length > MAX_FILES) files.shift();
}

/** Earlier CI results are about an older state. */
export function notePush({ seen: { work } }: RunState): void {
  work.out = 'pushed';
  if (work.check?.kind === 'ci') work.check = undefined;
}

function noteCommitted({ seen: { work } }: RunState): void {
  work.out ??= 'committed';
  work.commits += 1;
  work.uncommitted = [];
}

type SeenResult = {
  readonly outcome: CallOutcome;
  readonly text: string | undefined;
  readonly stated: boolean;
};

export function noteCheck(run: RunState, check: CheckEffect, seen: SeenResult, line: number): void {
  const { work } = run.seen;
  // The check ran another program than the changed one.
  if (check.file !== undefined && !work.files.includes(check.file)) return;
  if (check.files !== undefined && !check.files.some((file) => work.files.includes(file))) return;
  const verdict = verdictOf(check, seen.outcome, seen.text, seen.stated);
  const { kind } = check;
  // The missing module was written by the session itself, so its own change broke it.
  const isOwn =
    verdict === 'impossible' && work.files.includes(hashText(`${missingModule(seen.text) ?? ''}.py`));
  if (verdict === 'impossible' && !isOwn) {
    countCheck(run, kind, 'impossible');
    work.impossible = { kind, line };
    return;
  }
  const passed = verdict === 'impossible' ? false : verdict;
  const last = run.seen.lastChecks[kind];
  if (last?.line !== line || last.passed !== false) run.seen.lastChecks[kind] = { line, passed };
  if (passed === undefined) return;
  if (check.kind === 'ci' && isOlder(run, check, passed)) return;
  if (passed && check.builds !== undefined) remember(work.files, check.builds);
  // `lint && test`: one call; the failed part decides.
  if (work.check?.line === line && !work.check.passed) {
    if (!passed && namesFailedTest(seen.text)) work.check = { kind, passed, what: FAILED[kind], line };
    return;
  }
  countCheck(run, kind, passed ? 'passed' : 'failed');
  // A program that runs or compiles does not fix failing tests.
  if (passed && work.check?.passed === false && isWeaker(kind, work.check.kind)) return;
  work.check = { kind: check.kind, passed, what: (passed ? PASSED : FAILED)[check.kind], line };
}

function countCheck(
  { checks }: RunState,
  kind: CheckKind,
  verdict: 'passed' | 'failed' | 'impossible',
): void {
  checks[verdict] += 1;
  checks.kinds ??= {};
  checks.kinds[kind] ??= { passed: 0, failed: 0, impossible: 0 };
  checks.kinds[kind][verdict] += 1;
}

/**
 * CI reports on the last change once it is pushed: by the agent, by the user since their last message, or by whatever
 * follows a commit. A failure from before the push is what the agent is fixing.
 */
function isOlder({ seen: { work }, live }: RunState, { waits }: CheckEffect, passed: boolean): boolean {
  if (work.codeChanges === 0 || work.out === 'pushed' || waits === true) return false;
  if ((live?.lastUserLine ?? 0) > work.lastCodeLine) return false;
  return !(passed && work.out === 'committed');
}

const RANKS = ['weak', 'medium', 'strong'];
const isWeaker = (one: CheckKind, other: CheckKind): boolean =>
  RANKS.indexOf(CHECK_STRENGTH[one]) < RANKS.indexOf(CHECK_STRENGTH[other]);

/** All phrases that facts may contain about evidence. The transcript's own words are never stored, however short. */
export const EVIDENCE_PHRASES = [
  'stated by the source',
  'accepted by the user',
  'undone by the user',
  'correction left unanswered',
  'left half done',
  'tests passed',
  'tests failed',
  'checks passed',
  'checks failed',
  'checks of the commit passed',
  'checks of the commit failed',
  'types checked',
  'type errors',
  'linter passed',
  'linter failed',
  'build passed',
  'build failed',
  'the changed program ran',
  'the changed program broke',
  'a snippet that uses the change ran',
  'a snippet that uses the change broke',
  'CI passed',
  'CI failed',
  'a sub-agent reports passing checks',
  'a sub-agent reports failing checks',
  'nothing checked the last change',
  'pushed',
  'published',
  'pull request opened',
  'pull request merged',
  'issue closed',
  'record changed',
  'record change failed',
] as const;

export type EvidencePhrase = (typeof EVIDENCE_PHRASES)[number];

const CHECK_PHRASES: ReadonlySet<string> = new Set<EvidencePhrase>([
  'stated by the source',
  'undone by the user',
  ...[PASSED, FAILED].flatMap(({ report, ...own }) => Object.values(own)),
]);

/** The phrase says that the state was checked, and not by a sub-agent. */
export function isCheckPhrase(phrase: string): boolean {
  return CHECK_PHRASES.has(phrase);
}

/** The phrase itself when it is one of ours; any other text becomes "stated by the source". */
export function evidencePhrase(value: unknown): EvidencePhrase {
  return EVIDENCE_PHRASES.find((phrase) => phrase === value) ?? 'stated by the source';
}
