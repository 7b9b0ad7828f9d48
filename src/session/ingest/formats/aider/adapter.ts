/** Chats with Aider as text, and its log of analytics, which has tokens and costs without any text. */
import type { UnplacedEvent } from '../../../event.ts';
import {
  asCost,
  asObject,
  asText,
  defined,
  type JsonObject,
  routedModel,
  usageOf,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { flush, isChatLine, readChatLine } from './chat.ts';
import { type AiderState, type SendAider, startAider } from './state.ts';

function step(state: AiderState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const text = fields.text;
  if (typeof text !== 'string') return readEvent(state, fields, line, emit);
  // Only when a session began is known; that is where its time is told.
  const send: SendAider = (event) => emit(placeEvent(event, { line }), state.session);
  readChatLine(state, text, send, () => {
    const about: UnplacedEvent = {
      kind: 'session',
      agent: 'aider',
      ...defined({ sessionId: state.session }),
    };
    emit(placeEvent(about, { line, at: state.at }), state.session);
  });
  return undefined;
}

function finish(state: AiderState, line: number, emit: Emit): void {
  flush({ ...state, asked: [...state.asked] }, (event) => emit(placeEvent(event, { line }), state.session));
}

/** Events that say something, and those that are known to say nothing of a session. */
const KNOWN =
  /^(?:launched|repo|no-repo|auto_commits|cli session|gui session|copy-paste mode|model warning|api_key|api_keys|message_send|message_send_starting|message_send_exception|command_.*|ai-comments (?:file-)?\w+|open_?router_?\w*|oauth_\w+|event: \w+|exit)$/;

/** A session begins when the program is launched. */
function readEvent(state: AiderState, fields: JsonObject, line: number, emit: Emit): string | undefined {
  const event = asText(fields.event);
  if (event === undefined) return '(no event)';
  if (!KNOWN.test(event)) return event;
  const seconds = typeof fields.time === 'number' ? fields.time : 0;
  const at = seconds > 1e9 && seconds < 1e10 ? Math.round(seconds * 1000) : undefined;
  const send: SendAider = (one) => emit(placeEvent(one, { line, at }), state.session);
  const about = asObject(fields.properties) ?? {};
  if (event === 'launched' || state.session === undefined) {
    state.session = `${state.folder} ${seconds}`;
    send({ kind: 'session', agent: 'aider', sessionId: state.session });
  }
  switch (event) {
    case 'message_send': {
      const usage = usageOf(about.prompt_tokens, about.completion_tokens);
      const routed = routedModel(about.main_model);
      const costUsd = asCost(about.cost, usage);
      send({ kind: 'reply', text: '', textMissing: true, ...routed, ...defined({ usage, costUsd }) });
      return undefined;
    }
    case 'message_send_exception':
      send({ kind: 'reply', text: '', stop: 'error' });
      return undefined;
    case 'command_undo':
      send({ kind: 'state-change', value: 0, what: 'undone by the person' });
      return undefined;
    case 'exit':
      if (/completed/i.test(asText(about.reason) ?? '')) send({ kind: 'end', reason: 'normal' });
      return undefined;
    default:
      return undefined;
  }
}

function detect({ records, document }: Sample): boolean {
  if (document) return false;
  return records.some((record) => {
    const fields = asObject(record) ?? {};
    if (typeof fields.text === 'string' && Object.keys(fields).length === 1) return isChatLine(fields.text);
    const isEvent = asText(fields.event) !== undefined && asObject(fields.properties) !== undefined;
    return isEvent && asText(fields.user_id) !== undefined && typeof fields.time === 'number';
  });
}

export const aiderAdapter: Adapter<AiderState> = {
  detect,
  start: startAider,
  step,
  finish,
  readsText: true,
};
