/**
 * Sessions of Goose: rows of its database, lines of its earlier files, and the JSON output of `goose run`. Times are in
 * seconds. The accumulated tokens are those of the session, cached ones included in the input; the other counts are
 * those of the last request. Newer databases have the cost and the parent session. There is no end. Results of tools
 * are in messages with the user role.
 */
import { stemOf } from '../files/name-by-file.ts';
import {
  asCost,
  asCount,
  asObject,
  asObjects,
  asText,
  contentText,
  type JsonObject,
  parsed,
  sampled,
  shown,
  usageOf,
} from '../json/json-fields.ts';
import { type ChatState, chatAdapter, type Line, type Outcome } from './chat.ts';
import { isDatabaseWith, messageSessions, parsedList } from './database-sessions.ts';

type State = ChatState & {
  /** What a file of lines is called is the session. */
  readonly stem: string;
  isAnnounced: boolean;
  /** The message before was for the model alone. */
  hidden: boolean;
};

const CONTENT =
  /^(?:toolRequest|toolResponse|frontendToolRequest|toolConfirmationRequest|systemNotification)$/;

export const gooseAdapter = chatAdapter<State>({
  // Messages look like those of other agents until they call something: then the field names are Goose's own.
  detect: ({ records, document }) => {
    const messages = document ? asObjects(asObject(records[0])?.messages) : sampled(records, false);
    return messages.some((fields) => {
      if (!document && isHeader(fields) && 'message_count' in fields) return true;
      const { role, created, metadata, content } = messageIn(fields);
      if (asText(role) === undefined || typeof created !== 'number') return false;
      const isVisible = typeof asObject(metadata)?.userVisible === 'boolean';
      return isVisible || asObjects(content).some(({ type }) => CONTENT.test(String(type)));
    });
  },
  start: ({ path }) => ({ stem: stemOf(path), session: stemOf(path), isAnnounced: false, hidden: false }),
  elements: ({ messages }) => asObjects(messages),
  times: (record) => {
    const created = asCount(messageIn(record).created) ?? 0;
    return [created < 1e11 ? created * 1000 : created];
  },
  message: messageIn,
  kind: (record) => {
    const role = asText(messageIn(record).role);
    return role ?? (isHeader(record) ? 'header' : asText(record.type));
  },
  before: ({ state, record, send }) => {
    const message = messageIn(record);
    if (asText(message.role) === undefined) return;
    // What is printed has no header.
    if (!state.isAnnounced) send({ kind: 'session', agent: 'goose' });
    state.isAnnounced = true;
    const about = asObject(message.metadata);
    const isHidden = about?.userVisible === false && about.agentVisible === true;
    // From then on a summary replaces what is hidden from the model.
    if (isHidden && !state.hidden) send({ kind: 'compaction' });
    state.hidden = isHidden;
  },
  ignored: 'complete notification',
  known:
    /^(?:text|image|thinking|redactedThinking|reasoning|toolRequest|toolResponse|toolConfirmationRequest|frontendToolRequest|actionRequired|systemNotification|contextLengthExceeded|summarizationRequested)$/,
  said: (text, { state }) => ({ text, origin: state.hidden ? 'runtime' : 'user' }),
  readers: {
    header: readSession,
    error: ({ send }) => send({ kind: 'end', reason: 'error' }),
  },
  reply: ({ id, content }, { state }) => ({
    text: state.hidden ? '' : contentText(content),
    usageElsewhere: true,
    // The pieces of a message that is printed have its id.
    messageId: asText(id),
  }),
  skipsEmpty: true,
  calls: ({ content }) =>
    asObjects(content)
      .filter(({ type }) => /^(?:toolRequest|\w*ToolRequest)$/.test(asText(type) ?? ''))
      .map(({ id, toolCall }) => {
        const call = asObject(toolCall);
        const value = asObject(call?.value);
        const refused = call?.status === 'error' ? (shown(call.error) ?? '') : undefined;
        return { id, name: value?.name, input: value?.arguments, refused };
      }),
  results: ({ content }) =>
    asObjects(content)
      .filter(({ type }) => type === 'toolResponse')
      .map(({ id, toolResult }) => ({ id, ...outcomeOf(asObject(toolResult)) })),
  // Rows and lines have no common id: time, role and beginning identify a message.
  entryKey: (record) => {
    const { created, role, content } = messageIn(asObject(record) ?? {});
    if (asCount(created) === undefined || asText(role) === undefined) return undefined;
    return `goose ${asText(role)} ${asCount(created)} ${JSON.stringify(content ?? null).slice(0, 120)}`;
  },
  store: {
    isStore: (path) =>
      isDatabaseWith(path, { sessions: ['id'], messages: ['id', 'session_id', 'role', 'content_json'] }),
    sessions: (path, problem) =>
      messageSessions(path, problem, {
        session: `id session_type working_dir accumulated_input_tokens accumulated_output_tokens
          accumulated_cache_read_tokens accumulated_cache_write_tokens accumulated_cost parent_session_id provider_name
          model_config_json`,
        sessionsInOrder: 'id',
        message: 'role created_timestamp metadata_json',
        content: 'content_json',
        messagesInOrder: 'id',
        header: (row) => ({ ...row, working_dir: asText(row.working_dir) ?? '-' }),
        record: ({ role, created_timestamp, metadata_json }, content) => ({
          role,
          created: created_timestamp,
          content: parsedList(content, problem),
          metadata: parsed(metadata_json),
        }),
      }),
  },
});

function messageIn(record: JsonObject): JsonObject {
  return asObject(record.message) ?? record;
}

function isHeader({ working_dir }: JsonObject): boolean {
  return asText(working_dir) !== undefined;
}

function readSession({ state, record, send }: Line<State>): void {
  const trigger =
    record.session_type === 'sub_agent'
      ? 'subagent'
      : record.session_type === 'scheduled'
        ? 'cron'
        : undefined;
  state.session = asText(record.id) ?? state.stem;
  state.isAnnounced = true;
  state.subagent = trigger === 'subagent';
  state.model = asText(asObject(parsed(record.model_config_json))?.model_name);
  state.provider = asText(record.provider_name);
  const usage = usageOf(
    record.accumulated_input_tokens,
    record.accumulated_output_tokens,
    record.accumulated_cache_read_tokens,
    record.accumulated_cache_write_tokens,
  );
  send({
    kind: 'session',
    agent: 'goose',
    sessionId: state.session,
    trigger,
    parentSessionId: asText(record.parent_session_id),
    costUsd: asCost(record.accumulated_cost, usage),
    project: asText(record.working_dir),
    model: state.model,
    provider: state.provider,
    usage,
    usageIsTotal: usage && true,
  });
}

/** There is no exit code: without a mark, the text decides. Before 1.11 the value was the content itself. */
function outcomeOf(result: JsonObject | undefined): Outcome {
  const value = asObject(result?.value);
  const text = contentText(value?.content ?? result?.value) || (shown(result?.error) ?? '');
  if (/^The user has declined to run this tool/.test(text)) return { denied: true, text };
  return { ok: result?.status === 'error' || value?.isError === true ? false : undefined, text };
}
