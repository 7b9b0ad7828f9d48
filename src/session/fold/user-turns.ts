/** What people say and do: turns, corrections, interruptions, acceptance. */
import type { ArtifactKind, PersonCommandEvent, ResultEvent, UserEvent } from '../event.ts';
import type { CorrectionKind } from '../evidence.ts';
import { outcomeOf } from './call-outcome.ts';
import {
  asksForMore,
  type Before,
  bringsFailure,
  isObjection,
  isRequest,
  remarkOf,
  type UserRemark,
} from './corrections.ts';
import { artifactsOf, noteCheck, notePush } from './effects.ts';
import { keepsForThemselves } from './last-message.ts';
import { lastWords } from './replies.ts';
import {
  isSameRequest,
  isSameRequestAtOnce,
  scopeOf,
  sketchOf,
  traitsOf,
  widerScope,
  wordsOf,
} from './requests.ts';
import { currentRun, liveOf, pointAt, runForTrigger, touch } from './runs.ts';
import { readShell } from './shell-command.ts';
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
  if (run.turns === 1) run.requestTraits = traitsOf(text);
  if (event.origin === 'user') listen(run, text, line);
  else ask(run, text);
  run.seen.last = 'user';
  run.seen.lastMainLine = line;
  run.seen.end = undefined;
  const live = liveOf(run);
  // What was left to the user has been answered.
  run.seen.handsOver = undefined;
  for (const one of live.unread) one.keeps = true;
  live.heardAt = line;
  live.keeps = keepsForThemselves(text);
}

function listen(run: RunState, text: string, line: number): void {
  const live = liveOf(run);
  const remark = run.replies + run.tools.calls > 0 ? remarkOf(text, beforeOf(run, live)) : 'none';
  const sketch = sketchOf(text);
  const words = wordsOf(text);
  const stoppedAt = live.interruptedAt || live.deniedAt;
  const how = correctionOf(run, live, text, { remark, sketch, words, stopped: stoppedAt > 0 });
  if (how === undefined && opensRequest(run, live, text, remark)) ask(run, text);
  live.correctedLast = 0;
  if (remark === 'acceptance' && how === undefined && run.turns > 1) run.thanks += 1;
  if (how !== undefined) correct(run, live, how === 'interrupted' ? stoppedAt : line, how);
  else if (remark === 'acceptance' && live.answered) {
    run.acceptance = { value: 1, what: 'accepted by the person', line };
  }
  live.sketches.push(sketch);
  if (live.sketches.length > MAX_SKETCHES) live.sketches.shift();
  live.lastWords = words;
  live.answered = false;
  live.interruptedAt = 0;
  live.deniedAt = 0;
}

/** Read only where the words of the message make it matter. */
function beforeOf(run: RunState, live: LiveState): Before {
  return {
    get asked() {
      return lastWords.asked(live);
    },
    get declined() {
      return lastWords.declined(live);
    },
    get delivered() {
      return hasDelivered(run);
    },
  };
}

/** What asks for something new, rather than answering, objecting, or saying go on. */
function opensRequest(run: RunState, live: LiveState, text: string, remark: UserRemark): boolean {
  if (run.turns === 1) return true;
  return remark === 'none' && live.answered && !lastWords.asked(live) && asksForMore(text);
}

function ask(run: RunState, text: string): void {
  run.requests += 1;
  run.scope = widerScope(run.scope, scopeOf(text));
}

type Heard = {
  readonly remark: UserRemark;
  readonly sketch: readonly number[];
  readonly words: number;
  readonly stopped: boolean;
};

/** How a message corrects the agent, if it does. What they did comes before what they said. */
function correctionOf(
  run: RunState,
  live: LiveState,
  text: string,
  heard: Heard,
): CorrectionKind | undefined {
  if (heard.stopped) return isObjection(text) ? 'interrupted' : undefined;
  if (heard.remark === 'correction') return 'said';
  if (!live.answered || heard.remark !== 'none') return undefined;
  if (asksAgain(live, text, heard) && !lastWords.declined(live)) return 'again';
  return hasDelivered(run) && bringsFailure(text) && !lastWords.awaitsReport(live) ? 'failed' : undefined;
}

/** Said again at once, the words need not be quite the same. */
function asksAgain({ sketches, lastWords }: LiveState, text: string, { sketch, words }: Heard): boolean {
  const last = sketches[sketches.length - 1];
  const same =
    (words !== 0 && words === lastWords) ||
    sketches.some((earlier) => isSameRequest(earlier, sketch)) ||
    (last !== undefined && isSameRequestAtOnce(last, sketch));
  return same && isRequest(text);
}

const DELIVERIES: ReadonlySet<ArtifactKind> = new Set<ArtifactKind>(['file', 'commit', 'pull-request']);

function hasDelivered(run: RunState): boolean {
  return artifactsOf(run).some((one) => DELIVERIES.has(one.artifact) && one.made > 0);
}

/** What is said of the work; a call that is forbidden and an agent that is stopped had not delivered yet. */
const SENDS_BACK: ReadonlySet<CorrectionKind> = new Set<CorrectionKind>(['failed', 'again', 'said']);

function hasMade(run: RunState): boolean {
  return artifactsOf(run).some((one) => one.artifact !== 'answer' && one.made > 0);
}

function correct(run: RunState, live: LiveState, line: number, how: CorrectionKind): void {
  run.corrections += 1;
  run.correctedBy[how] = (run.correctedBy[how] ?? 0) + 1;
  pointAt(run.correctionLines, line);
  if (SENDS_BACK.has(how) && hasMade(run)) {
    run.sentBack = { times: (run.sentBack?.times ?? 0) + 1, line };
  }
  live.correctedLast = line;
  live.interruptedAt = 0;
  live.deniedAt = 0;
  run.acceptance = undefined;
}

export function stepInterrupt(state: FoldState, line: number, at: number | undefined): void {
  const run = currentRun(state, line);
  const live = liveOf(run);
  touch(run, line, at);
  run.interrupts += 1;
  // Who stops before the agent did anything changes their own message.
  if (live.answered) live.interruptedAt = line;
  run.seen.last = 'aborted';
  run.seen.lastMainLine = line;
}

/**
 * Who forbids a call may say why, and formats write that nowhere but in the result. Without a word, what they say next
 * tells; when the agent goes on by itself it was a matter of that call only.
 */
export function hearDenial(run: RunState, { byRule, reason }: ResultEvent, line: number): void {
  const { live } = run;
  if (live !== undefined) live.keeps = true;
  // Calls that were sent together are forbidden together: that is one objection.
  if (byRule === true || live === undefined || live.correctedLast > 0) return;
  if (reason === undefined || reason.trim() === '') live.deniedAt = line;
  else if (isObjection(reason)) correct(run, live, line, 'denied');
}

// What a person runs beside the agent checks its work as well as what the agent runs.

export function stepPersonCommand(
  state: FoldState,
  { command, text, ok }: PersonCommandEvent,
  line: number,
  at: number | undefined,
): void {
  const run = state.runs.at(-1);
  if (run === undefined || typeof command !== 'string') return;
  touch(run, line, at);
  const outcome = outcomeOf({ text, ok }, 'shell');
  for (const effect of readShell(command).effects) {
    if (effect.does === 'state' && effect.what === 'pushed' && outcome === 'succeeded') notePush(run);
    if (effect.does !== 'check') continue;
    // Without an exit code only what it printed tells.
    const check = ok === undefined ? { ...effect, hidden: true as const } : effect;
    noteCheck(run, check, { outcome, text, stated: ok === true }, line);
  }
}
