/** Lines with the user role: what the user wrote, what the program added, results of tools. */
import type { ResultEvent, UserEvent } from '../../../event.ts';
import { asArray, asObject, asText, contentText, cutText, type JsonObject } from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import { textBetween } from '../tags.ts';
import { childSession, type Line } from './state.ts';

const INTERRUPTED = '[Request interrupted by user';
/** How the desktop program wraps a task that its schedule starts. */
const SCHEDULED = '<scheduled-task';

export function readUser(place: Line): void {
  const message = asObject(place.record.message);
  if (message === undefined) return;
  if (typeof message.content === 'string') readSaid(place, message.content);
  else readParts(place, asArray(message.content));
}

function readParts(place: Line, content: readonly unknown[]): void {
  const said: string[] = [];
  let attached = false;
  for (const item of content) {
    const block = asObject(item);
    if (block?.type === 'tool_result') readResult(place, block);
    else if (block?.type === 'text' && typeof block.text === 'string') said.push(block.text);
    else if (block?.type === 'image' || block?.type === 'document') attached = true;
  }
  if (said.some((text) => text.startsWith(INTERRUPTED))) place.send({ kind: 'interrupt' });
  const text = said.filter((part) => !part.startsWith(INTERRUPTED)).join('\n');
  if (text !== '' || (attached && said.length === 0)) readText(place, text);
}

function readSaid(place: Line, text: string): void {
  if (text.startsWith(INTERRUPTED)) place.send({ kind: 'interrupt' });
  else if (text !== '') readText(place, text);
}

function readText(place: Line, text: string): void {
  if (place.record.isCompactSummary === true) readSummary(place);
  readNotice(place, text);
  readPersonCommand(place, text);
  place.send({ kind: 'user', origin: originOf(place, text), text: commandLine(text) ?? text });
}

/** `!npm test`: the command is one line, its output the next one. */
function readPersonCommand({ state, send }: Line, text: string): void {
  const command = textBetween(text, '<bash-input>', '</bash-input>');
  if (command !== undefined) state.personCommand = unescaped(command);
  const printed = ['bash-stdout', 'bash-stderr'].flatMap(
    (tag) => textBetween(text, `<${tag}>`, `</${tag}>`) ?? [],
  );
  if (printed.length === 0 || state.personCommand === undefined) return;
  const output = cutText(unescaped(printed.filter((part) => part !== '').join('\n')));
  send({ kind: 'person-command', command: state.personCommand, text: output });
  state.personCommand = undefined;
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Older versions wrote only the summary of a compaction; newer ones announce it in a line of its own. */
function readSummary(place: Line): void {
  if (place.state.compacting !== place.session) place.send({ kind: 'compaction' });
  place.state.compacting = undefined;
}

/** A message typed while the agent worked, handed over in the middle of a turn. */
export function readQueued(place: Line, attachment: JsonObject): void {
  const text = contentText(attachment.prompt);
  if (text === '') return;
  readNotice(place, text);
  const origin = kindOrigin(attachment.origin) ?? (isRuntimeText(text) ? 'runtime' : spokenBy(place));
  place.send({
    kind: 'user',
    origin: attachment.commandMode === 'task-notification' ? 'runtime' : origin,
    text,
  });
}

function originOf(place: Line, text: string): UserEvent['origin'] {
  const { record } = place;
  if (
    record.isMeta === true ||
    record.isCompactSummary === true ||
    record.isVisibleInTranscriptOnly === true
  ) {
    return 'runtime';
  }
  const kind = kindOrigin(record.origin);
  if (kind !== undefined) return kind;
  if (isRuntimeText(text)) return 'runtime';
  return text.startsWith(SCHEDULED) ? 'cron' : spokenBy(place);
}

/** Only its parent agent talks to a sub-agent. */
function spokenBy(place: Line): UserEvent['origin'] {
  return place.sidechain ? 'subagent' : 'user';
}

/** Newer versions record where a message came from. */
function kindOrigin(origin: unknown): UserEvent['origin'] | undefined {
  const kind = asText(asObject(origin)?.kind);
  if (kind === undefined) return undefined;
  if (kind.includes('notification')) return 'runtime';
  if (kind.includes('cron') || kind.includes('schedul')) return 'cron';
  return kind.includes('hook') ? 'hook' : undefined;
}

const RUNTIME_STARTS = [
  'Caveat: The messages below were generated',
  'This session is being continued from a previous conversation',
  'Stop hook feedback:',
  '<command-name>',
  '<local-command-',
  '<bash-input>',
  '<bash-stdout>',
  '<bash-stderr>',
  '<task-notification>',
  '<agent-notification>',
  '<teammate-message',
  '<user-memory-input>',
  '<tool_use_error>',
] as const;

function isRuntimeText(text: string): boolean {
  const start = text.trimStart();
  return RUNTIME_STARTS.some((mark) => start.startsWith(mark)) || isOnlyReminders(start);
}

const REMINDER = '<system-reminder>';
const REMINDER_END = '</system-reminder>';

function isOnlyReminders(text: string): boolean {
  let rest = text;
  while (rest.startsWith(REMINDER)) {
    const end = rest.indexOf(REMINDER_END);
    if (end === -1) return true;
    rest = rest.slice(end + REMINDER_END.length).trimStart();
  }
  return rest === '' && text !== '';
}

/**
 * Commands that are prompts (`/review 12`) are requests of the user; they begin with their message, while commands to
 * the program itself (`/exit`) begin with their name.
 */
function commandLine(text: string): string | undefined {
  if (!text.startsWith('<command-message>')) return undefined;
  const name = textBetween(text, '<command-name>', '</command-name>');
  const words = textBetween(text, '<command-args>', '</command-args>');
  return name === undefined ? undefined : `${name} ${words ?? ''}`.trimEnd();
}

/** A background task is done: the program notifies the agent, and that is its result. */
export function readNotice(place: Line, text: string): void {
  if (!text.startsWith('<task-notification>') && !text.startsWith('<agent-notification>')) return;
  const task = textBetween(text, '<task-id>', '</task-id>') ?? textBetween(text, '<agent-id>', '</agent-id>');
  const status = textBetween(text, '<status>', '</status>');
  if (task !== undefined && status !== undefined) finishBackground(place, task, status);
}

function finishBackground(place: Line, task: string, status: string): void {
  if (status !== 'completed' && status !== 'failed' && status !== 'killed') return;
  const callId = place.state.background.get(task);
  if (callId === undefined || callId === '') return;
  remember(place.state.background, task, '');
  // Who was stopped has neither completed nor failed.
  const ended = status === 'killed' ? {} : { ok: status === 'completed' };
  place.send({ kind: 'result', callId, ...ended });
  if (place.state.spawns.get(callId) !== undefined) place.send({ kind: 'spawn', spawnId: callId, ...ended });
}

function readResult(place: Line, block: JsonObject): void {
  const { state, record, send } = place;
  const callId = asText(block.tool_use_id) ?? state.anonymousCall;
  if (callId === undefined) return;
  const text = contentText(block.content);
  const details = asObject(record.toolUseResult);
  const task = asText(details?.backgroundTaskId) ?? asText(details?.agentId);
  const running = details?.status === 'async_launched' || asText(details?.backgroundTaskId) !== undefined;
  if (running && task !== undefined) remember(state.background, task, callId);
  const outcome = outcomeOf(record, block, details, text);
  if (outcome.ok === true) readFileChange(place, callId, details);
  send({ kind: 'result', callId, text: cutText(text), ...(running ? { running } : outcome) });
  readSpawned(place, callId, details, running ? {} : outcome);
  readPolled(place, details);
}

/** Beside the text of its result the program writes how a file was changed, in whole lines. */
function readFileChange({ send }: Line, callId: string, details: JsonObject | undefined): void {
  const path = asText(details?.filePath);
  const hunks = asArray(details?.structuredPatch);
  if (path === undefined || hunks.length === 0) return;
  const lines = hunks.flatMap((hunk) => asArray(asObject(hunk)?.lines));
  const marked = (mark: string): string[] =>
    lines.flatMap((line) => (typeof line === 'string' && line.startsWith(mark) ? [line.slice(1)] : []));
  send({ kind: 'file-change', callId, path, added: marked('+'), removed: marked('-'), whole: false });
}

type Outcome = Pick<ResultEvent, 'ok' | 'denied' | 'byRule' | 'reason'>;

function outcomeOf(
  record: JsonObject,
  block: JsonObject,
  details: JsonObject | undefined,
  text: string,
): Outcome {
  const denial = denialOf(record, block, text);
  if (denial !== undefined) return denial;
  // Stopped while it ran; out of time is another thing.
  if (details?.interrupted === true && !/timed out/i.test(text.slice(-300))) return { denied: true };
  const failed =
    block.is_error === true ||
    details?.interrupted === true ||
    details?.is_error === true ||
    details?.success === false ||
    (typeof record.toolUseResult === 'string' && record.toolUseResult.startsWith('Error'));
  // No mark at all is how success is written.
  return { ok: !failed };
}

function denialOf(record: JsonObject, block: JsonObject, text: string): Outcome | undefined {
  const kind = asText(record.toolDenialKind);
  if (kind !== undefined && !/user|reject|interactive/i.test(kind)) return { denied: true, byRule: true };
  if (block.is_error === true && text.startsWith('Permission to use ') && text.includes(' has been denied'))
    return { denied: true, byRule: true };
  const byPerson =
    kind !== undefined ||
    record.toolUseResult === 'User rejected tool use' ||
    (block.is_error === true &&
      (text.startsWith("The user doesn't want to") || text.startsWith(INTERRUPTED)));
  if (!byPerson) return undefined;
  const reason = reasonOf(text);
  return reason === undefined ? { denied: true } : { denied: true, reason };
}

/** Before the user's words; a note by the program may follow them. */
const SAID = /(?:the user said:|provided the following reason(?: for the rejection)?:)\s*/;
const MAX_REASON = 2_000;

function reasonOf(text: string): string | undefined {
  const found = SAID.exec(text);
  if (found === null) return undefined;
  const from = found.index + found[0].length;
  const said =
    text
      .slice(from, from + MAX_REASON)
      .split(/\nNote: The user/)[0]
      ?.trim() ?? '';
  // Written by the program when the user wants to talk instead of choosing an answer.
  return said === '' || said.startsWith('The user wants to clarify') ? undefined : said;
}

function readSpawned(place: Line, callId: string, details: JsonObject | undefined, outcome: Outcome): void {
  if (place.state.spawns.get(callId) === undefined) return;
  const agentId = asText(details?.agentId);
  const sessionId =
    agentId === undefined || place.sidechain ? undefined : childSession(place.session, agentId);
  if (sessionId === undefined && outcome.ok === undefined) return;
  place.send({
    kind: 'spawn',
    spawnId: callId,
    ...(sessionId && { sessionId }),
    ...(outcome.ok !== undefined && { ok: outcome.ok }),
  });
}

/** The agent polled its background work. */
function readPolled(place: Line, details: JsonObject | undefined): void {
  const task = asObject(details?.task);
  const id = asText(task?.task_id);
  const status = asText(task?.status);
  if (id !== undefined && status !== undefined) finishBackground(place, id, status);
}
