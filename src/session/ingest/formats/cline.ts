/**
 * Tasks of Cline and of Roo Code: messages in the format of the Anthropic API, older ones with calls as tags in the
 * text and the answer in the message after it. The tokens and the cost of each request, the model, the state of the
 * task and its parent are in companion files. Messages hidden by a compaction stay in the file and count once.
 */
import { basename, dirname, join } from 'node:path';
import type { UnplacedEvent, Usage } from '../../event.ts';
import { addUsage } from '../../usage.ts';
import { readJson } from '../files/read-json.ts';
import {
  asCost,
  asCount,
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  type JsonObject,
  parsed,
  usageOf,
} from '../json/json-fields.ts';
import {
  type Call,
  type ChatState,
  chatAdapter,
  endEvent,
  type Line,
  type Outcome,
  placeEvent,
  resultBlocks,
  type Said,
  sendResult,
  sendUser,
  sidecarBefore,
  usageApart,
} from './chat.ts';
import type { Sidecar } from './format.ts';
import { taggedTexts, textBetween, withoutTagged } from './tags.ts';

type State = ChatState & {
  /** The last call that was a tag: it has no id, and its answer is the next message. */
  tagged: string | undefined;
};

export const clineAdapter = chatAdapter<State>({
  detect: ({ records, document }) => {
    const [first] = records;
    if (!document) return false;
    // Other programs store messages like these; the tags around the request are Cline's own.
    if (Array.isArray(first))
      return asObjects(first.slice(0, 4)).some(
        ({ role, content }) =>
          role === 'user' && /<environment_details>|^\s*<(?:task|user_message)>/.test(contentText(content)),
      );
    const { version, agent, sessionId, messages } = asObject(first) ?? {};
    const isKnown = version === 1 && ['lead', 'subagent', 'teammate'].includes(asText(agent) ?? '');
    return isKnown && asText(sessionId) !== undefined && Array.isArray(messages);
  },
  start: () => ({ subagent: false, tagged: undefined }),
  elements: function* ({ messages, agent, sessionId }) {
    yield { agent, sessionId };
    yield* asObjects(messages);
  },
  times: ({ ts }) => [ts],
  sessionOf: () => undefined,
  kind: (record) => {
    if (record.isSummary === true || record.isTruncationMarker === true) return 'compaction';
    if (record.role !== undefined && record.role !== null) return asText(record.role);
    // Roo Code stores the thoughts of the next message as a record of their own.
    if (record.type === 'reasoning') return 'reasoning';
    return asText(record.agent) && 'header';
  },
  ignored: 'reasoning',
  readers: {
    compaction: ({ send }) => send({ kind: 'compaction' }),
    header: ({ state, record, send }) => {
      state.subagent = record.agent === 'subagent';
      const trigger = state.subagent ? 'subagent' : undefined;
      send({ kind: 'session', agent: 'cline', sessionId: asText(record.sessionId), trigger });
    },
    user: readUser,
  },
  reply: (message) => {
    const about = asObject(message.modelInfo);
    const counts = asObject(message.metrics);
    const usage = usageOf(
      counts?.inputTokens,
      counts?.outputTokens,
      counts?.cacheReadTokens,
      counts?.cacheWriteTokens,
    );
    return {
      text: wordsOf(message.content),
      messageId: asText(message.id),
      model: asText(about?.id) ?? asText(about?.modelId),
      provider: asText(about?.provider) ?? asText(about?.providerId),
      usage,
      costUsd: asCost(counts?.cost, usage),
      // Counted in a companion file, or with the last message of a turn.
      usageElsewhere: usage === undefined ? true : undefined,
    };
  },
  calls: ({ content }, { line, state }) => {
    const calls = callsOf(content, `line-${line}`);
    for (const { id } of calls) state.tagged = id === `line-${line}` ? id : undefined;
    return calls;
  },
  sidecar: readSidecar,
});

/** Calls that only send a message: the last words of a task, and those of a plan. */
const SPOKEN: ReadonlyMap<unknown, string> = new Map([
  ['attempt_completion', 'result'],
  ['plan_mode_respond', 'response'],
]);

function wordsOf(content: unknown): string {
  const spoken = asObjects(content).flatMap(({ type, name, input }) => {
    const field = type === 'tool_use' ? SPOKEN.get(name) : undefined;
    return field === undefined ? [] : (asText(asObject(input)?.[field]) ?? []);
  });
  return [contentText(content), ...spoken].filter((text) => text !== '').join('\n');
}

const TOOLS = new Set(
  `execute_command read_file write_to_file replace_in_file apply_diff insert_content search_and_replace search_files list_files
  list_code_definition_names codebase_search browser_action use_mcp_tool access_mcp_resource ask_followup_question
  attempt_completion new_task switch_mode plan_mode_respond update_todo_list web_fetch`.split(/\s+/),
);

/** Blocks of the API, or one tag to a message. */
function callsOf(content: unknown, line: string): Call[] {
  const blocks = asObjects(content).filter(({ type }) => type === 'tool_use');
  if (blocks.length > 0)
    return blocks
      .filter(({ name, id }) => !SPOKEN.has(name) && asText(id) !== undefined)
      .map(({ id, name, input }) => ({ id, name, input }));
  const call = taggedTexts(contentText(content), TOOLS).next().value;
  if (call === undefined) return [];
  const fields = [...taggedTexts(call.inside)].map(({ name, inside }) => [name, inside]);
  return [{ id: line, name: call.name, input: Object.fromEntries(fields) }];
}

/** `[execute_command for 'npm test'] Result:` and what follows it. */
const ANSWER = /^\[(\w+)(?: for [\s\S]*?)?\] Result:\s*/;

function readUser({ state, record, send }: Line<State>): void {
  const { content } = record;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content);
  const rest: string[] = [];
  let answered = -1;
  blocks.forEach((block, index) => {
    const said = asText(block.text) ?? '';
    if (block.type === 'tool_result') {
      const [{ id, text: whole = '', ok } = { id: undefined }] = resultBlocks({ content: [block] });
      const text = whole.replace(ANSWER, '');
      sendResult(send, id, outcomeOf(text, ok));
      // The user's comment on a result that they accepted.
      const words = DENIED.test(text) ? undefined : textBetween(text, '<feedback>', '</feedback>');
      if (words !== undefined && asText(id) !== undefined) rest.push(`<feedback>${words}</feedback>`);
    } else if (state.tagged !== undefined && ANSWER.test(said)) {
      // The answer may be the block after its heading.
      const own = said.replace(ANSWER, '');
      const next = asText(blocks[index + 1]?.text) ?? '';
      answered = index + 1;
      const answer = own !== '' || next.startsWith('<environment_details>') ? own : next;
      sendResult(send, state.tagged, outcomeOf(answer, undefined));
      state.tagged = undefined;
    } else if (block.type === 'text' && index !== answered) rest.push(said);
  });
  const { text, origin } = typedText(rest.filter((one) => one !== '').join('\n'));
  sendUser(send, text, state.subagent ? 'subagent' : origin);
}

/** The user's text is in tags, among text of the program. */
const TYPED = new Set(['task', 'feedback', 'user_message', 'answer']);

function typedText(text: string): Said {
  const typed = [...taggedTexts(text, TYPED)].map(({ inside }) => inside).join('\n');
  if (typed !== '') return { text: typed };
  const rest = withoutTagged(text, 'environment_details').trim();
  return { text: rest, origin: /^(?:\[|<|#)/.test(rest) ? 'runtime' : 'user' };
}

const DENIED = /The user denied this operation|"status":\s*"denied"/;
const FAILED = /The tool execution failed with the following error|^<error>|"status":\s*"error"/;

/** Neither writes an exit code: without a mark, the text decides. */
function outcomeOf(text: string, ok: boolean | undefined): Outcome {
  const head = text.slice(0, 600);
  // Some answer in JSON, with the user's comment.
  if (DENIED.test(head)) return { denied: true, reason: asText(asObject(parsed(text))?.feedback), text };
  const code = /\bExit code: (-?\d+)/i.exec(head)?.[1];
  if (code !== undefined) return { ok: Number(code) === 0, text };
  return { ok: FAILED.test(head) ? false : ok, text };
}

const HISTORY = 'api_conversation_history.json';

/** The companion files of a task, session information first, in the newer store. */
export function companionsOfTask(path: string): string[] {
  if (path.endsWith('.messages.json')) return [path.replace(/\.messages\.json$/, '.json')];
  if (basename(path) !== HISTORY) return [];
  return ['ui_messages.json', 'task_metadata.json', 'history_item.json'].map((name) =>
    join(dirname(path), name),
  );
}

function readSidecar(path: string): Sidecar {
  const [ui = '', metadata = '', item = ''] = companionsOfTask(path);
  if (path.endsWith('.messages.json')) {
    const { cwd, model, provider, status } = asObject(readJson(ui)) ?? {};
    const about = { project: asText(cwd), model: asText(model), provider: asText(provider) };
    return endedBy(sidecarBefore({ kind: 'session', ...about }), endEvent(status));
  }
  const shown = asObjects(readJson(ui));
  const about = asObject(readJson(item));
  const model = asObjects(asObject(readJson(metadata))?.model_usage).at(-1);
  const agent = about !== undefined || /roo-cline/.test(path) ? 'roo-code' : 'cline';
  // A task has the name of its folder.
  const folder = basename(path) === HISTORY ? basename(dirname(path)) : '';
  const parent = asText(about?.parentTaskId);
  const before = sidecarBefore(
    {
      kind: 'session',
      agent,
      sessionId: folder === '.' ? undefined : asText(folder),
      parentSessionId: parent,
      trigger: parent === undefined ? undefined : 'subagent',
      project: asText(about?.workspace),
      model: asText(model?.model_id),
      provider: asText(model?.model_provider_id),
      ...spentOf(shown, agent),
    },
    asTime(shown[0]?.ts),
  );
  return endedBy(before, endOf(shown, about));
}

function endedBy(before: Sidecar, end: UnplacedEvent | undefined): Sidecar {
  return end === undefined ? before : { ...before, after: [placeEvent(end, { line: 1 })] };
}

/** Requests deleted with their messages, and those of sub-agents, cost money as well. */
const SPENT: ReadonlySet<unknown> = new Set(['api_req_started', 'deleted_api_reqs', 'subagent_usage']);

/** Cline reports the input without cached tokens, Roo Code with them. */
function spentOf(shown: readonly JsonObject[], agent: string): { usage?: Usage; costUsd?: number } {
  let usage: Usage | undefined;
  let costUsd = 0;
  for (const { say, text, contextCondense } of shown) {
    const counts = SPENT.has(say) ? asObject(parsed(text)) : undefined;
    costUsd += asCount(counts?.cost) ?? asCount(asObject(contextCondense)?.cost) ?? 0;
    const { tokensIn, tokensOut, cacheReads, cacheWrites } = counts ?? {};
    const isApart = agent === 'cline' && asCount(tokensIn) !== undefined;
    const one = (isApart ? usageApart : usageOf)(tokensIn, tokensOut, cacheReads, cacheWrites);
    if (one !== undefined) usage = usage === undefined ? one : addUsage(usage, one);
  }
  return { usage, costUsd: costUsd > 0 ? costUsd : undefined };
}

/** The last message shown to the user. */
function endOf(shown: readonly JsonObject[], about: JsonObject | undefined): UnplacedEvent | undefined {
  if (about?.status === 'completed') return { kind: 'end', reason: 'normal' };
  const last = shown.findLast(({ ask }) => ask !== 'resume_task' && ask !== 'resume_completed_task');
  if (last?.ask === 'completion_result' || last?.say === 'completion_result')
    return { kind: 'end', reason: 'normal' };
  if (last?.ask === 'api_req_failed') return { kind: 'end', reason: 'error' };
  if (last?.ask === 'mistake_limit_reached' || last?.ask === 'auto_approval_max_req_reached')
    return { kind: 'end', reason: 'limit' };
  return undefined;
}
