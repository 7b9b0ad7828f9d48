/**
 * Events that agents log about themselves → session events. They come in order, batch by batch. Failed requests are
 * retried: only one that never succeeded is emitted. Values may be numbers and booleans, or texts of them.
 */
import type { Usage } from '../../event.ts';
import { asObject, asText, parsed, routedModel, sampled, usageOf } from '../json/json-fields.ts';
import { remember } from './bounded-map.ts';
import { type Outcome, placeEvent, type Send, sendCall, sendResult } from './chat.ts';
import type { Adapter, Emit } from './format.ts';
import type { Attributes } from './otlp/attributes.ts';
import { holdsLogged, type LoggedEvent, loggedEvents } from './otlp/logged-event.ts';
import { rawSpans } from './otlp/span.ts';

/** State of a session between its logged events. */
type LoggedSession = {
  announced: boolean;
  /** Calls that have a result; those without an id are counted. */
  readonly answered: Map<string, true>;
  calls: number;
  replies: number;
  /** The last request failed, and none has got through since. */
  failed: boolean;
};

type LogState = {
  readonly sessions: Map<string, LoggedSession>;
  /** Spans of other programs may be in the same file. */
  sawSpans?: true;
};

const MAX_SESSIONS = 500;
const MAX_CALLS = 2000;

export const otlpLogsAdapter: Adapter<LogState> = {
  detect: ({ records, document }) => sampled(records, document).some((one) => holdsLogged(one, false)),
  start: () => ({ sessions: new Map() }),
  // The groups of a document, each as a document of its own.
  elements: (document) => {
    if (Array.isArray(document)) return document;
    const groups = asObject(document)?.resourceLogs ?? asObject(document)?.resource_logs;
    return Array.isArray(groups) ? groups.map((group: unknown) => ({ resourceLogs: [group] })) : [document];
  },
  step: (state, record, line, emit) => {
    const events = loggedEvents(record);
    if (rawSpans(record) !== undefined) state.sawSpans = true;
    if (events === undefined) return state.sawSpans ? undefined : unknownRecord(record);
    const unknown = events.map((event) => take(state, event, line, emit));
    return unknown.find((name) => name !== undefined);
  },
  alongside: ({ sawSpans }) => (sawSpans === true ? ['otlp'] : []),
  entryKeys: (record) =>
    new Set((loggedEvents(record) ?? []).map(({ agent, session }) => `otlp-logs ${agent} ${session}`)),
  finish: ({ sessions }, line, emit) => {
    for (const [session, { failed }] of sessions)
      if (failed) emit(placeEvent({ kind: 'end', reason: 'error' }, { line }), session);
  },
};

/** Distinguished from other agents by the names of its events; read in the same way. */
export const otlpCodexAdapter: Adapter<LogState> = {
  ...otlpLogsAdapter,
  detect: ({ records, document }) => {
    const objects = sampled(records, document);
    const holds = (isCodex: boolean) => objects.some((one) => holdsLogged(one, isCodex));
    return holds(true) && !holds(false);
  },
};

function take(state: LogState, event: LoggedEvent, line: number, emit: Emit): string | undefined {
  const { session, agent } = event;
  const memory: LoggedSession = state.sessions.get(session) ?? {
    announced: false,
    answered: new Map(),
    calls: 0,
    replies: 0,
    failed: false,
  };
  remember(state.sessions, session, memory, MAX_SESSIONS);
  const send: Send = (one, at = event.at) => emit(placeEvent(one, { line, at }), session);
  if (!memory.announced) send({ kind: 'session', sessionId: session, agent });
  memory.announced = true;
  return readLogged(event, memory, send);
}

/** Metrics and spans travel in the same files. */
function unknownRecord(record: unknown): string {
  const keys = Object.keys(asObject(record) ?? {});
  return keys.find((key) => /^resource/i.test(key)) ?? 'record';
}

/** What it is called when this does not know it. */
function readLogged(event: LoggedEvent, memory: LoggedSession, send: Send): string | undefined {
  const { name, attributes } = event;
  switch (name) {
    case 'user_prompt':
      tellFailure(memory, send);
      readPrompt(attributes, send);
      return undefined;
    case 'config':
    case 'conversation_starts':
      send({ kind: 'session', ...routedModel(attributes.get('model')) });
      return undefined;
    case 'api_request':
      if (event.agent === 'claude-code') readReply(event, memory, send);
      else if (event.agent === 'codex') noteRequest(attributes, memory);
      return undefined;
    case 'sse_event':
      readStreamed(event, memory, send);
      return undefined;
    case 'api_response':
      readReply(event, memory, send);
      return undefined;
    case 'assistant_response':
      readWords(attributes, send);
      return undefined;
    case 'api_error':
      memory.failed = true;
      return undefined;
    case 'api_refusal':
      send({ kind: 'reply', text: '', stop: 'refusal' });
      return undefined;
    case 'tool_decision':
      readDecision(attributes, memory, send);
      return undefined;
    case 'tool_result':
    case 'tool_call':
      readCall(event, memory, send);
      return undefined;
    case 'compaction':
    case 'chat_compression':
      if (isTrue(attributes.get('success')) !== false) send({ kind: 'compaction' });
      return undefined;
    case 'agent.start':
    case 'agent.finish':
      readAgent(event, send);
      return undefined;
    default:
      return KNOWN.test(name) ? undefined : name;
  }
}

/** Events without information about how the session went. */
const KNOWN =
  /^(?:permission_mode_changed|auth|auth_recovery|mcp_|plugin|skill|hook|at_mention|feedback|api_request_body|api_response_body|api_retries|internal_error|subagent_completed|session|websocket|sandbox|file_operation|tool_output_truncated|edit_|model_routing|slash_command|next_speaker|chat\.|conversation_finished|ide_|extension|flash_fallback|ripgrep|web_fetch|malformed|user_retry|startup|turn)/;

function tellFailure(memory: LoggedSession, send: Send): void {
  if (memory.failed) send({ kind: 'end', reason: 'error' });
  memory.failed = false;
}

/** A turn with unknown text would count as one without a correction. */
function readPrompt(attributes: Attributes, send: Send): void {
  const text = wordsOf(attributes.get('prompt'));
  if (text !== undefined) send({ kind: 'user', origin: 'user', text });
}

function readReply({ attributes }: LoggedEvent, memory: LoggedSession, send: Send): void {
  memory.failed = false;
  memory.replies += 1;
  const usage = usageIn(attributes);
  const cost = numberIn(attributes, 'cost_usd');
  const text = wordsOf(attributes.get('response_text'));
  const said = text === undefined ? ({ text: '', textMissing: true } as const) : { text };
  send({
    kind: 'reply',
    messageId: asText(attributes.get('request_id')) ?? `reply ${memory.replies}`,
    ...said,
    ...routedModel(attributes.get('model')),
    usage,
    costUsd: cost !== undefined && cost > 0 ? cost : undefined,
  });
}

/** Claude Code reports cached tokens apart from the input; with the others they are part of it. */
function usageIn(attributes: Attributes): Usage | undefined {
  const number = (key: string) => numberIn(attributes, key);
  if (attributes.has('input_tokens') || attributes.has('output_tokens'))
    return usageOf(
      number('input_tokens'),
      number('output_tokens'),
      number('cache_read_tokens'),
      number('cache_creation_tokens'),
    );
  const prompt = number('input_token_count');
  const said = number('output_token_count');
  if (prompt === undefined && said === undefined) return undefined;
  const cached = number('cached_content_token_count') ?? number('cached_token_count') ?? 0;
  const read = Math.min(cached, prompt ?? 0);
  // Gemini counts thoughts and the prompts of tools apart; Codex counts reasoning within its output.
  const toolTokens = attributes.has('thoughts_token_count') ? (number('tool_token_count') ?? 0) : 0;
  return usageOf(
    (prompt ?? 0) - read + toolTokens,
    (said ?? 0) + (number('thoughts_token_count') ?? 0),
    read,
    0,
  );
}

/** The words of a reply that is counted elsewhere. */
function readWords(attributes: Attributes, send: Send): void {
  const text = wordsOf(attributes.get('response'));
  const messageId = asText(attributes.get('request_id'));
  if (text !== undefined) send({ kind: 'reply', text, messageId, usageElsewhere: true });
}

function noteRequest(attributes: Attributes, memory: LoggedSession): void {
  const status = numberIn(attributes, 'http.response.status_code');
  const error = asText(attributes.get('error.message'));
  if (error !== undefined || (status !== undefined && status >= 400)) memory.failed = true;
}

/** Codex logs each event of a response; the last one has the tokens. */
function readStreamed(event: LoggedEvent, memory: LoggedSession, send: Send): void {
  const { attributes } = event;
  if (asText(attributes.get('error.message')) !== undefined) memory.failed = true;
  else if (attributes.get('event.kind') === 'response.completed') readReply(event, memory, send);
}

const REFUSED = /^(?:reject|denied|abort)/i;
/** Nobody was asked. */
const RULES = /^(?:config|hook)/i;

function readDecision(attributes: Attributes, memory: LoggedSession, send: Send): void {
  if (!REFUSED.test(asText(attributes.get('decision')) ?? '')) return;
  deny(attributes, asText(attributes.get('source')), memory, send);
}

function deny(attributes: Attributes, source: string | undefined, memory: LoggedSession, send: Send): void {
  const byRule = RULES.test(source ?? '') ? ({ byRule: true } as const) : {};
  answer(attributes, memory, send, { denied: true, ...byRule });
}

function readCall({ attributes, agent, at }: LoggedEvent, memory: LoggedSession, send: Send): void {
  const decision = asText(attributes.get('decision') ?? attributes.get('decision_type'));
  const source = asText(attributes.get('decision_source') ?? attributes.get('source'));
  if (REFUSED.test(decision ?? '')) {
    deny(attributes, source, memory, send);
    return;
  }
  const text = wordsOf(attributes.get('output') ?? attributes.get('error') ?? attributes.get('error_type'));
  const stated = isTrue(attributes.get('success'));
  const took = numberIn(attributes, 'duration_ms') ?? 0;
  const began = at === undefined || took > at ? undefined : at - took;
  // The result of a Codex tool says more than that it returned.
  const shown = agent === 'codex' && text !== undefined ? commandOutcome(text) : undefined;
  const ok = stated === false ? false : (shown?.ok ?? stated);
  answer(attributes, memory, send, shown?.denied ? { denied: true } : { ok, text }, began);
}

/** The program's own header comes before the output of a command. */
const EXITED = /^(?:Exit code|Process exited with code):? (-?\d+)|"exit_code": ?(-?\d+)/m;
const STOPPED = /^(?:[a-z ]{1,20} )?(?:was )?(?:rejected|denied|aborted) by (?:the )?user/i;

function commandOutcome(text: string): { readonly ok?: boolean; readonly denied?: true } {
  if (STOPPED.test(text)) return { denied: true };
  const [, above, within] = EXITED.exec(text.startsWith('{') ? text : text.slice(0, 400)) ?? [];
  const code = above ?? within;
  return code === undefined ? {} : { ok: Number(code) === 0 };
}

function answer(
  attributes: Attributes,
  memory: LoggedSession,
  send: Send,
  outcome: Outcome,
  began?: number,
): void {
  const stated = asText(attributes.get('tool_use_id') ?? attributes.get('call_id'));
  memory.calls += 1;
  const callId = stated ?? `call ${memory.calls}`;
  // The refusal was emitted already.
  if (memory.answered.get(callId) !== undefined) return;
  remember(memory.answered, callId, true, MAX_CALLS);
  const tool = asText(attributes.get('tool_name') ?? attributes.get('function_name')) ?? 'unknown';
  sendCall((event) => send(event, began), callId, tool, inputOf(attributes));
  if (/^(?:Task|Agent)$/.test(tool)) send({ kind: 'spawn', spawnId: callId, ok: outcome.ok }, began);
  sendResult(send, callId, outcome);
}

function inputOf(attributes: Attributes): unknown {
  const names = ['tool_input', 'arguments', 'function_args', 'tool_parameters'];
  const found = names.map((name) => attributes.get(name)).find((value) => value !== undefined);
  return parsed(found) ?? null;
}

/** An agent of Gemini CLI or Qwen Code below the session. */
function readAgent({ name, attributes }: LoggedEvent, send: Send): void {
  const spawnId = asText(attributes.get('agent_id'));
  const reason = asText(attributes.get('terminate_reason'));
  if (spawnId === undefined) return;
  const ok = name === 'agent.finish' && reason !== undefined ? /^goal$/i.test(reason) : undefined;
  send({ kind: 'spawn', spawnId, ok });
}

/** What was not to be logged is replaced by a mark. */
function wordsOf(value: unknown): string | undefined {
  const text = asText(value);
  return text === undefined || /^[[<]REDACTED[\]>]$/i.test(text) ? undefined : text;
}

function numberIn(attributes: Attributes, key: string): number | undefined {
  const value = attributes.get(key);
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

function isTrue(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}
