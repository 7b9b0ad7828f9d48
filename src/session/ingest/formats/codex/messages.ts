/** What was said in a Codex rollout. */
import type { UserEvent } from '../../../event.ts';
import { hashKey } from '../../duplicates/entry-keys.ts';
import { asArray, asObject, contentText, type JsonObject } from '../../json/json-fields.ts';
import { pushBounded } from '../bounded-map.ts';
import { taggedCommand } from '../told-command.ts';
import type { CodexLine, Said } from './state.ts';
import { responseId } from './usage.ts';

/** The kinds of record that can show the same user message. */
export const SAID_BY_EVENT = 1;
const SAID_BY_ITEM = 2;
export const SAID_BY_COMPLETION = 4;

const MAX_SAID = 16;
/** Enough to tell messages apart; images and attachments are written differently by different records. */
const COMPARED = 400;

export function readMessage(place: CodexLine): void {
  const { payload } = place;
  if (payload.role === 'user') readUserParts(place, payload.content, SAID_BY_ITEM);
  else if (payload.role === 'assistant') readReply(place, messageText(payload));
}

function messageText(payload: JsonObject): string {
  return contentText(payload.content) || contentText(payload.message);
}

function readReply(place: CodexLine, text: string): void {
  const { state } = place;
  if (text === '') return;
  place.send({
    kind: 'reply',
    text,
    messageId: responseId(state),
    usageElsewhere: true,
    ...(state.model && { model: state.model }),
    ...(state.provider && { provider: state.provider }),
  });
}

/** One user message may come as an event, as an item of the conversation and as a completed item: it counts once. */
export function readUserParts(place: CodexLine, content: unknown, source: number): void {
  const parts = typeof content === 'string' ? [content] : asArray(content).map(partText);
  const spoken = parts.filter((part) => part !== '' && !isRuntimeText(part));
  const text = spoken.join('\n');
  for (const ran of parts.flatMap((part) => taggedCommand(part) ?? [])) place.send(ran);
  if (text === '') {
    if (parts.some((part) => part !== '')) place.send({ kind: 'user', origin: 'runtime', text: '' });
    return;
  }
  if (isNew(place.state.said, [text, ...spoken], source)) {
    place.send({ kind: 'user', origin: originOf(place), text });
  }
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  const text = asObject(part)?.text;
  return typeof text === 'string' ? text : '';
}

function originOf(place: CodexLine): UserEvent['origin'] {
  return place.state.trigger === 'subagent' ? 'subagent' : 'user';
}

/** Messages between agents of one session are the program's; the first one of a sub-agent is its task. */
export function readAgentMessage(place: CodexLine): void {
  const text = contentText(place.payload.content);
  if (text === '') return;
  const isTask = place.state.trigger === 'subagent' && place.state.said.length === 0;
  if (isTask) readUserParts(place, text, SAID_BY_ITEM);
  else place.send({ kind: 'user', origin: 'runtime', text: '' });
}

function isNew(said: Said[], texts: readonly string[], source: number): boolean {
  const hashes = texts.map((text) => hashKey(text.trim().slice(0, COMPARED)));
  const known = said.find(
    (one) => (one.sources & source) === 0 && one.hashes.some((hash) => hashes.includes(hash)),
  );
  if (known !== undefined) {
    known.sources |= source;
    return false;
  }
  pushBounded(said, { hashes: hashes.slice(0, 8), sources: source }, MAX_SAID);
  return true;
}

const RUNTIME_STARTS = ['# AGENTS.md instructions', 'Another language model started to solve this problem'];

/** Context that the program adds in the name of the user comes wrapped in a tag of its own. */
function isRuntimeText(text: string): boolean {
  const trimmed = text.trim();
  if (RUNTIME_STARTS.some((start) => trimmed.startsWith(start))) return true;
  const tag = /^<([A-Za-z][\w -]{0,48})>/.exec(trimmed)?.[1];
  return tag !== undefined && trimmed.endsWith(`</${tag}>`);
}
