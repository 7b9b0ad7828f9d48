/**
 * Sessions of Qwen Code: a tree of records that hold messages in the words of the Gemini API. Going back in a
 * conversation leaves a branch; a record may be written again under its id when it grew.
 */
import { asObject, asObjects, asText, type JsonObject, shown } from '../json/json-fields.ts';
import { remember } from './bounded-map.ts';
import {
  type ChatState,
  chatAdapter,
  geminiUsage,
  isFailedCommand,
  type Line,
  type Outcome,
  sendCall,
  sendDiff,
  sendEnd,
  sendResult,
} from './chat.ts';
import { fencedCommand } from './user-command.ts';

type State = ChatState & {
  /** In a sub-agent's file: the agent, whose records have the id of its parent session. */
  readonly agent: string | undefined;
  /** Emitted calls and their tools. */
  readonly calls: Map<string, string>;
};

export const qwenCodeAdapter = chatAdapter<State>({
  // Claude Code has the same outer shape, and other messages in it.
  detect: ({ records }) =>
    asObjects(records).some(({ uuid, sessionId, type, message }) => {
      const isNamed = [uuid, sessionId, type, asObject(message)?.role].every((one) => asText(one));
      return isNamed && Array.isArray(asObject(message)?.parts);
    }),
  start: ({ path }) => ({
    agent: /[\\/]subagents[\\/][^\\/]+[\\/]agent-([^\\/]+)\.jsonl/.exec(path)?.[1],
    calls: new Map(),
  }),
  before: ({ state, record, send }) => {
    const agent = asText(record.agentId) ?? state.agent;
    const parent = asText(record.sessionId) ?? '';
    state.subagent = agent !== undefined || record.isSidechain === true;
    const session = state.subagent ? `${parent}:agent-${agent ?? 'unnamed'}` : parent;
    if (session === state.session) return;
    state.session = session;
    send({
      kind: 'session',
      agent: 'qwen-code',
      sessionId: session,
      parentSessionId: state.subagent ? parent : undefined,
      trigger: state.subagent ? 'subagent' : undefined,
      project: asText(record.cwd),
    });
  },
  kind: ({ type }) => asText(type),
  readers: {
    user: readUser,
    assistant: readReply,
    tool_result: readResults,
    system: readSystem,
  },
  // A branch that became a session begins with the records of its origin, and names them.
  entryKey: (record) => {
    const fields = asObject(record);
    return asText(asObject(fields?.forkedFrom)?.messageUuid) ?? asText(fields?.uuid);
  },
  // The first record after a start anew has no parent either: it follows on what came before.
  parentKey: (record) => asText(asObject(record)?.parentUuid),
});

/** What the program notes for itself. `rewind` needs no reading: what comes next hangs on an earlier record. */
const NOTES: ReadonlySet<string> = new Set(
  `ui_telemetry slash_command custom_title parent_session session_model notification cron mid_turn_user_message
   agent_retry file_history_snapshot rewind session_artifact_snapshot at_command`.split(/\s+/),
);

function readSystem({ record, send }: Line<State>): unknown {
  const subtype = asText(record.subtype) ?? '(no subtype)';
  if (subtype === 'chat_compression') return send({ kind: 'compaction' });
  if (subtype === 'turn_result') return sendEnd(send, asObject(record.systemPayload)?.state);
  return NOTES.has(subtype) ? undefined : `system ${subtype}`;
}

function partsOf(record: JsonObject): JsonObject[] {
  return asObjects(asObject(record.message)?.parts);
}

/** Thoughts are not part of the text. */
function textOf(parts: readonly JsonObject[]): string {
  const said = parts.filter(({ thought }) => thought !== true);
  return said.flatMap(({ text }) => asText(text) ?? []).join('\n');
}

/** Kinds of input that no person typed. */
const RUNTIME: ReadonlySet<unknown> = new Set(['notification', 'agent_retry', 'goal']);

/** Hooks add context to the user's text; the text is then stored separately. */
function readUser({ state, record, send }: Line<State>): void {
  const parts = partsOf(record);
  const typed = parts.filter(({ text }) => !(asText(text) ?? '').startsWith('<qwen:'));
  const text = asText(asObject(record.systemPayload)?.displayText) ?? textOf(typed);
  const hasFile = parts.some(
    ({ inlineData, fileData }) => inlineData !== undefined || fileData !== undefined,
  );
  if (text === '' && !hasFile) return;
  send(fencedCommand(text) ?? { kind: 'user', origin: originOf(record, state.subagent), text });
}

function originOf({ subtype, provenance }: JsonObject, subagent: boolean | undefined) {
  if (subtype === 'cron') return 'cron';
  const source = asText(provenance) ?? asText(asObject(provenance)?.kind);
  if (RUNTIME.has(subtype) || (source !== undefined && source !== 'real_user')) return 'runtime';
  return subagent ? 'subagent' : 'user';
}

function readReply({ state, record, line, send }: Line<State>): void {
  const parts = partsOf(record);
  const calls = asObjects(parts.map(({ functionCall }) => functionCall));
  const counts = asObject(record.usageMetadata);
  send({
    kind: 'reply',
    text: textOf(parts),
    messageId: asText(record.uuid),
    model: asText(record.model),
    usage: geminiUsage(
      counts?.promptTokenCount,
      counts?.candidatesTokenCount,
      counts?.cachedContentTokenCount,
      counts?.thoughtsTokenCount,
    ),
    stop: calls.length > 0 ? 'tool' : undefined,
  });
  calls.forEach((call, index) => {
    const callId = asText(call.id) ?? `line-${line}/${index}`;
    if (state.calls.has(callId)) return;
    remember(state.calls, callId, asText(call.name) ?? 'unknown');
    sendCall(send, callId, call.name, call.args);
  });
}

/** One record per call; `toolCallResult` has its result. */
function readResults({ state, record, send }: Line<State>): void {
  const about = asObject(record.toolCallResult) ?? {};
  const answers = asObjects(partsOf(record).map(({ functionResponse }) => functionResponse));
  const callId = asText(about.callId) ?? asText(answers[0]?.id);
  if (callId === undefined) return;
  const tool = state.calls.get(callId) ?? asText(answers[0]?.name) ?? '';
  const said = answers.map(({ response }) => {
    const fields = asObject(response);
    return shown(fields?.output ?? fields?.error ?? response) ?? '';
  });
  const display = asObject(about.resultDisplay);
  sendDiff(send, callId, display?.fileDiff, display?.filePath);
  sendResult(send, callId, outcomeOf(about, tool, said.join('\n') || (shown(about.resultDisplay) ?? '')));
}

function outcomeOf(about: JsonObject, tool: string, text: string): Outcome {
  if (about.errorType === 'execution_denied') {
    const byUser = /\buser\b/i.test(text.slice(0, 300));
    return { denied: true, byRule: byUser ? undefined : true, text };
  }
  if (about.status === 'error') return { ok: false, text };
  // Refused, or stopped while it ran: its answer reads like any other.
  if (about.status === 'cancelled' || about.executionStatus === 'cancelled') return { denied: true, text };
  return about.status === 'success' ? { ok: !isFailedCommand(tool, text), text } : { text };
}
