/** What users say and do: turns, corrections, interruptions, acceptance. */
import type { ArtifactKind, ResultEvent, UserCommandEvent, UserEvent } from '../event.ts';
import type { CorrectionKind, RequestTrait } from '../evidence.ts';
import { outcomeOf } from './call-outcome.ts';
import {
  admits,
  admittable,
  asksAboutWork,
  asksForMore,
  type Before,
  bringsFailure,
  isObjection,
  isRequest,
  remarkOf,
  type UserRemark,
} from './corrections.ts';
import { artifactsOf, noteCheck, notePush } from './effects.ts';
import { asksForChange } from './faults.ts';
import { hashText } from './hash.ts';
import { userTakesOver } from './last-message.ts';
import { noPlan } from './plan-steps.ts';
import { lastWords } from './replies.ts';
import {
  isSameRequest,
  isSameRequestAtOnce,
  scopeOf,
  sketchOf,
  taskHash,
  traitsOf,
  widerScope,
  wordsOf,
} from './requests.ts';
import { requestedRisks } from './risks.ts';
import { currentRun, liveOf, pointAt, runForTrigger, touch } from './runs.ts';
import { readShell } from './shell-command.ts';
import type { FoldState, LiveState, RunState } from './state.ts';

/** How chat gateways begin a message, or name a session, of a group. */
const IN_GROUP =
  /^\s{0,8}\[(?:Telegram|Discord|Slack|WhatsApp|Signal|Teams|Matrix|iMessage|Mattermost|IRC|Zulip)\b[^\]\n]{0,200}(?:\bgroup\b|\bchannel\b|#\w)/i;
const GROUP_SESSION = /(?:^|:)(?:group|channel|room)(?::|$)/;
const MAX_SKETCHES = 4;
/** Files that a question may be about. */
const MAX_QUESTIONED = 16;
const ABOUT_FAILURE =
  /\b(?:fail|broke|bug|fix|error|red|tests?|crash|ci|lint|types?|build|check|regress|debug|issue|investigat)/i;

export function stepUser(state: FoldState, event: UserEvent, line: number, at: number | undefined): void {
  if (event.origin === 'runtime' || isOfProgram(event.text)) {
    const run = state.runs[state.runs.length - 1];
    if (run !== undefined) touch(run, line, at);
    return;
  }
  const text = typeof event.text === 'string' ? event.text : '';
  const run = runForTrigger(state, event.origin, line);
  touch(run, line, at);
  run.turns += 1;
  if (run.turns === 1) run.requestTraits = traitsOf(text);
  if (run.turns === 1) run.requestHash = taskHash(text);
  if (run.turns === 1 && (IN_GROUP.test(text.slice(0, 300)) || GROUP_SESSION.test(state.sessionId ?? '')))
    run.inGroup = true;
  if (event.origin === 'user') listen(run, text, line);
  else ask(run, text);
  run.seen.last = 'user';
  run.seen.lastMainLine = line;
  run.seen.end = undefined;
  const live = liveOf(run);
  // The user has answered what was left to them.
  run.seen.handsOver = undefined;
  for (const one of live.unread) one.takenOver = true;
  live.lastUserLine = line;
  live.allowed = requestedRisks(text);
  live.aboutFailure = ABOUT_FAILURE.test(text.slice(0, 4_000));
  live.userTakesOver = userTakesOver(text);
}

/** What hooks and the program write in the user's name, in formats that do not mark it. */
const OF_PROGRAM =
  /^\s{0,20}(?:\[Request interrupted by user|(?:Stop|SubagentStop|PreToolUse|PostToolUse|UserPromptSubmit|SessionStart|PreCompact|Notification)(?::\w+)? hook\b|(?:Operation|Prompt|Submission) (?:stopped|blocked|denied|cancell?ed) by (?:a |the )?(?:\w+ )?hook\b|<user-prompt-submit-hook>|<(?:stop|pre-tool-use|post-tool-use|session-start)-hook>|<system-reminder>[^<]{0,3900}<\/system-reminder>\s*$)/;

const isOfProgram = (text: unknown): boolean =>
  typeof text === 'string' && OF_PROGRAM.test(text.slice(0, 4_000));

function listen(run: RunState, text: string, line: number): void {
  const live = liveOf(run);
  const remark = run.replies + run.tools.calls > 0 ? remarkOf(text, beforeOf(run, live)) : 'none';
  const sketch = sketchOf(text);
  const words = wordsOf(text);
  const stoppedAt = live.interruptedAt || live.deniedAt;
  const same = isSaidAgain(run, live, sketch, words);
  const how = correctionOf(run, live, text, { remark, again: same, stopped: stoppedAt > 0 });
  if (how === undefined && opensRequest(run, live, text, remark)) ask(run, text);
  live.correctedLast = 0;
  const may =
    how === undefined && run.replies + run.tools.calls > 0 && !same
      ? admittable(text, remark, lastWords.asked(live))
      : 'no';
  live.admittable = may === 'no' ? undefined : { line, how: may };
  live.questioned =
    may !== 'no' && asksAboutWork(text, lastWords.asked(live))
      ? { line, files: run.seen.work.files.slice(-MAX_QUESTIONED) }
      : undefined;
  if (remark === 'acceptance' && how === undefined && run.turns > 1) run.thanks += 1;
  if (how !== undefined) correct(run, live, how === 'interrupted' ? stoppedAt : line, how);
  else if (remark === 'acceptance' && live.answered) {
    run.acceptance = { value: 1, what: 'accepted by the user', line };
  }
  if ((remark === 'none' || remark === 'correction') && isRequest(text)) openRequest(run, text, line);
  live.sketches.push(sketch);
  if (live.sketches.length > MAX_SKETCHES) live.sketches.shift();
  live.lastWords = words;
  live.answered = false;
  live.interruptedAt = 0;
  live.deniedAt = 0;
}

/** Evaluated only when the words of the message make it matter. */
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
    get awaitsReport() {
      return lastWords.awaitsReport(live);
    },
    changed: (file) => run.seen.work.files.includes(hashText(file)),
  };
}

/** A message that asks for something new, rather than answering, objecting, or saying continue. */
function opensRequest(run: RunState, live: LiveState, text: string, remark: UserRemark): boolean {
  if (run.turns === 1) return true;
  return remark === 'none' && live.answered && !lastWords.asked(live) && asksForMore(text);
}

const NO_CHANGE: ReadonlySet<RequestTrait> = new Set<RequestTrait>([
  'explain-request',
  'plan-request',
  'question',
]);

function openRequest(run: RunState, text: string, line: number): void {
  const traits = traitsOf(text);
  const asks = traits.includes('code-request') || (traits.includes('file-path') && asksForChange(text));
  const code = asks && !traits.some((trait) => NO_CHANGE.has(trait));
  run.seen.plan = noPlan();
  run.seen.request = {
    line,
    code: code || undefined,
    acted: 0,
    tried: 0,
    made: 0,
    failed: 0,
    denied: 0,
    answered: false,
  };
}

function ask(run: RunState, text: string): void {
  run.requests += 1;
  run.scope = widerScope(run.scope, scopeOf(text));
}

type MessageContext = {
  readonly remark: UserRemark;
  readonly again: boolean;
  readonly stopped: boolean;
};

/** How a message corrects the agent, if it does. User actions come before words. */
function correctionOf(
  run: RunState,
  live: LiveState,
  text: string,
  context: MessageContext,
): CorrectionKind | undefined {
  // The same prompt sent again after a stop is a restart, not a correction.
  if (context.stopped) return isObjection(text) && !context.again ? 'interrupted' : undefined;
  if (context.remark === 'correction') return hasDelivered(run) && bringsFailure(text) ? 'failed' : 'said';
  if (!live.answered || context.remark !== 'none') return undefined;
  if (context.again && isRequest(text) && !lastWords.declined(live)) return 'again';
  return hasDelivered(run) && bringsFailure(text) && !lastWords.awaitsReport(live) ? 'failed' : undefined;
}

/** An immediate repetition may differ slightly in words. */
function isSaidAgain(
  run: RunState,
  { sketches, lastWords }: LiveState,
  sketch: readonly number[],
  words: number,
): boolean {
  const last = sketches[sketches.length - 1];
  return (
    (words !== 0 && words === lastWords) ||
    sketches.some((earlier) => isSameRequest(earlier, sketch)) ||
    (last !== undefined && isSameRequestAtOnce(last, sketch, hasDelivered(run)))
  );
}

const DELIVERIES: ReadonlySet<ArtifactKind> = new Set<ArtifactKind>(['file', 'commit', 'pull-request']);

function hasDelivered(run: RunState): boolean {
  return artifactsOf(run).some((one) => DELIVERIES.has(one.artifact) && one.made > 0);
}

/** Corrections about delivered work. A rejected call or a stopped agent had not delivered yet. */
const SENDS_BACK: ReadonlySet<CorrectionKind> = new Set<CorrectionKind>([
  'failed',
  'again',
  'said',
  'admitted',
]);

function hasMade(run: RunState): boolean {
  return artifactsOf(run).some((one) => one.artifact !== 'answer' && one.made > 0);
}

/** The start of the agent's reply may show that the message was a correction. */
export function noteAdmission(run: RunState, live: LiveState, answer: string): void {
  const { admittable: about } = live;
  if (about === undefined) return;
  live.admittable = undefined;
  if (!admits(answer, about.how)) return;
  correct(run, live, about.line, 'admitted');
  live.correctedLast = 0;
}

/** The agent changes a file again that it had changed before the question: the question was right. */
export function noteRevision(run: RunState, file: number | undefined): void {
  const { live } = run;
  if (file === undefined || live?.questioned?.files.includes(file) !== true) return;
  correct(run, live, live.questioned.line, 'admitted');
  live.correctedLast = 0;
}

function correct(run: RunState, live: LiveState, line: number, how: CorrectionKind): void {
  run.corrections += 1;
  run.correctedBy[how] = (run.correctedBy[how] ?? 0) + 1;
  pointAt(run.correctionLines, line);
  if (SENDS_BACK.has(how) && hasMade(run)) {
    run.sentBack = { times: (run.sentBack?.times ?? 0) + 1, line };
  }
  live.correctedLast = line;
  live.admittable = undefined;
  live.questioned = undefined;
  live.interruptedAt = 0;
  live.deniedAt = 0;
  run.acceptance = undefined;
}

export function stepInterrupt(state: FoldState, line: number, at: number | undefined): void {
  const run = currentRun(state, line);
  const live = liveOf(run);
  touch(run, line, at);
  run.interrupts += 1;
  pointAt(run.interruptLines, line);
  // A user who stops before the agent did anything is editing their own message.
  if (live.answered) live.interruptedAt = line;
  run.seen.last = 'aborted';
  run.seen.lastMainLine = line;
}

/**
 * Formats record the reason for a rejected call only in its result. Without a reason, the next user message decides.
 * When the agent simply continues, the rejection concerned that call only.
 */
export function noteDenial(run: RunState, { byRule, reason }: ResultEvent, line: number): void {
  const { live } = run;
  if (byRule !== true) pointAt(run.tools.deniedLines, line);
  if (live !== undefined) live.userTakesOver = true;
  // Calls sent together are rejected together: that is one objection.
  if (byRule === true || live === undefined || live.correctedLast > 0) return;
  if (reason === undefined || reason.trim() === '') live.deniedAt = line;
  else if (isObjection(reason)) correct(run, live, line, 'denied');
}

// A command that the user runs during the session checks the work as well as a command of the agent.

export function stepUserCommand(
  state: FoldState,
  { command, text, ok }: UserCommandEvent,
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
    // Without an exit code, only the output shows the result.
    const check = ok === undefined ? { ...effect, hidden: true as const } : effect;
    noteCheck(run, check, { outcome, text, stated: ok === true }, line);
  }
}
