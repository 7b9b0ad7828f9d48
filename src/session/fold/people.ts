/** What people say and do: turns, corrections, interruptions, acceptance. */
import type { UserEvent } from '../event.ts';
import { isObjection, isRequest, remarkOf, type UserRemark } from './corrections.ts';
import { isSameRequest, sketchOf, wordsOf } from './request-sketch.ts';
import { traitsOf } from './request-traits.ts';
import { currentRun, liveOf, pointAt, runForTrigger, touch } from './run-of.ts';
import type { FoldState, LiveState, RunState } from './state.ts';

const MAX_SKETCHES = 4;

export function stepUser(state: FoldState, event: UserEvent, line: number, at: number | undefined): void {
  if (event.origin === 'runtime') {
    const run = state.runs[state.runs.length - 1];
    if (run !== undefined) touch(run, line, at);
    return;
  }
  const text = typeof event.text === 'string' ? event.text : '';
  const run = runForTrigger(state, event.origin, line);
  touch(run, line, at);
  run.turns += 1;
  if (run.turns === 1) run.traits = traitsOf(text);
  if (event.origin === 'user') listen(run, text, line);
  run.last = 'user';
  run.lastMainLine = line;
  run.end = undefined;
}

function listen(run: RunState, text: string, line: number): void {
  const live = liveOf(run);
  const began = run.replies + run.calls > 0;
  const remark = began ? remarkOf(text, live.asked) : 'none';
  const sketch = sketchOf(text);
  const words = wordsOf(text);
  const same =
    (words !== 0 && words === live.lastWords) ||
    live.sketches.some((earlier) => isSameRequest(earlier, sketch));
  const repeated = live.answered && same && isRequest(text);
  const redirected = live.interruptedAt > 0 && isRedirection(live, remark, text);
  live.correctedLast = 0;
  if (repeated || remark === 'correction') correct(run, live, line);
  else if (redirected) correct(run, live, live.interruptedAt);
  else if (remark === 'acceptance' && live.answered) {
    run.acceptance = { value: 1, what: 'accepted by the person', line };
  }
  live.sketches.push(sketch);
  if (live.sketches.length > MAX_SKETCHES) live.sketches.shift();
  live.lastWords = words;
  live.redirected = redirected;
  live.answered = false;
  live.interruptedAt = 0;
}

/**
 * What is said after an interruption tells whether it was an objection. Who has just stopped the agent to redirect it
 * and stops it again needs no word of objection.
 */
function isRedirection(live: LiveState, remark: UserRemark, text: string): boolean {
  if (remark === 'continue' || remark === 'acceptance') return false;
  return isObjection(text) || (live.redirected && isRequest(text));
}

function correct(run: RunState, live: LiveState, line: number): void {
  run.corrections += 1;
  pointAt(run.correctionLines, line);
  live.correctedLast = line;
  run.acceptance = undefined;
}

export function stepInterrupt(state: FoldState, line: number, at: number | undefined): void {
  const run = currentRun(state, line);
  const live = liveOf(run);
  touch(run, line, at);
  run.interrupts += 1;
  // Who stops before the agent did anything changes their own message.
  if (live.answered) live.interruptedAt = line;
  run.last = 'aborted';
  run.lastMainLine = line;
}

const SAID = 'the user said:';
const MAX_SAID = 2_000;

/** Who forbids a call may say why, and formats write that nowhere but in the result. */
export function hearDenial(run: RunState, text: string, line: number): void {
  const from = text.indexOf(SAID);
  if (from < 0 || run.live === undefined) return;
  const said = text.slice(from + SAID.length, from + SAID.length + MAX_SAID);
  if (remarkOf(said.trim(), false) === 'correction') correct(run, run.live, line);
}
