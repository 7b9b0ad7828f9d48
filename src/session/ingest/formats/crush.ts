/**
 * Sessions of Crush. Its token counts are those of the last request, so the usage of a session is unknown; its cost
 * adds up, sub-agents included. Times are in seconds. Only its databases have this format.
 */
import { asCount, asObject, asObjects, asText, type JsonObject, parsed } from '../json/json-fields.ts';
import { chatAdapter, childOf, type Line, type Outcome, stopOf } from './chat.ts';
import { isDatabaseWith, messageSessions, parsedList } from './database-sessions.ts';

export const crushAdapter = chatAdapter({
  detect: () => false,
  times: ({ created_at }) => {
    const seconds = asCount(created_at) ?? 0;
    return [seconds >= 1e9 && seconds < 1e10 ? seconds * 1000 : undefined];
  },
  kind: ({ role, is_summary_message }) => {
    if (role === undefined) return 'header';
    return role === 'assistant' && is_summary_message === 1 ? 'summary' : asText(role);
  },
  // Parts hold what they have below `data`.
  message: ({ parts }) => ({
    content: asObjects(parts).map(({ type, data }) => ({ ...asObject(data), type })),
  }),
  known: /^(?:text|reasoning|tool_call|tool_result|finish|image_url|binary|shell_command)$/,
  reply: ({ content }, { record }) => ({
    messageId: asText(record.id),
    model: asText(record.model),
    provider: asText(record.provider),
    stop: stopOf(asObjects(content).find(({ type }) => type === 'finish')?.reason),
  }),
  calls: ({ content }) =>
    asObjects(content)
      .filter(({ type }) => type === 'tool_call')
      .map(({ id, name, input }) => ({ id, name, input: parsed(input) })),
  called: (callId, tool, { record, send }) => {
    const sessionId = `${asText(record.id) ?? ''}$$${callId}`;
    if (/^agent(?:ic_fetch)?$/.test(tool)) send({ kind: 'spawn', spawnId: callId, sessionId });
  },
  results: ({ content }) =>
    asObjects(content)
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({ id: block.tool_call_id, tool: block.name, ...outcomeOf(block) })),
  answered: (spawnId, { ok, tool }, { send }) => {
    if (/^agent/.test(asText(tool) ?? '') && ok !== undefined) send({ kind: 'spawn', spawnId, ok });
  },
  readers: {
    header: readSession,
    summary: ({ send }) => send({ kind: 'compaction' }),
  },
  store: {
    isStore: (path) =>
      isDatabaseWith(path, {
        sessions: ['id', 'parent_session_id'],
        messages: ['id', 'session_id', 'role', 'parts', 'created_at'],
      }),
    sessions: (path, problem) =>
      messageSessions(path, problem, {
        session: 'id parent_session_id cost',
        // Names of sessions are made by sessions of their own.
        only: "id NOT LIKE 'title-%'",
        sessionsInOrder: 'rowid',
        message: 'id role model provider is_summary_message created_at',
        content: 'parts',
        messagesInOrder: 'created_at, rowid',
        header: (row) => row,
        record: (message, parts) => ({ ...message, parts: parsedList(parts, problem) }),
      }),
  },
});

function readSession({ state, record, send }: Line): void {
  const parent = asText(record.parent_session_id);
  state.session = asText(record.id);
  state.subagent = parent !== undefined;
  const cost = asCount(record.cost) ?? 0;
  // What a sub-agent cost is part of what its parent did.
  const costUsd = parent === undefined && cost > 0 ? cost : undefined;
  send({ kind: 'session', agent: 'crush', ...childOf(parent), sessionId: state.session, costUsd });
}

/** A failed command is not an error of its tool: its exit code is at the end of its output. */
function outcomeOf({ content, is_error }: JsonObject): Outcome {
  const text = asText(content) ?? '';
  if (is_error === true)
    return { text, ...(/^User denied permission/i.test(text) ? { denied: true } : { ok: false }) };
  const code = /(?:^|\n)Exit code (-?\d+)\s*$/.exec(text)?.[1];
  if (code !== undefined) return { text, ok: Number(code) === 0 };
  return { text, ...(/aborted before completion/i.test(text.slice(-200)) ? { denied: true } : { ok: true }) };
}
