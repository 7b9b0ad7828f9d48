/** Where one run ends and the next begins, and how a run is added to an earlier one when there are too many. */
import type { Trigger } from '../event.ts';
import { MAX_POINTERS, MAX_RISKS } from '../evidence.ts';
import { addLongRequests, modelOf } from './models.ts';
import { judgeLastMessage } from './replies.ts';
import { widerScope } from './requests.ts';
import {
  type FoldState,
  type LiveState,
  MAX_RUNS,
  type ModelState,
  newRun,
  point,
  type RunState,
  type SeenState,
} from './state.ts';

/** The run going on; begins one when something happens before any trigger. */
export function currentRun(state: FoldState, line: number): RunState {
  return state.runs[state.runs.length - 1] ?? beginRun(state, state.trigger ?? 'unknown', line);
}

/** The memory of the run going on. */
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
 * What the runtime says set the session going explains its first message; in a sub-agent's session the parent is who
 * speaks throughout.
 */
function effectiveTrigger(state: FoldState, origin: Trigger): Trigger {
  const declared = state.trigger;
  if (origin !== 'user' || declared === undefined || declared === 'unknown' || declared === 'user')
    return origin;
  if (declared === 'subagent') return declared;
  const first = state.runs.length === 0 || (state.runs.length === 1 && state.runs[0]?.turns === 0);
  return first ? declared : origin;
}

/** An agent that greets before anybody spoke has not begun a run of its own. */
function isGreeting(run: RunState, trigger: Trigger): boolean {
  return run.turns === 0 && run.tools.calls === 0 && (run.trigger === 'unknown' || run.trigger === trigger);
}

function beginRun(state: FoldState, trigger: Trigger, line: number): RunState {
  const previous = state.runs[state.runs.length - 1];
  if (previous !== undefined) closeRun(previous);
  if (state.runs.length >= MAX_RUNS) foldLastRun(state);
  const run = newRun(trigger, line);
  state.runs.push(run);
  return run;
}

function closeRun(run: RunState): void {
  const { live } = run;
  if (live === undefined) return;
  judgeLastMessage(run);
  run.loops.persistent += live.failing.filter((one) => one.times >= 2).length;
  run.seen.recordsFailing += live.failing.filter((one) => one.record).length;
  if (live.correctedLast > 0) {
    run.acceptance = { value: 0, what: 'correction left unanswered', line: live.correctedLast };
  }
  run.live = undefined;
}

/** Adds the last run to an earlier one like it, so that years of heartbeats stay a small state. */
function foldLastRun(state: FoldState): void {
  const last = state.runs.length - 1;
  const run = state.runs[last] as RunState;
  for (let index = last - 1; index >= 0; index -= 1) {
    const earlier = state.runs[index] as RunState;
    if (earlier.trigger !== run.trigger || earlier.finalReply !== run.finalReply) continue;
    mergeRuns(earlier, run);
    state.runs.pop();
    for (const one of [...state.openCalls, ...state.messages, ...state.spawns]) {
      if (one.run === last) one.run = index;
    }
    return;
  }
}

/** How the end of a run is told: by the later of two. */
const OF_THE_END = [
  'finalReply',
  'finalReplyChars',
  'finalReplyLine',
  'gaveUp',
  'promised',
] as const satisfies readonly (keyof RunState)[];
const SEEN_AT_THE_END = [
  'last',
  'lastMainLine',
  'handoff',
  'handsOver',
  'lastFailed',
  'end',
  'request',
  'claims',
  'lastChecks',
] as const;

/** Adds one finished run to another: counts add up, lines are pointed at, and the later run says how it ended. */
function mergeRuns(into: RunState, run: RunState): void {
  const { models, artifacts, scope, sentBack, acceptance, seen, ...rest } = run;
  const { lastLine, startedAt, endedAt } = into;
  if (rest.loops.longestRepeat > into.loops.longestRepeat)
    into.seen.longestRepeatLine = seen.longestRepeatLine;
  const longestRepeat = Math.max(into.loops.longestRepeat, rest.loops.longestRepeat);
  addCounts(into, rest);
  into.loops.longestRepeat = longestRepeat;
  into.lastLine = Math.max(lastLine, run.lastLine);
  into.startedAt = startedAt === undefined ? run.startedAt : Math.min(startedAt, run.startedAt ?? startedAt);
  into.endedAt = endedAt === undefined ? run.endedAt : Math.max(endedAt, run.endedAt ?? endedAt);
  for (const model of models) addCounts(modelOf(into, model.model, model.provider), model);
  for (const one of artifacts) {
    const same = into.artifacts.find(({ artifact }) => artifact === one.artifact);
    if (same === undefined) into.artifacts.push(one);
    else addCounts(same, one);
  }
  if (scope !== undefined) into.scope = widerScope(into.scope, scope);
  if (sentBack !== undefined)
    into.sentBack = { times: (into.sentBack?.times ?? 0) + sentBack.times, line: sentBack.line };
  into.acceptance = acceptance ?? into.acceptance;
  for (const field of OF_THE_END) Object.assign(into, { [field]: run[field] });
  mergeSeen(into.seen, seen);
}

function mergeSeen(into: SeenState, seen: SeenState): void {
  into.failedBeside += seen.failedBeside;
  into.recordsFailing += seen.recordsFailing;
  addCounts(into.spawnCalls, seen.spawnCalls);
  addCounts(into.stated, seen.stated);
  into.stateChange = seen.stateChange ?? into.stateChange;
  into.testsAdded += seen.testsAdded;
  into.risks = [...into.risks, ...seen.risks].slice(0, MAX_RISKS);
  const codeChanges = into.work.codeChanges + seen.work.codeChanges;
  into.work = { ...(seen.work.lastChangeLine > 0 ? seen.work : into.work), codeChanges };
  for (const field of SEEN_AT_THE_END) Object.assign(into, { [field]: seen[field] });
}

/** Names and places stay; of what both have, numbers add up and lists of lines go on, at any depth. */
const PLACES: ReadonlySet<string> = new Set([
  'firstLine',
  'lastLine',
  'startedAt',
  'endedAt',
  'over',
  'finalReplyLine',
]);

function addCounts(into: object, from: object): void {
  const target = into as Record<string, unknown>;
  for (const [field, value] of Object.entries(from)) {
    const known = target[field];
    if (PLACES.has(field) || value === undefined) continue;
    if (typeof value === 'number') target[field] = (typeof known === 'number' ? known : 0) + value;
    else if (field === 'long') addLongRequests(target as ModelState, value);
    else if (Array.isArray(value)) {
      if (field.toLowerCase().endsWith('lines')) for (const line of value) pointAt(known as number[], line);
    } else if (typeof value === 'object' && value !== null) {
      if (known === undefined) target[field] = structuredClone(value);
      else addCounts(known as object, value);
    }
  }
}

/** Set going by a clock, so that nobody waits for an answer. */
export function isScheduled({ trigger }: RunState): boolean {
  return trigger === 'cron' || trigger === 'heartbeat';
}

/** Notes where and when something of this run was seen. */
export function touch(run: RunState, line: number, at: number | undefined): void {
  if (line > run.lastLine) run.lastLine = line;
  if (at === undefined || !Number.isFinite(at)) return;
  if (run.startedAt === undefined || at < run.startedAt) run.startedAt = at;
  if (run.endedAt === undefined || at > run.endedAt) run.endedAt = at;
}

export const pointAt = (lines: number[], line: number): void => point(lines, line, MAX_POINTERS);
