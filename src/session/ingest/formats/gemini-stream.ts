/**
 * Streams of the Gemini CLI. The model's text comes in pieces without an id; the tokens of the whole run are at its
 * end, by model. A call that the user cancelled or refused is printed as a success without output. Output as `json` is
 * one answer for the whole session.
 */
import type { Usage } from '../../event.ts';
import { asCount, asObject, asText, asTime, type JsonObject, shown } from '../json/json-fields.ts';
import { remember } from './bounded-map.ts';
import {
  anyRecord,
  type ChatState,
  chatAdapter,
  geminiUsage,
  isFailedCommand,
  type Line,
  type Outcome,
  sendCall,
  sendResult,
  unlessZero,
} from './chat.ts';

type State = ChatState & {
  /** Calls and their tools. */
  readonly calls: Map<string, string>;
  /** Messages of the model so far, and whether the last one may go on. */
  messages: number;
  open: boolean;
};

export const geminiStreamAdapter = chatAdapter<State>({
  detect: anyRecord((record) => {
    if (isAnswer(record)) return true;
    if (asTime(record.timestamp) === undefined) return false;
    if (record.type === 'init')
      return asText(record.session_id) !== undefined && asText(record.model) !== undefined;
    if (record.type === 'tool_use') return asText(record.tool_id) !== undefined;
    return record.type === 'result' && asObject(record.stats) !== undefined;
  }),
  start: () => ({ calls: new Map(), messages: 0, open: false }),
  times: (record) => (isAnswer(record) ? [] : [record.timestamp]),
  kind: (record) => (isAnswer(record) ? 'answer' : asText(record.type)),
  // A warning, or repeated by the result.
  ignored: 'error',
  readers: {
    init: ({ state, record, send }) => {
      state.session = asText(record.session_id) ?? state.session;
      state.model = asText(record.model) ?? state.model;
      state.open = false;
      send({ kind: 'session', agent: 'gemini-cli', sessionId: state.session, model: state.model });
    },
    message: readMessage,
    tool_use: ({ state, record, line, send }) => {
      const callId = asText(record.tool_id) ?? `line-${line}`;
      state.open = false;
      remember(state.calls, callId, asText(record.tool_name) ?? 'unknown');
      sendCall(send, callId, record.tool_name, record.parameters);
    },
    tool_result: ({ state, record, send }) => {
      const tool = state.calls.get(asText(record.tool_id) ?? '') ?? '';
      sendResult(send, record.tool_id, outcomeOf(record, tool));
    },
    result: (line) => {
      readStats(line);
      readEnd(line, line.record.status === 'success');
    },
    answer: readAnswer,
  },
});

function readMessage({ state, record, send }: Line<State>): void {
  const text = shown(record.content) ?? '';
  if (record.role === 'user') {
    state.open = false;
    send({ kind: 'user', origin: 'user', text });
    return;
  }
  if (!state.open) state.messages += 1;
  state.open = true;
  sendText({ state, send }, text);
}

function sendText({ state, send }: Pick<Line<State>, 'state' | 'send'>, text: string): void {
  const messageId = `message ${state.messages}`;
  send({ kind: 'reply', messageId, text, usageElsewhere: true, model: state.model });
}

/** Output is printed only where it is plain text, so that nothing follows from having none. */
function outcomeOf({ status, error, output }: JsonObject, tool: string): Outcome {
  const text = shown(output) ?? asText(asObject(error)?.message);
  if (asText(asObject(error)?.type) === 'execution_denied') return { denied: true, byRule: true, text };
  if (status === 'error') return { ok: false, text };
  return status !== 'success' || text === undefined ? { text } : { ok: !isFailedCommand(tool, text), text };
}

function readStats({ state, record, line, send }: Line<State>): void {
  const stats = asObject(record.stats) ?? {};
  const models = Object.entries(asObject(stats.models) ?? {});
  const counted = models.length > 0 ? models : [[state.model ?? '', stats] as const];
  for (const [name, counts] of counted) {
    const usage = unlessZero(usageOf(asObject(counts) ?? {}));
    if (usage === undefined) continue;
    const isMain = name === (state.model ?? '') && state.messages > 0;
    const messageId = isMain ? `message ${state.messages}` : `result-${line} ${name}`;
    send({ kind: 'reply', text: '', messageId, usage, usageOfSeveral: true, model: asText(name) });
  }
}

/** Thoughts are in the total only. In a `json` answer the counts are those of the API, below `tokens`. */
function usageOf(counts: JsonObject): Usage | undefined {
  const tokens = asObject(counts.tokens);
  const prompt = counts.input_tokens ?? tokens?.prompt;
  const said = counts.output_tokens ?? tokens?.candidates;
  const total = asCount(counts.total_tokens ?? tokens?.total) ?? 0;
  const thoughts =
    asCount(tokens?.thoughts) ?? Math.max(0, total - (asCount(prompt) ?? 0) - (asCount(said) ?? 0));
  return geminiUsage(prompt, said, counts.cached ?? tokens?.cached, thoughts);
}

function readEnd({ record, send }: Line<State>, isSuccess: boolean): void {
  const type = asText(asObject(record.error)?.type) ?? '';
  if (isSuccess) send({ kind: 'end', reason: 'normal' });
  else if (/cancel/i.test(type)) send({ kind: 'interrupt' });
  else send({ kind: 'end', reason: /turn/i.test(type) ? 'limit' : 'error' });
}

/** A session with `json` output consists of one answer. */
function readAnswer(line: Line<State>): void {
  const { state, record, send } = line;
  state.session = asText(record.session_id);
  send({ kind: 'session', agent: 'gemini-cli', endOnly: true, sessionId: state.session });
  state.messages += 1;
  state.model = busiestModel(record.stats);
  const text = asText(record.response);
  if (text !== undefined) sendText(line, text);
  readStats(line);
  readEnd(line, asObject(record.error) === undefined);
}

/** The model of the answer is not named: the one with the most output, because others did small jobs for it. */
function busiestModel(stats: unknown): string | undefined {
  const models = Object.entries(asObject(asObject(stats)?.models) ?? {});
  const written = ([, value]: [string, unknown]): number => usageOf(asObject(value) ?? {})?.output ?? 0;
  return models.sort((a, b) => written(b) - written(a))[0]?.[0];
}

function isAnswer(record: JsonObject): boolean {
  const models = asObject(asObject(record.stats)?.models);
  return record.type === undefined && models !== undefined && ('response' in record || 'error' in record);
}
