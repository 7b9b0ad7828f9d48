/**
 * Lines of a chat. In a history `####` is what was typed and `>` what the program says; all else is the model's answer,
 * which may have such lines in it: no reader can tell. Tokens are rounded as they were shown.
 */
import { asTime, defined, routedModel, usageOf } from '../../json/json-fields.ts';
import type { AiderState, SendAider } from './state.ts';

const STARTED = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/;
const BANNER = /^Aider v\d+\.\d+/;

export function isChatLine(text: string): boolean {
  return STARTED.test(text) || BANNER.test(text);
}

export function readChatLine(state: AiderState, text: string, send: SendAider, tell: () => void): void {
  const started = STARTED.exec(text)?.[1];
  if (started !== undefined || BANNER.test(text)) {
    flush(state, send);
    if (started !== undefined) begin(state, started);
    // A history has the banner as well, among what the program says.
    if (started !== undefined || !state.begun) tell();
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
  const told = state.marked ? /^>\s?(.*)$/.exec(text)?.[1] : text;
  if (told === undefined || !(readNotice(state, told.trim(), send) || state.marked)) grow(state, text);
}

function begin(state: AiderState, started: string): void {
  state.marked = true;
  state.at = asTime(started.replace(' ', 'T'));
  state.session = `${state.folder} ${started}`;
  state.model = undefined;
  state.messages = 0;
}

const MAX_SAID = 100_000;

function grow(state: AiderState, text: string): void {
  if (state.said.length < MAX_SAID) state.said += `${text}\n`;
}

export function flush(state: AiderState, send: SendAider): void {
  flushQuestion(state, send);
  flushReply(state, send);
}

/** Commands to the program that are questions to the model. */
const PROMPTS = /^\/(?:ask|code|architect|context|ok|help)\b\s*/;

function flushQuestion(state: AiderState, send: SendAider): void {
  if (state.asked.length === 0) return;
  const text = state.asked.join('\n').trim();
  state.asked = [];
  if (/^\/undo\b/.test(text)) send({ kind: 'state-change', value: 0, what: 'undone by the person' });
  const isCommand = /^[/!]/.test(text) && !PROMPTS.test(text);
  const said = text.replace(PROMPTS, '');
  if (said !== '' && !isCommand) send({ kind: 'user', origin: 'user', text: said });
}

/** Of the shell in which the program was started. */
const PROMPT = /^\S{0,80}[$#%](?: .*)?$/;

/** An answer is whole when its tokens are told, or when something else begins. */
function flushReply(state: AiderState, send: SendAider): void {
  const text = state.said.trim();
  const { usage, costUsd, model } = state;
  Object.assign(state, { said: '', usage: undefined, costUsd: undefined });
  const isPrompt = !state.marked && PROMPT.test(text);
  if ((text === '' || isPrompt) && usage === undefined) return;
  state.messages += 1;
  send({
    kind: 'reply',
    messageId: `message ${state.messages}`,
    text,
    ...defined({ model, usage, costUsd }),
  });
}

const TOKENS =
  /^Tokens: ([\d.,]+[kM]?) sent(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?, ([\d.,]+[kM]?) received/;
const COST = /Cost: \$([\d.]+) message/;
const MODEL = /^(?:Main model|Model): (\S+) with/;
const INTERRUPTED = /^\^C(?: again to exit|KeyboardInterrupt)?$|KeyboardInterrupt/;
const FAILED = /^(?:litellm\.\w+Error|The API provider .* (?:error|overloaded)|Error: )/;

/** False when it is nothing that the program says. */
function readNotice(state: AiderState, told: string, send: SendAider): boolean {
  const tokens = TOKENS.exec(told);
  const cost = COST.exec(told)?.[1];
  const model = MODEL.exec(told)?.[1];
  if (tokens !== null) {
    state.usage = usageOf(count(tokens[1]), count(tokens[4]), count(tokens[3]), count(tokens[2]));
    state.costUsd = cost === undefined ? undefined : Number(cost);
    // The cost may be on the line after it.
    if (cost !== undefined) flushReply(state, send);
  } else if (cost !== undefined) {
    state.costUsd = Number(cost);
    flushReply(state, send);
  } else if (model !== undefined) {
    const routed = routedModel(model);
    state.model = routed.model;
    send({ kind: 'session', ...routed });
  } else if (/^Applied edit to /.test(told)) send({ kind: 'artifact', artifact: 'file', ok: true });
  else if (/^Commit [0-9a-f]{7,40} /.test(told)) send({ kind: 'artifact', artifact: 'commit', ok: true });
  else if (/^The LLM did not conform to the edit format/.test(told))
    send({ kind: 'artifact', artifact: 'file', ok: false });
  else if (INTERRUPTED.test(told)) send({ kind: 'interrupt' });
  else if (/has hit a token limit/.test(told)) send({ kind: 'reply', text: '', stop: 'length' });
  else if (FAILED.test(told)) send({ kind: 'reply', text: '', stop: 'error' });
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
