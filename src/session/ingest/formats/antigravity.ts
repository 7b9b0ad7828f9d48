/**
 * Transcripts of Antigravity: a line per step. The model plans with calls that have no ids; the steps that follow are
 * their results, in order. There are no tokens, and no ends.
 */
import { asObject, asObjects, asText, parsed } from '../json/json-fields.ts';
import {
  anyRecord,
  type ChatState,
  chatAdapter,
  exited,
  type Line,
  type Outcome,
  sendCall,
  sendResult,
  sendUser,
} from './chat.ts';
import { textBetween } from './tags.ts';

type State = ChatState & {
  isAnnounced: boolean;
  /** Calls that wait for their step. */
  open: string[];
};

const MAX_OPEN = 100;
/** Steps that are results of calls. */
const TOOLS: ReadonlySet<unknown> = new Set(
  `LIST_DIRECTORY VIEW_FILE RUN_COMMAND CODE_ACTION SEARCH_WEB GREP_SEARCH GENERIC VIEW_FILE_OUTLINE VIEW_CODE_ITEM
   FIND READ_URL_CONTENT COMMAND_STATUS SEND_COMMAND_INPUT MCP_TOOL BROWSER_SUBAGENT GENERATE_IMAGE CODEBASE_SEARCH
   READ_TERMINAL`.split(/\s+/),
);

export const antigravityAdapter = chatAdapter<State>({
  detect: anyRecord(
    ({ step_index, type, source }) =>
      typeof step_index === 'number' && /^[A-Z_]+$/.test(asText(type) ?? '') && asText(source) !== undefined,
  ),
  start: ({ path }) => ({
    session: /[\\/]([^\\/]+)[\\/]\.system_generated[\\/]logs[\\/][^\\/]+$/.exec(path)?.[1],
    isAnnounced: false,
    open: [],
  }),
  times: ({ created_at }) => [created_at],
  kind: ({ type }) => asText(type),
  before: ({ state, record, send }) => {
    if (state.isAnnounced || asText(record.type) === undefined) return;
    state.isAnnounced = true;
    send({ kind: 'session', agent: 'antigravity', sessionId: state.session });
  },
  // What the program notes for itself.
  ignored:
    'CONVERSATION_HISTORY SYSTEM_MESSAGE EPHEMERAL_MESSAGE KNOWLEDGE_ARTIFACTS TASK_BOUNDARY NOTIFY_USER',
  readers: {
    USER_INPUT: ({ state, record, send }) => {
      const content = asText(record.content) ?? '';
      state.model = chosenModel(content) ?? state.model;
      sendUser(send, textBetween(content, '<USER_REQUEST>', '</USER_REQUEST>') ?? content);
    },
    PLANNER_RESPONSE: readPlan,
    CHECKPOINT: ({ send }) => send({ kind: 'compaction' }),
    ERROR_MESSAGE: ({ send }) => send({ kind: 'reply', text: '', stop: 'error' }),
  },
  otherwise: (line) => {
    const { type, source } = line.record;
    if (type === undefined || typeof type !== 'string') return '(no type)';
    if (source === 'MODEL') readTool(line, type);
    return TOOLS.has(type) ? undefined : type;
  },
});

const MODEL_SET = 'setting `Model Selection` from ';

/** "… from Gemini 3 Pro to Gemini 3 Flash." */
function chosenModel(content: string): string | undefined {
  const from = content.indexOf(MODEL_SET);
  if (from < 0) return undefined;
  const [line = ''] = content.slice(from + MODEL_SET.length).split('\n', 1);
  const to = line.lastIndexOf(' to ');
  return to < 0
    ? undefined
    : asText(
        line
          .slice(to + 4)
          .trimEnd()
          .replace(/\.$/, ''),
      );
}

function readPlan({ state, record, line, send }: Line<State>): void {
  const calls = asObjects(record.tool_calls);
  const text = asText(record.content) ?? '';
  send({ kind: 'reply', text, model: state.model, stop: calls.length > 0 ? 'tool' : undefined });
  calls.forEach((call, index) => {
    const callId = `line-${line}/${index}`;
    state.open = [...state.open, callId].slice(-MAX_OPEN);
    // Each of its arguments is JSON in a string.
    const args = Object.entries(asObject(call.args) ?? {}).map(([name, value]) => [name, parsed(value)]);
    sendCall(send, callId, call.name, asObject(call.args) ? Object.fromEntries(args) : call.args);
  });
}

/** Not every call is written down before its step. */
function readTool({ state, record, line, send }: Line<State>, type: string): void {
  const waiting = state.open.shift();
  const callId = waiting ?? `line-${line}`;
  if (waiting === undefined) {
    if (type === 'GENERIC') return;
    sendCall(send, callId, type.toLowerCase(), null);
  }
  const text = asText(record.content) ?? '';
  sendResult(send, callId, { ...outcomeOf(record.status, text), text });
}

const EXIT_CODE = /(?:failed|exited|completed|finished) with exit code:? (-?\d+)/i;

function outcomeOf(status: unknown, text: string): Outcome {
  if (status === 'ERROR' || status === 'FAILED') return { ok: false };
  const head = text.slice(0, 300);
  const code = EXIT_CODE.exec(head)?.[1];
  if (code !== undefined) return exited(Number(code));
  return head.includes('The command completed successfully') ? { ok: true } : {};
}
