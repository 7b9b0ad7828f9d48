/** Where one run ends and the next begins. */
import type { Trigger } from '../event.ts';
import { MAX_POINTERS } from '../evidence.ts';
import { judgeLastMessage } from './replies.ts';
import {
  type Failing,
  type FoldState,
  type LiveState,
  MAX_RUNS,
  newRun,
  point,
  type RunState,
} from './state.ts';

/** The current run; begins one when something happens before any trigger. */
export function currentRun(state: FoldState, line: number): RunState {
  return state.runs[state.runs.length - 1] ?? beginRun(state, state.trigger ?? 'unknown', line);
}

/** The working state of the current run. */
export function liveOf(run: RunState): LiveState {
  run.live ??= newRun(run.trigger, run.firstLine).live as LiveState;
  return run.live;
}

/** The run that a message with this trigger belongs to. */
export function runForTrigger(state: FoldState, origin: Trigger, line: number): RunState {
  const current = state.runs[state.runs.length - 1];
  const trigger = effectiveTrigger(state, origin);
  if (current === undefined) return beginRun(state, trigger, line);
  if (isGreeting(current, trigger)) {
    current.trigger = trigger;
    return current;
  }
  const own = trigger === 'heartbeat' || trigger === 'cron';
  if (current.trigger === trigger && !own) return current;
  return beginRun(state, trigger, line);
}

/**
 * The session trigger that the runtime states applies to the first message. In a sub-agent's session the parent speaks
 * throughout.
 */
function effectiveTrigger(state: FoldState, origin: Trigger): Trigger {
  const declared = state.trigger;
  if (origin !== 'user' || declared === undefined || declared === 'unknown' || declared === 'user')
    return origin;
  if (declared === 'subagent') return declared;
  const first = state.runs.length === 0 || (state.runs.length === 1 && state.runs[0]?.turns === 0);
  return first ? declared : origin;
}

/** An agent that greets before any user message has not begun a run of its own. */
function isGreeting(run: RunState, trigger: Trigger): boolean {
  return run.turns === 0 && run.tools.calls === 0 && (run.trigger === 'unknown' || run.trigger === trigger);
}

function beginRun(state: FoldState, trigger: Trigger, line: number): RunState {
  const previous = state.runs[state.runs.length - 1];
  if (previous !== undefined) {
    if (isFull(state, previous, trigger)) return previous;
    closeRun(previous);
  }
  const run = newRun(trigger, line);
  state.runs.push(run);
  return run;
}

function closeRun(run: RunState): void {
  const { live } = run;
  if (live === undefined) return;
  judgeLastMessage(run);
  noteGivenUp(run, live.failing);
  run.seen.recordsFailing += live.failing.filter((one) => one.record).length;
  if (live.correctedLast > 0) {
    run.acceptance = { value: 0, what: 'correction left unanswered', line: live.correctedLast };
  }
  run.live = undefined;
}

/** Loops that no success has ended. */
export function noteGivenUp({ loops }: Pick<RunState, 'loops'>, failing: readonly Failing[]): void {
  for (const { times, line } of failing) {
    if (times < 2) continue;
    loops.persistent += 1;
    loops.persistentLine = Math.max(loops.persistentLine ?? 0, line);
  }
}

/** Room for runs of other triggers after this many heartbeat runs. */
const ROOM_FOR_OTHERS = 100;

/** Keeps the state small over years of heartbeats: then the last run continues. */
function isFull({ runs }: FoldState, last: RunState, trigger: Trigger): boolean {
  return runs.length >= (last.trigger === trigger ? MAX_RUNS : MAX_RUNS + ROOM_FOR_OTHERS);
}

/** Started by a clock, so no user waits for an answer. */
export function isScheduled({ trigger }: RunState): boolean {
  return trigger === 'cron' || trigger === 'heartbeat';
}

/** Records the line and time of activity in this run. */
export function touch(run: RunState, line: number, at: number | undefined): void {
  if (line > run.lastLine) run.lastLine = line;
  if (at === undefined || !Number.isFinite(at)) return;
  if (run.startedAt === undefined || at < run.startedAt) run.startedAt = at;
  if (run.endedAt === undefined || at > run.endedAt) run.endedAt = at;
}

export const pointAt = (lines: number[], line: number): void => point(lines, line, MAX_POINTERS);
