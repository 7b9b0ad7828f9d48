/**
 * Chats with Aider as text, and its analytics log, which has tokens and costs without text. In a history `####` marks
 * input and `>` the program's output; everything else is the model's answer, which may contain such lines, so it is
 * ambiguous. Tokens are rounded as displayed.
 */
import { basename, dirname, resolve } from 'node:path';
import type { Usage } from '../../event.ts';
import { asCost, asObject, asText, asTime, routedModel, usageOf } from '../json/json-fields.ts';
import { type ChatState, chatAdapter, type Line, type Send, sendUser } from './chat.ts';

type State = ChatState & {
  /** The folder of the history: a session is called by it and by when it began. */
  readonly folder: string;
  begun: boolean;
  /** A history marks the program's output and the input; captured output marks nothing. */
  marked: boolean;
  /** Lines of the question that is being read. */
  asked: string[];
  /** The answer that is being read. */
  said: string;
  usage?: Usage | undefined;
  costUsd?: number | undefined;
  messages: number;
};

const STARTED = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/;
const BANNER = /^Aider v\d+\.\d+/;

export const aiderAdapter = chatAdapter<State>({
  readsText: true,
  detect: ({ records, document }) =>
    !document &&
    records.some((record) => {
      const fields = asObject(record) ?? {};
      const { text, event, properties, user_id, time } = fields;
      if (typeof text === 'string' && Object.keys(fields).length === 1)
        return STARTED.test(text) || BANNER.test(text);
      const isEvent = asText(event) !== undefined && asObject(properties) !== undefined;
      return isEvent && asText(user_id) !== undefined && typeof time === 'number';
    }),
  start: ({ path }) => ({
    folder: basename(dirname(resolve(path))),
    begun: false,
    marked: false,
    asked: [],
    said: '',
    messages: 0,
  }),
  times: ({ time }) => {
    const isSeconds = typeof time === 'number' && time > 1e9 && time < 1e10;
    return [isSeconds && Math.round(time * 1000)];
  },
  kind: ({ text }) => (typeof text === 'string' ? 'text' : 'event'),
  readers: { text: (line) => readText(line, String(line.record.text)), event: readEvent },
  finish: (state, send) => flush({ ...state, asked: [...state.asked] }, send),
});

/** Events of a session, and those without information about it. */
const KNOWN =
  /^(?:launched|repo|no-repo|auto_commits|cli session|gui session|copy-paste mode|model warning|api_key|api_keys|message_send|message_send_starting|message_send_exception|command_.*|ai-comments (?:file-)?\w+|open_?router_?\w*|oauth_\w+|event: \w+|exit)$/;

/** A session begins when the program is launched. */
function readEvent({ state, record, send }: Line<State>): unknown {
  const event = asText(record.event);
  if (event === undefined) return '(no event)';
  if (!KNOWN.test(event)) return event;
  const about = asObject(record.properties) ?? {};
  if (event === 'launched' || state.session === undefined) {
    state.session = `${state.folder} ${typeof record.time === 'number' ? record.time : 0}`;
    send({ kind: 'session', agent: 'aider', sessionId: state.session });
  }
  if (event === 'message_send') {
    const usage = usageOf(about.prompt_tokens, about.completion_tokens);
    const costUsd = asCost(about.cost, usage);
    send({ kind: 'reply', text: '', textMissing: true, ...routedModel(about.main_model), usage, costUsd });
  } else if (event === 'message_send_exception') send({ kind: 'reply', text: '', stop: 'error' });
  else if (event === 'command_undo') sendUndone(send);
  else if (event === 'exit' && /completed/i.test(asText(about.reason) ?? ''))
    send({ kind: 'end', reason: 'normal' });
  return undefined;
}

function sendUndone(send: Send): void {
  send({ kind: 'state-change', value: 0, what: 'undone by the user' });
}

/** A line of a chat. */
function readText({ state, send }: Line<State>, text: string): void {
  const started = STARTED.exec(text)?.[1];
  if (started !== undefined || BANNER.test(text)) {
    flush(state, send);
    if (started !== undefined) {
      state.session = `${state.folder} ${started}`;
      Object.assign(state, { marked: true, model: undefined, messages: 0 });
    }
    // A history has the banner as well, as program output. Only the start of a session is known.
    if (started !== undefined || !state.begun) {
      const at = asTime(started?.replace(' ', 'T'));
      send({ kind: 'session', agent: 'aider', sessionId: state.session }, at);
    }
    state.begun = true;
    return;
  }
  if (!state.begun) return;
  if (state.marked && text.startsWith('####')) {
    if (state.asked.length === 0) flushReply(state, send);
    state.asked.push(text.replace(/^####\s?/, ''));
    return;
  }
  flushQuestion(state, send);
  const notice = state.marked ? /^>\s?(.*)$/.exec(text)?.[1] : text;
  const isNotice = notice !== undefined && (readNotice(state, notice.trim(), send) || state.marked);
  if (!isNotice && state.said.length < MAX_SAID) state.said += `${text}\n`;
}

const MAX_SAID = 100_000;

function flush(state: State, send: Send): void {
  flushQuestion(state, send);
  flushReply(state, send);
}

/** Commands to the program that are questions to the model. */
const PROMPTS = /^\/(?:ask|code|architect|context|ok|help)\b\s*/;

function flushQuestion(state: State, send: Send): void {
  if (state.asked.length === 0) return;
  const text = state.asked.join('\n').trim();
  state.asked = [];
  if (/^\/undo\b/.test(text)) sendUndone(send);
  const isCommand = /^[/!]/.test(text) && !PROMPTS.test(text);
  if (!isCommand) sendUser(send, text.replace(PROMPTS, ''));
}

/** Of the shell in which the program was started. */
const PROMPT = /^\S{0,80}[$#%](?: .*)?$/;

/** An answer is complete when its tokens follow, or when something else begins. */
function flushReply(state: State, send: Send): void {
  const text = state.said.trim();
  const { usage, costUsd, model } = state;
  Object.assign(state, { said: '', usage: undefined, costUsd: undefined });
  const isPrompt = !state.marked && PROMPT.test(text);
  if ((text === '' || isPrompt) && usage === undefined) return;
  state.messages += 1;
  send({ kind: 'reply', messageId: `message ${state.messages}`, text, model, usage, costUsd });
}

const TOKENS =
  /^Tokens: ([\d.,]+[kM]?) sent(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?, ([\d.,]+[kM]?) received/;
const COST = /Cost: \$([\d.]+) message/;
const MODEL = /^(?:Main model|Model): (\S+) with/;
const INTERRUPTED = /^\^C(?: again to exit|KeyboardInterrupt)?$|KeyboardInterrupt/;
const FAILED = /^(?:litellm\.\w+Error|The API provider .* (?:error|overloaded)|Error: )/;

/** False when the program does not print such a line. */
function readNotice(state: State, notice: string, send: Send): boolean {
  const tokens = TOKENS.exec(notice);
  const cost = COST.exec(notice)?.[1];
  const model = MODEL.exec(notice)?.[1];
  if (tokens !== null)
    state.usage = usageOf(count(tokens[1]), count(tokens[4]), count(tokens[3]), count(tokens[2]));
  if (tokens !== null || cost !== undefined) {
    state.costUsd = cost === undefined ? undefined : Number(cost);
    // The cost may be on the line after the tokens.
    if (cost !== undefined) flushReply(state, send);
  } else if (model !== undefined) {
    const routed = routedModel(model);
    state.model = routed.model;
    send({ kind: 'session', ...routed });
  } else if (/^Applied edit to /.test(notice)) send({ kind: 'artifact', artifact: 'file', ok: true });
  else if (/^Commit [0-9a-f]{7,40} /.test(notice)) send({ kind: 'artifact', artifact: 'commit', ok: true });
  else if (/^The LLM did not conform to the edit format/.test(notice))
    send({ kind: 'artifact', artifact: 'file', ok: false });
  else if (INTERRUPTED.test(notice)) send({ kind: 'interrupt' });
  else if (/has hit a token limit/.test(notice)) send({ kind: 'reply', text: '', stop: 'length' });
  else if (FAILED.test(notice)) send({ kind: 'reply', text: '', stop: 'error' });
  else return false;
  return true;
}

/** `12k`, `1.1k`, `980`. */
function count(shown: string | undefined): number | undefined {
  if (shown === undefined) return undefined;
  const number = Number.parseFloat(shown.replaceAll(',', ''));
  const unit = shown.endsWith('k') ? 1e3 : shown.endsWith('M') ? 1e6 : 1;
  return Number.isFinite(number) ? Math.round(number * unit) : undefined;
}
