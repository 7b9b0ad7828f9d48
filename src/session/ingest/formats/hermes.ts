/**
 * Sessions of the Hermes Agent: messages in the chat-completions format. Tokens and cost of a session are only in its
 * database row, the input without cached tokens, reasoning as part of the output. Compressing a session ends it; what
 * follows is a session with it as its parent.
 */
import { stemOf } from '../files/name-by-file.ts';
import {
  asCount,
  asObject,
  asObjects,
  asText,
  contentText,
  type JsonObject,
  parsed,
  routedModel,
  sampled,
} from '../json/json-fields.ts';
import {
  type ChatState,
  chatAdapter,
  exited,
  type Line,
  type Outcome,
  stopOf,
  unlessZero,
  usageApart,
} from './chat.ts';
import { isDatabaseWith, messageSessions } from './database-sessions.ts';

type State = ChatState & { isAnnounced?: boolean };

export const hermesAdapter = chatAdapter<State>({
  detect: ({ records, document }) => {
    if (!document) return sampled(records, false).some(({ role }) => role === 'session_meta');
    const { session_id, session_start, messages } = asObject(records[0]) ?? {};
    return asText(session_id) !== undefined && asText(session_start) !== undefined && Array.isArray(messages);
  },
  start: ({ path }) => ({ session: stemOf(path).replace(/^session_/, '') }),
  elements: function* ({ messages, ...session }) {
    yield session;
    yield* asObjects(messages).filter(({ role }) => role !== 'session_meta');
  },
  // The database has seconds, with a fraction.
  times: ({ timestamp, session_start, started_at }) => {
    const stamp = timestamp ?? session_start ?? started_at;
    return [typeof stamp === 'number' && stamp < 1e11 ? Math.round(stamp * 1000) : stamp];
  },
  // A header may come last, with nothing in it.
  before: (line) => {
    const { role } = line.record;
    if (role === undefined || role === 'session_meta') readSession(line, line.record);
    else if (!line.state.isAnnounced) readSession(line, {});
  },
  kind: ({ role }) => (role === undefined ? 'session_meta' : asText(role)),
  ignored: 'session_meta',
  // Text of the program with the user role.
  said: (text, { send }) => {
    if (/^\s*\[CONTEXT (?:COMPACTION|SUMMARY)/i.test(text)) send({ kind: 'compaction' });
    return { text, origin: RUNTIME.test(text) ? 'runtime' : 'user' };
  },
  reply: ({ finish_reason }) => ({
    stop: stopOf(finish_reason),
    usageElsewhere: true,
  }),
  results: ({ role, tool_call_id, content, finish_reason }) => {
    if (role !== 'tool') return [];
    const text = contentText(content);
    return [{ id: tool_call_id, ...outcomeOf(text, finish_reason), text }];
  },
  store: {
    isStore: (path) =>
      isDatabaseWith(path, {
        sessions: ['id', 'source', 'started_at'],
        messages: ['id', 'session_id', 'role', 'content', 'tool_calls', 'tool_call_id'],
      }),
    sessions: (path, problem) =>
      messageSessions(path, problem, {
        session: `id source model model_config parent_session_id input_tokens output_tokens cache_read_tokens
          cache_write_tokens estimated_cost_usd actual_cost_usd started_at end_reason cwd`,
        sessionsInOrder: 'started_at, id',
        message: 'role tool_calls tool_call_id timestamp finish_reason',
        content: 'content',
        messagesInOrder: 'timestamp, id',
        header: (row) => ({ ...row, role: 'session_meta' }),
        record: (message, content) => ({ ...message, content }),
      }),
  },
});

const RUNTIME = /^\s*\[(?:CONTEXT COMPACTION|CONTEXT SUMMARY|SYSTEM|System note|IMPORTANT: )/i;

function readSession({ state, send }: Line<State>, fields: JsonObject): void {
  const config = asObject(parsed(fields.model_config));
  const isTask = fields.source === 'tool' || asText(config?._delegate_from) !== undefined;
  const isCron = fields.source === 'cron' || fields.platform === 'cron';
  state.session = asText(fields.session_id) ?? asText(fields.id) ?? state.session;
  state.isAnnounced = true;
  state.subagent = isTask && !isCron;
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = fields;
  const cost = asCount(fields.actual_cost_usd) ?? asCount(fields.estimated_cost_usd) ?? 0;
  send({
    kind: 'session',
    agent: 'hermes',
    sessionId: state.session,
    parentSessionId: asText(fields.parent_session_id),
    trigger: isCron ? 'cron' : isTask ? 'subagent' : undefined,
    ...routedModel(fields.model),
    project: asText(fields.cwd) ?? asText(config?.cwd),
    usage: unlessZero(usageApart(input_tokens, output_tokens, cache_read_tokens, cache_write_tokens)),
    costUsd: cost > 0 ? cost : undefined,
  });
}

/** Tools answer with JSON; one that ran a command states its exit code. */
function outcomeOf(text: string, finish: unknown): Outcome {
  if (/BLOCKED:[^\n]{0,400}\bdenied\b/i.test(text.slice(0, 2000))) return { denied: true };
  if (finish === 'error') return { ok: false };
  const answer = text.length < 1_000_000 ? asObject(parsed(text)) : undefined;
  if (answer === undefined) return {};
  const code = answer.exit_code ?? answer.returncode;
  return { ok: answer.success !== false && asText(answer.error) === undefined, ...exited(code) };
}
