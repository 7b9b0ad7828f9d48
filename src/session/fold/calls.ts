/** Tool calls and their results: outcomes, retries, loops, and what the calls changed. */
import type { CallEvent, FileChangeEvent, ResultEvent } from '../event.ts';
import type { CheckKind, ToolKind } from '../evidence.ts';
import { type CallOutcome, outcomeOf } from './call-outcome.ts';
import { verdictOf } from './checks.ts';
import { classifyTool, NAMING_FIELDS, writesOf } from './classify-tool.ts';
import { settleEffects, tryEffects } from './effects.ts';
import { hashText, hashValue } from './hash.ts';
import { noteCommits, type PendingChange, pendingOf, settleChanges } from './line-fingerprints.ts';
import { isIdleChange } from './nothing-to-report.ts';
import { notePlan } from './plan-steps.ts';
import { noteEditRisks } from './risks.ts';
import { currentRun, isScheduled, liveOf, noteGivenUp, pointAt, touch } from './runs.ts';
import {
  type Failing,
  type FoldState,
  type Last,
  type LiveState,
  MAX_FAILING,
  MAX_OPEN_CALLS,
  MAX_SETTLED_CALLS,
  type OpenCall,
  type RunState,
} from './state.ts';
import { noteDenial } from './user-turns.ts';

export function stepCall(state: FoldState, event: CallEvent, line: number, at: number | undefined): void {
  const tool = typeof event.tool === 'string' ? event.tool : '';
  const id = hashText(String(event.callId));
  const name = hashText(tool);
  const signature = hashValue(event.input, name | 0);
  if (isCopy(state, id, signature)) return;
  const run = currentRun(state, line);
  touch(run, line, at);
  const use = classifyTool(tool, event.input);
  const live = liveOf(run);
  const target = mix(name, use.target);
  const attempt = attemptOf(live, run.seen.last);
  run.tools.calls += 1;
  const chars = inputChars(event.input);
  run.callChars += chars;
  run.toolKinds[use.kind] = (run.toolKinds[use.kind] ?? 0) + 1;
  if (use.kind === 'plan') notePlan(run, event.input, line);
  if (use.kind === 'spawn') run.seen.spawnCalls.made += 1;
  run.seen.handoff = use.kind === 'handoff';
  run.seen.last = use.ending ? 'done' : 'call';
  run.seen.lastMainLine = line;
  run.seen.end = undefined;
  run.promised = undefined;
  for (const one of live.unread) one.called = true;
  live.answered = true;
  run.seen.request.answered = true;
  if (!LOOKS.has(use.kind)) run.seen.request.acted += 1;
  // An admission after a tool call is about that call.
  live.admittable = undefined;
  live.correctedLast = 0;
  live.deniedAt = 0;
  if (!use.poll) countRepeat(run, signature, line);
  tryEffects(run, use.effects);
  if (isScheduled(run) && isIdleChange(use.kind, event.input)) run.idleChanges += 1;
  const retry = live.failing.some((one) => one.target === target);
  const call: OpenCall = {
    id,
    run: state.runs.length - 1,
    line,
    signature,
    target,
    objects: undefined,
    writes: undefined,
    held: { tool, input: event.input },
    attempt,
    kind: use.kind,
    retry,
    running: false,
    effects: use.effects,
    isExact: false,
  };
  if (chars > MAX_HELD_CHARS) settleInput(state, call);
  state.openCalls.push(call);
  if (state.openCalls.length > MAX_OPEN_CALLS) state.openCalls.shift();
}

const LOOKS: ReadonlySet<ToolKind> = new Set<ToolKind>(['read', 'web', 'plan']);

/** The input of a longer call is not held in memory until its result. */
const MAX_HELD_CHARS = 64 * 1024;

/** Extracts what is needed from the input of an open call and drops the input. */
export function settleInput(state: FoldState, call: OpenCall): void {
  call.objects = objectsFor(call);
  call.writes = writesFor(state, call);
  call.held = undefined;
}

/** Files and addresses of a call, read from its input on first use: most calls succeed and never need them. */
function objectsFor(call: OpenCall): number[] {
  call.objects ??= objectsOf(call.held?.input);
  return call.objects;
}

/** Read lazily: a failed call writes nothing, and some formats report the exact change. */
function writesFor({ project, written }: FoldState, { writes, held, kind }: OpenCall): PendingChange[] {
  if (writes !== undefined) return writes;
  return held === undefined ? [] : pendingOf(writesOf(kind, held.tool, held.input), project, written);
}

/** A duplicate record is not a second call. The same id with another input is. */
function isCopy(state: FoldState, id: number, signature: number): boolean {
  return (
    state.settledCalls.includes(mix(id, signature)) ||
    state.openCalls.some((one) => one.id === id && one.signature === signature)
  );
}

function mix(a: number, b: number): number {
  return (a ^ Math.imul(b | 0, 0x9e3779b1)) >>> 0;
}

function countRepeat(run: RunState, signature: number, line: number): void {
  const live = liveOf(run);
  live.repeats = live.repeatOf === signature ? live.repeats + 1 : 1;
  live.repeatOf = signature;
  if (live.repeats <= run.loops.longestRepeat) return;
  run.loops.longestRepeat = live.repeats;
  run.seen.longestRepeatLine = line;
}

const WAITING: ReadonlySet<Last> = new Set<Last>(['call', 'result', 'denied']);

export function stepResult(state: FoldState, event: ResultEvent, line: number, at: number | undefined): void {
  const call = takeCall(state, hashText(String(event.callId)), event.running === true);
  if (call === undefined) return;
  const run = state.runs[call.run];
  if (run === undefined) return;
  touch(run, line, at);
  if (run.live !== undefined) run.live.sending = false;
  const outcome = outcomeOf(event, call.kind, (text) => failsPlainly(call, text));
  // A late result, after the agent's last message, does not require another message.
  if (WAITING.has(run.seen.last) || (run.seen.last === 'text' && call.line >= run.seen.lastMainLine)) {
    run.seen.last = outcome === 'denied' ? 'denied' : 'result';
    run.seen.lastFailed = outcome === 'failed';
    run.seen.lastMainLine = line;
  }
  const text = typeof event.text === 'string' ? event.text : undefined;
  count(run, call, isNoFailure(run, call, outcome, text) ? 'succeeded' : outcome, line);
  settleEffects(run, call, { outcome, text, stated: event.ok === true }, line);
  settleWritten(state, run, call, outcome, event, line, at);
  if (call.kind === 'handoff' && (outcome === 'failed' || outcome === 'denied')) run.seen.handoff = false;
  if (outcome === 'denied') noteDenial(run, event, line);
}

const ERROR_OUTPUT =
  /No such file|not found|permission denied|(?:invalid|unrecognized|illegal) option|usage:|fatal:|syntax error|cannot (?:access|open)|is a directory|timed out/i;

/** A merge that stops at conflicts has not failed. */
const MERGE_CONFLICT = /(?:^|\n)CONFLICT \((?:content|add\/add|modify\/delete|rename)/;

/** An exit code that is an answer, or a failing check that the user asked about before any change. */
function isNoFailure(
  { seen, live }: RunState,
  { effects, line }: OpenCall,
  outcome: CallOutcome,
  text = '',
): boolean {
  if (outcome !== 'failed') return false;
  if (MERGE_CONFLICT.test(text.slice(0, 4_000))) return true;
  if (effects.some(({ does }) => does === 'answer')) return !ERROR_OUTPUT.test(text.slice(0, 1_000));
  if (live?.aboutFailure !== true || seen.work.lastCodeLine > live.lastUserLine || line < live.lastUserLine)
    return false;
  return effects.some((one) => one.does === 'check' && verdictOf(one, 'failed', text, true) === false);
}

/**
 * Failing tests exit with a code other than 0, even if the transcript does not record it. Behind a pipe they may not.
 */
function failsPlainly({ effects }: OpenCall, text: string): boolean {
  return effects.some(
    (effect) =>
      effect.does === 'check' &&
      ENDS_WITH_CODE.has(effect.kind) &&
      effect.hidden !== true &&
      verdictOf(effect, 'succeeded', text, false) === false,
  );
}
const ENDS_WITH_CODE: ReadonlySet<CheckKind> = new Set<CheckKind>([
  'tests',
  'checks',
  'types',
  'lint',
  'build',
]);

/** A failed call wrote nothing. Of a shell command, only the last step may have failed. */
function settleWritten(
  state: FoldState,
  run: RunState,
  call: OpenCall,
  outcome: CallOutcome,
  event: ResultEvent,
  line: number,
  at: number | undefined,
): void {
  if (outcome === 'denied' || (outcome === 'failed' && call.kind !== 'shell')) return;
  const changes = writesFor(state, call);
  noteEditRisks(run, changes, line);
  settleChanges(state.written, changes, at);
  const commits = call.effects.some((effect) => effect.does === 'make' && effect.artifact === 'commit');
  if (commits && typeof event.text === 'string') noteCommits(state.written, event.text, at);
}

export function stepFileChange(
  state: FoldState,
  event: FileChangeEvent & { readonly line: number },
  at: number | undefined,
): void {
  const changes = pendingOf([event], state.project, state.written);
  const id = event.callId === undefined ? undefined : hashText(event.callId);
  const call = state.openCalls.findLast((one) => one.id === id);
  if (call === undefined) {
    const run = state.runs.at(-1);
    if (run !== undefined) noteEditRisks(run, changes, event.line);
    settleChanges(state.written, changes, at);
  } else {
    call.writes = call.isExact ? [...(call.writes ?? []), ...changes] : changes;
    call.isExact = true;
  }
}

/** The open call that a result belongs to. A "still running" result leaves it open. */
function takeCall(state: FoldState, id: number, running: boolean): OpenCall | undefined {
  const { openCalls, settledCalls } = state;
  for (let index = openCalls.length - 1; index >= 0; index -= 1) {
    const call = openCalls[index] as OpenCall;
    if (call.id !== id) continue;
    if (running) {
      call.running = true;
      return undefined;
    }
    openCalls.splice(index, 1);
    settledCalls.push(mix(call.id, call.signature));
    if (settledCalls.length > MAX_SETTLED_CALLS) settledCalls.shift();
    return call;
  }
  return undefined;
}

function count(run: RunState, call: OpenCall, outcome: CallOutcome, line: number): void {
  if (outcome === 'unknown') return;
  run.tools[outcome] += 1;
  if (outcome === 'denied') {
    forget(run, call);
    return;
  }
  const ok = outcome === 'succeeded';
  if (call.kind === 'spawn') run.seen.spawnCalls[ok ? 'completed' : 'failed'] += 1;
  if (ok && !call.retry) run.tools.firstAttemptSuccesses += 1;
  if (!ok) countFailure(run, call, line);
  if (run.live === undefined) return;
  if (ok) endLoops(run, call);
  else continueLoop(run, call, line);
}

function countFailure(run: RunState, call: OpenCall, line: number): void {
  pointAt(run.tools.failedLines, line);
  if (run.live === undefined) return;
  if (run.live.failedIn === call.attempt) run.seen.failedInSameAttempt += 1;
  run.live.failedIn = call.attempt;
}

/** A rejected call says nothing about the task type, so its tool does not count as used. */
function forget(run: RunState, call: OpenCall): void {
  run.toolKinds[call.kind] = Math.max(0, (run.toolKinds[call.kind] ?? 0) - 1);
  const { spawnCalls } = run.seen;
  if (call.kind === 'spawn') spawnCalls.made = Math.max(0, spawnCalls.made - 1);
}

// Loops: attempts on one target that fail repeatedly. Calls sent together are one attempt.

/** The attempt number of a new call. Calls sent before any result arrived belong to one attempt. */
function attemptOf(live: LiveState, last: Last): number {
  if (!live.sending || last !== 'call') live.attempt += 1;
  live.sending = true;
  return live.attempt;
}

/** A success on a failing target ends the loop, even with another tool. */
function endLoops(run: RunState, call: OpenCall): void {
  const live = liveOf(run);
  if (live.failing.length === 0) return;
  const objects = objectsFor(call);
  live.failing = live.failing.filter((one) => {
    if (!isSame(one, call, objects)) return true;
    if (one.times >= 2) run.loops.recovered += 1;
    return false;
  });
}

/** A success within the same attempt does not end the loop. */
function isSame(one: Failing, call: OpenCall, objects: readonly number[]): boolean {
  if (one.target === call.target) return true;
  return one.attempt !== call.attempt && one.objects.some((object) => objects.includes(object));
}

function continueLoop(run: RunState, call: OpenCall, line: number): void {
  const { failing } = liveOf(run);
  const known = failing.find((one) => one.target === call.target);
  if (known !== undefined) {
    if (known.attempt === call.attempt) return;
    known.attempt = call.attempt;
    known.times += 1;
    known.line = line;
    if (known.times === 2) pointAt(run.loops.lines, line);
    return;
  }
  const record = call.effects.some((effect) => effect.does === 'make' && effect.artifact === 'record');
  const { target, attempt } = call;
  failing.push({ target, objects: objectsFor(call), attempt, times: 1, line, record });
  if (failing.length <= MAX_FAILING) return;
  const given = failing.shift();
  if (given !== undefined) noteGivenUp(run, [given]);
  if (given?.record === true) run.seen.recordsFailing += 1;
}

// What a call is about, independent of the tool: hashed files and addresses, so that a success of another tool counts.

const MAX_OBJECTS = 6;
const MAX_LOOK = 2_000;

/** Search terms are not objects. */
const FIELDS = [...NAMING_FIELDS, 'command', 'cmd', 'script', 'code'] as const;

/** Words with a slash or a file extension, and addresses. */
const NAMES =
  /https?:\/\/[^\s"'`)>]+|(?<![\w./~@-])(?:~|\.{0,2})\/?(?:[\w@.-]+\/)*[\w@-][\w@.-]*(?:\.\w{1,8}|\/[\w@.-]+)/g;
/** Not a file: `1.2`, `e.g`, a time. */
const NUMBER = /^[\d.:/-]+$/;

function objectsOf(input: unknown): number[] {
  if (typeof input === 'string') return objectsIn(input);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const fields = input as Readonly<Record<string, unknown>>;
  const objects = new Set<number>();
  for (const name of FIELDS) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const text = Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(' ') : value;
    if (typeof text === 'string') for (const object of objectsIn(text)) objects.add(object);
  }
  return [...objects].slice(0, MAX_OBJECTS);
}

function objectsIn(text: string): number[] {
  const objects: number[] = [];
  const seen = text.length > MAX_LOOK ? text.slice(0, MAX_LOOK) : text;
  NAMES.lastIndex = 0;
  for (let found = NAMES.exec(seen); found !== null; found = NAMES.exec(seen)) {
    const [name] = found;
    if (NUMBER.test(name)) continue;
    objects.push(hashText(nameOf(name)));
    if (objects.length >= MAX_OBJECTS) break;
  }
  return objects;
}

/** A file is identified by its last two path parts, an address by the whole. */
function nameOf(name: string): string {
  if (name.startsWith('http')) return name;
  return name
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .slice(-2)
    .join('/');
}

/** How many characters the model wrote into a call: gives a lower bound of its tokens. */
const MAX_NODES = 2_000;

function inputChars(input: unknown): number {
  const open: unknown[] = [input];
  let chars = 0;
  for (let left = MAX_NODES; left > 0 && open.length > 0; left -= 1) {
    const value = open.pop();
    if (typeof value === 'string') chars += value.length;
    else if (Array.isArray(value)) open.push(...value.slice(0, MAX_NODES));
    else if (typeof value === 'object' && value !== null)
      open.push(...Object.values(value).slice(0, MAX_NODES));
  }
  return chars;
}
