/** Calls and what became of them: blocks of the API, or tags in the text with the answer in the message after it. */
import type { ResultEvent, UnplacedEvent } from '../../../event.ts';
import {
  asObject,
  asObjects,
  asText,
  contentText,
  cutText,
  type JsonObject,
  parsed,
} from '../../json/json-fields.ts';
import { taggedTexts, textBetween } from '../tags.ts';

export type ClineState = {
  subagent: boolean;
  /** The last call that was a tag: it has no id, and its answer is the next message. */
  tagged: { readonly callId: string; readonly tool: string } | undefined;
};

type Call = { readonly callId: string; readonly tool: string; readonly input: unknown };

/** Calls by which it only speaks: the last words of a task, and those of a plan. */
const SPOKEN: ReadonlyMap<unknown, string> = new Map([
  ['attempt_completion', 'result'],
  ['plan_mode_respond', 'response'],
]);

export function wordsOf(content: unknown): string {
  const spoken = asObjects(content).flatMap(({ type, name, input }) => {
    const field = type === 'tool_use' ? SPOKEN.get(name) : undefined;
    return field === undefined ? [] : (asText(asObject(input)?.[field]) ?? []);
  });
  return [contentText(content), ...spoken].filter((text) => text !== '').join('\n');
}

export function callsOf(content: unknown, line: number): Call[] {
  const blocks = asObjects(content).filter(({ type }) => type === 'tool_use');
  if (blocks.length === 0) return taggedCall(contentText(content), `line-${line}`);
  return blocks.flatMap((block) => {
    if (SPOKEN.has(block.name)) return [];
    const callId = asText(block.id);
    const tool = asText(block.name) ?? 'unknown';
    return callId === undefined ? [] : [{ callId, tool, input: block.input ?? null }];
  });
}

const TOOLS = new Set(
  `execute_command read_file write_to_file replace_in_file apply_diff insert_content search_and_replace search_files list_files
  list_code_definition_names codebase_search browser_action use_mcp_tool access_mcp_resource ask_followup_question
  attempt_completion new_task switch_mode plan_mode_respond update_todo_list web_fetch`.split(/\s+/),
);

/** One to a message. */
function taggedCall(text: string, callId: string): Call[] {
  const call = taggedTexts(text, TOOLS).next().value;
  if (call === undefined) return [];
  const fields = [...taggedTexts(call.inside)].map(({ name, inside }) => [name, inside]);
  return [{ callId, tool: call.name, input: Object.fromEntries(fields) }];
}

/** `[execute_command for 'npm test'] Result:` and what follows it. */
const ANSWER = /^\[(\w+)(?: for [\s\S]*?)?\] Result:\s*/;

/** The texts of a message that are no answer to a call. */
export function readResults(
  state: ClineState,
  content: unknown,
  send: (event: UnplacedEvent) => void,
): string {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content);
  const rest: string[] = [];
  let answered = -1;
  blocks.forEach((block, index) => {
    const said = asText(block.text) ?? '';
    if (block.type === 'tool_result') rest.push(readResult(block, send));
    else if (state.tagged !== undefined && ANSWER.test(said)) {
      const answer = answerOf(said, asText(blocks[index + 1]?.text) ?? '');
      answered = index + 1;
      sendResult(state.tagged.callId, answer, {}, send);
      state.tagged = undefined;
    } else if (block.type === 'text' && index !== answered) rest.push(said);
  });
  return rest.filter((text) => text !== '').join('\n');
}

/** The answer may be the block after its heading. */
function answerOf(heading: string, next: string): string {
  const own = heading.replace(ANSWER, '');
  return own !== '' || next.startsWith('<environment_details>') ? own : next;
}

/** What the person said with a result that they let stand. */
function readResult(block: JsonObject, send: (event: UnplacedEvent) => void): string {
  const callId = asText(block.tool_use_id);
  if (callId === undefined) return '';
  const text = contentText(block.content).replace(ANSWER, '');
  sendResult(callId, text, block.is_error === true ? { ok: false } : {}, send);
  const said = DENIED.test(text) ? undefined : textBetween(text, '<feedback>', '</feedback>');
  return said === undefined ? '' : `<feedback>${said}</feedback>`;
}

/** Some answer in JSON, with what the person said about it. */
function denialOf(text: string): Pick<ResultEvent, 'denied' | 'reason'> {
  const reason = asText(asObject(parsed(text))?.feedback);
  return reason === undefined ? { denied: true } : { denied: true, reason };
}

const DENIED = /The user denied this operation|"status":\s*"denied"/;
const FAILED = /The tool execution failed with the following error|^<error>|"status":\s*"error"/;
const EXIT_CODE = /\bExit code: (-?\d+)/i;

/** Neither writes an exit code of its own: where nothing is marked, the text tells. */
function sendResult(
  callId: string,
  text: string,
  marked: Pick<ResultEvent, 'ok'>,
  send: (event: UnplacedEvent) => void,
): void {
  const head = text.slice(0, 600);
  const code = EXIT_CODE.exec(head)?.[1];
  const told = code !== undefined ? { ok: Number(code) === 0 } : FAILED.test(head) ? { ok: false } : marked;
  const outcome = DENIED.test(head) ? denialOf(text) : told;
  send({ kind: 'result', callId, ...outcome, text: cutText(text) });
}
