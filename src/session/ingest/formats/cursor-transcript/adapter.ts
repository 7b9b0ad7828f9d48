/** Transcripts of Cursor: messages of people and of the model, in order. A sub-agent has a file of its own. */
import type { UnplacedEvent } from '../../../event.ts';
import { stemOf } from '../../files/name-by-file.ts';
import {
  asObject,
  asObjects,
  asText,
  contentText,
  cutText,
  defined,
  type JsonObject,
} from '../../json/json-fields.ts';
import { typedText } from '../cursor/typed-text.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';

type State = {
  readonly session: string;
  readonly parent: string | undefined;
  told: boolean;
  /** Calls without a result so far: few versions name them. */
  open: string[];
};

type Send = (event: UnplacedEvent) => void;

const MAX_OPEN = 100;

function start({ path }: FileInfo): State {
  const parent = /[\\/]([^\\/]+)[\\/]subagents[\\/][^\\/]+$/.exec(path)?.[1];
  return { session: stemOf(path), parent, told: false, open: [] };
}

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const send: Send = (event) => emit(placeEvent(event, { line }), state.session);
  if (!state.told) tell(state, send);
  if (fields.type === 'turn_ended') {
    readEnd(fields.status, send);
    return undefined;
  }
  const content = asObject(fields.message)?.content;
  switch (fields.role) {
    case 'user':
      return readUser(state, content, send);
    case 'assistant':
      return readReply(state, fields, content, line, send);
    default:
      return asText(fields.role) ?? asText(fields.type) ?? '(no role)';
  }
}

function tell(state: State, send: Send): void {
  state.told = true;
  const { session: sessionId, parent: parentSessionId } = state;
  const trigger = parentSessionId === undefined ? undefined : ('subagent' as const);
  send({ kind: 'session', agent: 'cursor', sessionId, ...defined({ parentSessionId, trigger }) });
}

function readEnd(status: unknown, send: Send): void {
  if (status === 'success') send({ kind: 'end', reason: 'normal' });
  else if (status === 'error') send({ kind: 'end', reason: 'error' });
  else if (status === 'aborted' || status === 'cancelled') send({ kind: 'interrupt' });
}

const BLOCKS = /^(?:text|thinking|reasoning|image|tool[_-](?:use|call|result))$/;

function strangeBlock(blocks: readonly JsonObject[]): string | undefined {
  const strange = blocks.find(({ type }) => !BLOCKS.test(asText(type) ?? ''));
  return strange === undefined ? undefined : `block ${asText(strange.type) ?? '(no type)'}`;
}

function readUser(state: State, content: unknown, send: Send): string | undefined {
  const blocks = asObjects(content);
  for (const block of blocks)
    if (/^tool[_-]result$/.test(asText(block.type) ?? '')) readResult(state, block, send);
  const { text, typed } = typedText(contentText(content));
  const origin = state.parent !== undefined ? 'subagent' : typed ? 'user' : 'runtime';
  if (text !== '') send({ kind: 'user', origin, text });
  return strangeBlock(blocks);
}

/** Results come in the order of the calls. */
function readResult(state: State, block: JsonObject, send: Send): void {
  const named = asText(block.tool_use_id);
  const callId = named !== undefined && state.open.includes(named) ? named : state.open[0];
  if (callId === undefined) return;
  state.open = state.open.filter((one) => one !== callId);
  const ok = block.is_error === true ? { ok: false } : {};
  send({ kind: 'result', callId, ...ok, text: cutText(contentText(block.content)) });
}

/** Stands for words that are not written down. */
const REDACTED = '[REDACTED]';

function readReply(
  state: State,
  fields: JsonObject,
  content: unknown,
  line: number,
  send: Send,
): string | undefined {
  const blocks = asObjects(content);
  const calls = blocks.filter(({ type }) => /^tool[_-](?:use|call)$/.test(asText(type) ?? ''));
  const said = contentText(content);
  const text = said === REDACTED ? '' : said;
  const stop = calls.length > 0 ? ('tool' as const) : undefined;
  send({
    kind: 'reply',
    text,
    ...(said === REDACTED && { textMissing: true as const }),
    ...defined({ model: asText(fields.model), stop }),
  });
  calls.forEach((call, index) => {
    const callId = asText(call.id) ?? `line-${line}/${index}`;
    state.open = [...state.open, callId].slice(-MAX_OPEN);
    send({ kind: 'call', callId, tool: asText(call.name) ?? 'unknown', input: call.input ?? null });
  });
  return strangeBlock(blocks);
}

/** Nothing but a role and a message: no format has less. */
function detect({ records, document }: Sample): boolean {
  if (document) return false;
  return records.some((record) => {
    const fields = asObject(record) ?? {};
    const isSpoken = fields.role === 'user' || fields.role === 'assistant';
    return isSpoken && fields.type === undefined && Array.isArray(asObject(fields.message)?.content);
  });
}

export const cursorTranscriptAdapter: Adapter<State> = { detect, start, step };
