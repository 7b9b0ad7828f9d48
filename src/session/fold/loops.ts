/** Loops: attempts on one target that fail again and again. Calls that are sent together are one attempt. */
import { objectsOf } from './call-objects.ts';
import { liveOf, pointAt } from './runs.ts';
import {
  type Failing,
  type Last,
  type LiveState,
  MAX_FAILING,
  type OpenCall,
  type RunState,
} from './state.ts';

/** The number of the attempt that a call made now belongs to: what is sent before any answer came is sent together. */
export function attemptOf(live: LiveState, last: Last): number {
  if (!live.sending || last !== 'call') live.attempt += 1;
  live.sending = true;
  return live.attempt;
}

/** What a call is about, told from its input at the first time that somebody asks. */
export function aboutOf(call: OpenCall): number[] {
  call.objects ??= objectsOf(call.input);
  call.input = undefined;
  return call.objects;
}

/** Success on what kept failing ends the loop, whichever tool brings it. */
export function endLoops(run: RunState, call: OpenCall): void {
  const live = liveOf(run);
  if (live.failing.length === 0) return;
  const objects = aboutOf(call);
  live.failing = live.failing.filter((one) => {
    if (!isSame(one, call, objects)) return true;
    if (one.times >= 2) run.loops.recovered += 1;
    return false;
  });
}

/** What was sent together and succeeded in part has not been got over by that. */
function isSame(one: Failing, call: OpenCall, objects: readonly number[]): boolean {
  if (one.target === call.target) return true;
  return one.attempt !== call.attempt && one.objects.some((object) => objects.includes(object));
}

export function continueLoop(run: RunState, call: OpenCall, line: number): void {
  const { failing } = liveOf(run);
  const known = failing.find((one) => one.target === call.target);
  if (known !== undefined) {
    if (known.attempt === call.attempt) return;
    known.attempt = call.attempt;
    known.times += 1;
    if (known.times === 2) pointAt(run.loops.lines, line);
    return;
  }
  const record = call.effects.some((effect) => effect.does === 'make' && effect.artifact === 'record');
  const { target, attempt } = call;
  failing.push({ target, objects: aboutOf(call), attempt, times: 1, record });
  if (failing.length <= MAX_FAILING) return;
  const given = failing.shift();
  if (given !== undefined && given.times >= 2) run.loops.persistent += 1;
  if (given?.record === true) run.seen.recordsFailing += 1;
}
