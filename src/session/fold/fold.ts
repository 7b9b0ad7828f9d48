/**
 * Events → facts, one event at a time. The state is plain JSON and can be stored between any two events: folding in
 * chunks equals folding at once. The last message and the inputs of open calls stay in memory until needed.
 * `withoutText` evaluates and drops them; only its result may be stored.
 */
import type { EndEvent, Event, SessionEvent, SpawnEvent } from '../event.ts';
import type { SessionFacts } from '../evidence.ts';
import { settleInput, stepCall, stepFileChange, stepResult } from './calls.ts';
import { evidencePhrase, noteState, noteStatedArtifact, RANK } from './effects.ts';
import { factsOf } from './facts.ts';
import { hashText } from './hash.ts';
import { nothingWritten } from './line-fingerprints.ts';
import { nameOf, statedCost, usageOf } from './models.ts';
import { judgeLastMessage, stepReply } from './replies.ts';
import { currentRun, pointAt, touch } from './runs.ts';
import { type FoldState, MAX_SPAWNS, NO_USAGE, type RunState } from './state.ts';
import { stepInterrupt, stepUser, stepUserCommand } from './user-turns.ts';

export type { FoldState } from './state.ts';

const MAX_ID = 256;

export function startFold(source: string): FoldState {
  return {
    version: 1,
    source,
    runs: [],
    openCalls: [],
    settledCalls: [],
    messageKeys: [],
    messages: [],
    messageNext: 0,
    spawns: [],
    sawSpawn: false,
    written: nothingWritten(),
    abandoned: { entries: 0, usage: { ...NO_USAGE } },
  };
}

/** Folds one event into the state. */
export function step(state: FoldState, event: Event): void {
  const { line, at } = event;
  switch (event.kind) {
    case 'session':
      stepSession(state, event, at);
      break;
    case 'user':
      stepUser(state, event, line, at);
      break;
    case 'reply':
      stepReply(state, event, line, at);
      break;
    case 'call':
      stepCall(state, event, line, at);
      break;
    case 'result':
      stepResult(state, event, line, at);
      break;
    case 'spawn':
      stepSpawn(state, event, line);
      break;
    case 'interrupt':
      stepInterrupt(state, line, at);
      break;
    case 'compaction':
      stepCompaction(touched(state, line, at), line);
      break;
    case 'artifact':
      noteStatedArtifact(touched(state, line, at), event.artifact, event.ok === true, line);
      break;
    case 'file-change':
      stepFileChange(state, event, at);
      break;
    case 'person-command':
      stepUserCommand(state, event, line, at);
      break;
    case 'end':
      stepEnd(state, event, line, at);
      break;
    case 'state-change':
      noteState(
        touched(state, line, at),
        RANK.explicit,
        share(event.value),
        evidencePhrase(event.what),
        line,
      );
      break;
    case 'acceptance':
      touched(state, line, at).acceptance = {
        value: share(event.value),
        what: evidencePhrase(event.what),
        line,
      };
  }
}

/**
 * The facts so far; the state does not change. Undefined when there is no message, no call and no declared total.
 * `asOf`: the current time, which decides whether a silent session is over.
 */
export function finish(
  state: FoldState,
  fallbackSessionId: string,
  asOf?: number | undefined,
): SessionFacts | undefined {
  return factsOf(withoutText(state), fallbackSessionId, asOf);
}

/** The same state as plain JSON for storage: pending text is evaluated and dropped. */
export function withoutText(state: FoldState): FoldState {
  const run = state.runs.at(-1);
  if (run !== undefined) judgeLastMessage(run);
  for (const call of state.openCalls) settleInput(state, call);
  return state;
}

function touched(state: FoldState, line: number, at: number | undefined): RunState {
  const run = currentRun(state, line);
  touch(run, line, at);
  return run;
}

function stepSession(state: FoldState, event: SessionEvent, at: number | undefined): void {
  if (at !== undefined && Number.isFinite(at)) state.firstAt ??= at;
  const id = idOf(event.sessionId);
  if (id !== undefined) state.sessionId = id;
  const parent = idOf(event.parentSessionId);
  if (parent !== undefined) state.parentSessionId = parent;
  for (const field of ['agent', 'model', 'provider', 'taskType'] as const) {
    const value = nameOf(event[field]);
    if (value !== undefined) state[field] = value;
  }
  // Agents change folders; a session belongs to the folder where it began.
  const project = projectOf(event.project);
  if (project !== undefined) state.project ??= project;
  if (event.trigger !== undefined) state.trigger = event.trigger;
  const usage = usageOf(event.usage);
  if (usage !== null) state.declaredUsage = usage;
  if (usage !== null && event.usageIsTotal === true) state.declaredIsTotal = true;
  if (event.endOnly === true) state.endOnly = true;
  const costUsd = statedCost(event);
  if (costUsd !== null) state.declaredCostUsd = costUsd;
}

/** Long enough for any path, short enough for a column. */
const MAX_PROJECT = 1024;

function projectOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_PROJECT) : undefined;
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_ID) : undefined;
}

function stepSpawn(state: FoldState, event: SpawnEvent, line: number): void {
  state.sawSpawn = true;
  const id = hashText(String(event.spawnId));
  const known = state.spawns.find((one) => one.id === id);
  const ok = typeof event.ok === 'boolean' ? event.ok : null;
  if (known !== undefined) {
    const run = state.runs[known.run];
    if (run === undefined || ok === null || ok === known.ok) return;
    if (known.ok !== null) run[known.ok ? 'spawnsCompleted' : 'spawnsFailed'] -= 1;
    run[ok ? 'spawnsCompleted' : 'spawnsFailed'] += 1;
    known.ok = ok;
    return;
  }
  const run = touched(state, line, undefined);
  run.spawned += 1;
  if (ok !== null) run[ok ? 'spawnsCompleted' : 'spawnsFailed'] += 1;
  state.spawns.push({ id, run: state.runs.length - 1, ok });
  if (state.spawns.length > MAX_SPAWNS) state.spawns.shift();
}

function stepCompaction(run: RunState, line: number): void {
  run.compactions += 1;
  pointAt(run.compactionLines, line);
}

/** An end before any activity counts only when it explains why nothing happened. */
function stepEnd(state: FoldState, event: EndEvent, line: number, at: number | undefined): void {
  const says = event.reason !== 'normal' && event.reason !== 'open' && event.reason !== 'unknown';
  if (state.runs.length === 0 && !says) return;
  const run = touched(state, line, at);
  run.seen.end = { reason: event.reason, line };
}

function share(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
