/** Model messages: their tokens, each counted once, their cost, and what the last one said. */
import type { ReplyEvent } from '../event.ts';
import { hashText } from './hash.ts';
import {
  admitsFailure,
  asksForReport,
  asksSomething,
  claimsIn,
  declinesSomething,
  handsOver,
  isFiller,
  isPromise,
  joinReplies,
  kindOfReply,
} from './last-message.ts';
import { contribute, modelOf, nameOf, statedCost, usageOf } from './models.ts';
import { currentRun, isScheduled, liveOf, touch } from './runs.ts';
import {
  type FoldState,
  type Last,
  type LiveState,
  MAX_MESSAGES,
  type MessageState,
  type RunState,
} from './state.ts';

import { noteAdmission } from './user-turns.ts';

export function stepReply(state: FoldState, event: ReplyEvent, line: number, at: number | undefined): void {
  const run = currentRun(state, line);
  touch(run, line, at);
  const key = typeof event.messageId === 'string' && event.messageId !== '' ? hashText(event.messageId) : 0;
  if (event.retracted === true) {
    retract(state, key);
    return;
  }
  countMessage(state, run, event, key);
  readText(run, event, key, line);
  const last = lastOf(event);
  if (last !== undefined) {
    run.seen.last = last;
    run.seen.lastMainLine = line;
  }
}

/** What a reply means for the end of its run; nothing when it only carries tokens. */
function lastOf(event: ReplyEvent): Last | undefined {
  switch (event.stop) {
    case 'error':
      return 'error';
    case 'aborted':
      return 'aborted';
    case 'length':
      return 'limit';
    case 'end':
    case 'refusal':
      return 'text';
    case 'tool':
      return 'call';
    default:
      return event.text === '' && event.textMissing !== true ? undefined : 'text';
  }
}

/** Several records of one message count as one message: a later record replaces an earlier one. */
function countMessage(state: FoldState, run: RunState, event: ReplyEvent, key: number): void {
  const usage: MessageState['usage'] =
    usageOf(event.usage) ?? (event.usageElsewhere === true ? 'elsewhere' : null);
  const several = severalOf(event.usageOfSeveral);
  const costUsd = statedCost(event);
  const at = key === 0 ? -1 : state.messageKeys.lastIndexOf(key);
  const known = at < 0 ? undefined : state.messages[at];
  const model = nameOf(event.model) ?? known?.model ?? state.model ?? 'unknown';
  const provider = nameOf(event.provider) ?? state.provider;
  if (known !== undefined) {
    replaceMessage(
      state,
      known,
      {
        run: known.run,
        model,
        usage: usage === 'elsewhere' ? (known.usage ?? usage) : (usage ?? known.usage),
        ...(usage === null || usage === 'elsewhere' ? severalOf(known.several) : several),
        costUsd: costUsd ?? known.costUsd,
      },
      provider,
    );
    return;
  }
  run.replies += 1;
  const message: MessageState = { run: state.runs.length - 1, model, usage, ...several, costUsd };
  contribute(modelOf(run, model, provider), message, 1);
  if (key !== 0) remember(state, key, message);
}

/** Undoes a message, as far as the state still has it. */
function retract(state: FoldState, key: number): void {
  const at = key === 0 ? -1 : state.messageKeys.lastIndexOf(key);
  const known = at < 0 ? undefined : state.messages[at];
  const run = known === undefined ? undefined : state.runs[known.run];
  if (known === undefined || run === undefined) return;
  contribute(modelOf(run, known.model, undefined), known, -1);
  run.models = run.models.filter((one) => one.messages > 0);
  run.replies -= 1;
  state.messageKeys[at] = 0;
}

function replaceMessage(
  state: FoldState,
  known: MessageState,
  next: MessageState,
  provider: string | undefined,
): void {
  const run = state.runs[known.run];
  if (run === undefined) return;
  if (addsNothing(known, next)) {
    modelOf(run, known.model, provider);
    return;
  }
  contribute(modelOf(run, known.model, provider), known, -1);
  contribute(modelOf(run, next.model, provider), next, 1);
  run.models = run.models.filter((one) => one.messages > 0);
  known.model = next.model;
  known.usage = next.usage;
  if (next.several) known.several = true;
  else delete known.several;
  known.costUsd = next.costUsd;
}

/**
 * Most messages come in several records with the same counts. Subtracting and adding a fractional cost again may not
 * come out even.
 */
function addsNothing(known: MessageState, next: MessageState): boolean {
  return (
    known.costUsd === null &&
    next.costUsd === null &&
    known.model === next.model &&
    known.several === next.several &&
    isSameUsage(known.usage, next.usage)
  );
}

function isSameUsage(one: MessageState['usage'], other: MessageState['usage']): boolean {
  if (one === other) return true;
  if (one === null || other === null || one === 'elsewhere' || other === 'elsewhere') return false;
  return (
    one.input === other.input &&
    one.output === other.output &&
    one.cacheRead === other.cacheRead &&
    one.cacheWrite === other.cacheWrite &&
    one.cacheWriteHour === other.cacheWriteHour
  );
}

function severalOf(several: true | undefined): Pick<MessageState, 'several'> {
  return several === true ? { several } : {};
}

function remember(state: FoldState, key: number, message: MessageState): void {
  state.messageKeys[state.messageNext] = key;
  state.messages[state.messageNext] = message;
  state.messageNext = (state.messageNext + 1) % MAX_MESSAGES;
}

function readText(run: RunState, event: ReplyEvent, key: number, line: number): void {
  const text = typeof event.text === 'string' ? event.text : '';
  const live = liveOf(run);
  const isEmpty = event.stop !== 'refusal' && text.trim() === '';
  if (isEmpty && isUnrecorded(event)) run.repliesWithoutText += 1;
  else if (isEmpty) return;
  run.seen.end = undefined;
  live.answered = true;
  run.seen.request.answered = true;
  live.correctedLast = 0;
  live.deniedAt = 0;
  if (isEmpty) return;
  noteAdmission(run, live, text);
  const ownChars = run.outputChars - run.fillerChars;
  run.outputChars += text.length;
  if (ownChars < NOT_FILLER_CHARS && isFiller(text)) run.fillerChars += text.length;
  const joins = key !== 0 && run.seen.finalReplyKey === key;
  run.finalReplyLine = line;
  run.seen.finalReplyKey = key;
  if (!joins) live.unread = [];
  else if (live.unread.length >= MAX_UNREAD) judgeLastMessage(run);
  const takenOver = live.userTakesOver || run.seen.work.lastChangeLine <= live.lastUserLine;
  const scheduled = isScheduled(run);
  live.unread.push({ text, refused: event.stop === 'refusal', scheduled, joins, takenOver, called: false });
}

const MAX_UNREAD = 16;
/** A run with this much text of its own did not answer with filler alone. */
const NOT_FILLER_CHARS = 1_000;

/** What the last message leaves to the user, evaluated only when the next user message depends on it. */
export const lastWords = {
  asked: ({ unread, asked }: LiveState): boolean => {
    const last = unread.at(-1);
    return last === undefined ? asked : asksSomething(last.text);
  },
  awaitsReport: ({ unread, awaitsReport }: LiveState): boolean => {
    const last = unread.at(-1);
    return last === undefined ? awaitsReport : asksForReport(last.text);
  },
  declined: ({ unread, declined }: LiveState): boolean => {
    const [first] = unread;
    if (first === undefined) return declined;
    return (first.joins && declined) || unread.some(({ text }) => declinesSomething(text));
  },
};

/** Evaluates the last message. Most messages are followed by another one and never evaluated. */
export function judgeLastMessage(run: RunState): void {
  const { live } = run;
  if (live === undefined || live.unread.length === 0) return;
  for (const { text, refused, scheduled, joins, takenOver, called } of live.unread) {
    const kind = refused ? 'refusal' : kindOfReply(text, scheduled);
    run.finalReply = joins ? joinReplies(run.finalReply, run.finalReplyChars, kind, text.length) : kind;
    run.finalReplyChars = (joins ? run.finalReplyChars : 0) + text.length;
    run.gaveUp = admitsFailure(text) || (joins && run.gaveUp === true) || undefined;
    run.promised = (!called && (!joins || run.promised === true) && isPromise(text)) || undefined;
    // A user who asked how to run it gets instructions; these leave no work to them.
    run.seen.handsOver =
      (takenOver ? undefined : handsOver(text)) ?? (joins ? run.seen.handsOver : undefined);
    if (!joins) run.seen.claims = [];
    for (const { about } of claimsIn(text))
      if (!run.seen.claims.some((one) => one.about === about))
        run.seen.claims.push({ about, line: run.finalReplyLine ?? 0 });
    live.asked = asksSomething(text);
    live.awaitsReport = asksForReport(text);
    live.declined = declinesSomething(text) || (joins && live.declined);
  }
  live.unread = [];
}

const WORDLESS: ReadonlySet<ReplyEvent['stop']> = new Set<ReplyEvent['stop']>(['tool', 'error', 'aborted']);

/** A message with a tool call or an abort may have no words. For any other, the source omitted them. */
function isUnrecorded({ textMissing, stop }: ReplyEvent): boolean {
  return textMissing === true && !WORDLESS.has(stop);
}
