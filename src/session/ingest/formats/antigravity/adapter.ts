/**
 * Transcripts of Antigravity: a line per step. The model plans with calls that have no ids; the steps that follow are what
 * became of them, in order. There are no tokens, and no ends.
 */
import type { ResultEvent, UnplacedEvent } from '../../../event.ts';
import {
  asObject,
  asObjects,
  asText,
  asTime,
  cutText,
  defined,
  type JsonObject,
  parsed,
  sampled,
} from '../../json/json-fields.ts';
import { pushBounded } from '../bounded-list.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { textBetween } from '../tags.ts';

type State = {
  readonly session: string | undefined;
  told: boolean;
  model: string | undefined;
  /** Calls that wait for their step. */
  open: string[];
};
type Send = (event: UnplacedEvent) => void;

const MAX_OPEN = 100;

function start({ path }: FileInfo): State {
  const session = /[\\/]([^\\/]+)[\\/]\.system_generated[\\/]logs[\\/][^\\/]+$/.exec(path)?.[1];
  return { session, told: false, model: undefined, open: [] };
}

/** What the program notes for itself. */
const NOTES: ReadonlySet<string> = new Set(
  'CONVERSATION_HISTORY SYSTEM_MESSAGE EPHEMERAL_MESSAGE KNOWLEDGE_ARTIFACTS TASK_BOUNDARY NOTIFY_USER'.split(
    ' ',
  ),
);
/** Steps that are what became of a call. */
const TOOLS: ReadonlySet<string> = new Set(
  `LIST_DIRECTORY VIEW_FILE RUN_COMMAND CODE_ACTION SEARCH_WEB GREP_SEARCH GENERIC VIEW_FILE_OUTLINE VIEW_CODE_ITEM
   FIND READ_URL_CONTENT COMMAND_STATUS SEND_COMMAND_INPUT MCP_TOOL BROWSER_SUBAGENT GENERATE_IMAGE CODEBASE_SEARCH
   READ_TERMINAL`.split(/\s+/),
);

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  const type = asText(fields?.type);
  if (fields === undefined || type === undefined) return '(no type)';
  const send: Send = (event) =>
    emit(placeEvent(event, { line, at: asTime(fields.created_at) }), state.session);
  if (!state.told) {
    state.told = true;
    send({ kind: 'session', agent: 'antigravity', ...defined({ sessionId: state.session }) });
  }
  if (type === 'USER_INPUT') readUser(state, fields, send);
  else if (type === 'PLANNER_RESPONSE') readPlan(state, fields, line, send);
  else if (type === 'CHECKPOINT') send({ kind: 'compaction' });
  else if (type === 'ERROR_MESSAGE') send({ kind: 'reply', text: '', stop: 'error' });
  else if (!NOTES.has(type)) {
    if (fields.source === 'MODEL') readTool(state, fields, type, line, send);
    return TOOLS.has(type) ? undefined : type;
  }
  return undefined;
}

function readUser(state: State, fields: JsonObject, send: Send): void {
  const content = asText(fields.content) ?? '';
  state.model = chosenModel(content) ?? state.model;
  const typed = textBetween(content, '<USER_REQUEST>', '</USER_REQUEST>') ?? content;
  if (typed !== '') send({ kind: 'user', origin: 'user', text: typed });
}

const MODEL_SET = 'setting `Model Selection` from ';

/** "… from Gemini 3 Pro to Gemini 3 Flash." */
function chosenModel(content: string): string | undefined {
  const from = content.indexOf(MODEL_SET);
  if (from < 0) return undefined;
  const [line = ''] = content.slice(from + MODEL_SET.length).split('\n', 1);
  const to = line.lastIndexOf(' to ');
  return to < 0
    ? undefined
    : line
        .slice(to + 4)
        .trimEnd()
        .replace(/\.$/, '') || undefined;
}

function readPlan(state: State, fields: JsonObject, line: number, send: Send): void {
  const calls = asObjects(fields.tool_calls);
  const stop = calls.length > 0 ? ('tool' as const) : undefined;
  const text = asText(fields.content) ?? '';
  send({ kind: 'reply', text, ...defined({ model: state.model, stop }) });
  calls.forEach((call, index) => {
    const callId = `line-${line}/${index}`;
    pushBounded(state.open, callId, MAX_OPEN);
    send({ kind: 'call', callId, tool: asText(call.name) ?? 'unknown', input: argumentsOf(call.args) });
  });
}

/** Each of them is JSON in a string. */
function argumentsOf(args: unknown): unknown {
  const fields = asObject(args);
  if (fields === undefined) return args ?? null;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, parsed(value)]));
}

/** Not every call is written down before its step. */
function readTool(state: State, fields: JsonObject, type: string, line: number, send: Send): void {
  const waiting = state.open.shift();
  const callId = waiting ?? `line-${line}`;
  if (waiting === undefined) {
    if (type === 'GENERIC') return;
    send({ kind: 'call', callId, tool: type.toLowerCase(), input: null });
  }
  const text = asText(fields.content) ?? '';
  send({ kind: 'result', callId, ...outcomeOf(fields, text), text: cutText(text) });
}

const EXIT_CODE = /(?:failed|exited|completed|finished) with exit code:? (-?\d+)/i;

function outcomeOf({ status }: JsonObject, text: string): Pick<ResultEvent, 'ok'> {
  if (status === 'ERROR' || status === 'FAILED') return { ok: false };
  const head = text.slice(0, 300);
  const code = EXIT_CODE.exec(head)?.[1];
  if (code !== undefined) return { ok: Number(code) === 0 };
  return /The command completed successfully/.test(head) ? { ok: true } : {};
}

function detect({ records, document }: Sample): boolean {
  return sampled(records, document).some(
    (fields) =>
      typeof fields.step_index === 'number' &&
      /^[A-Z_]+$/.test(asText(fields.type) ?? '') &&
      asText(fields.source) !== undefined,
  );
}

export const antigravityAdapter: Adapter<State> = { detect, start, step };
