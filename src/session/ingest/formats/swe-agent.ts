/**
 * SWE-agent and mini-swe-agent trajectories (`.traj`), whatever their age: one document, one session. A step has no flag for
 * success, so results carry none (mini-swe-agent states exit codes) and the text decides. Whether the task was solved is not in
 * the file. Events point at the step; the task is step 1's, the end the last one's.
 */
import type { EndReason } from '../../event.ts';
import { stemOf, uniqueStem } from '../files/name-by-file.ts';
import {
  asArray,
  asCost,
  asObject,
  asObjects,
  asText,
  contentText,
  type JsonObject,
  parsed,
  routedModel,
  usageOf,
} from '../json/json-fields.ts';
import {
  type ChatState,
  chatAdapter,
  documentIs,
  type Line,
  sendCall,
  sendResult,
  unlessZero,
} from './chat.ts';

type State = ChatState & { readonly path: string; steps: number };

export const sweAgentAdapter = chatAdapter<State>({
  detect: documentIs(({ trajectory, info, messages, history }) => {
    const [step] = asArray(trajectory);
    if (Array.isArray(trajectory) && asObject(info) !== undefined)
      return step === undefined || 'observation' in (asObject(step) ?? {});
    // Entries of a history have the agent next to the role; no other format does.
    const { role, agent, ...entry } = asObject(asArray(history)[0]) ?? {};
    return (
      isMini(messages, info) ||
      (asText(role) !== undefined && asText(agent) !== undefined && 'content' in entry)
    );
  }),
  start: ({ path }) => ({ path, session: uniqueStem(path), steps: 0 }),
  elements: elementsOf,
  place: ({ kind }, state) => {
    if (kind === 'step') state.steps += 1;
    return kind === 'head' ? state.steps + 1 : Math.max(1, state.steps);
  },
  times: () => [],
  kind: ({ kind }) => asText(kind),
  readers: { head: readHead, step: readStep, tail: readTail },
});

/** Stand-ins that replay or type instead of a model. */
const NO_MODEL = /^(?:replay|human|human_thought|instant_empty_submit|instant_empty_submit_test)$/;

function isMini(messages: unknown, info: unknown): boolean {
  const { exit_status, model_stats } = asObject(info) ?? {};
  return Array.isArray(messages) && exit_status !== undefined && model_stats !== undefined;
}

function* elementsOf(document: JsonObject): Generator<JsonObject> {
  const { trajectory, messages, history, info } = document;
  const config = asObject(parsed(document.replay_config));
  const mini = asObject(asObject(asObject(info)?.config)?.model);
  yield {
    kind: 'head',
    instance: asText(asObject(config?.problem_statement)?.id) ?? asText(document.instance_id),
    model: asText(asObject(asObject(config?.agent)?.model)?.name) ?? asText(mini?.model_name),
    task: taskOf(history) ?? taskOf(messages),
  };
  if (Array.isArray(trajectory)) yield* trajectory.map(stepOf);
  else yield* pairedSteps(asArray(isMini(messages, info) ? messages : history).map(asObject));
  yield { ...asObject(info), kind: 'tail' };
}

/** The first message to the agent that is not part of a demonstration. */
function taskOf(history: unknown): string | undefined {
  const said = asObjects(history).find(({ role, is_demo }) => role === 'user' && is_demo !== true);
  return said && asText(contentText(said.content));
}

function stepOf(value: unknown): JsonObject {
  const step = asObject(value) ?? {};
  const openFile = asText(asObject(parsed(step.state))?.open_file);
  return {
    kind: 'step',
    said: asText(step.response) ?? asText(step.thought),
    action: step.action,
    observation: contentText(step.observation),
    calls: step.tool_calls,
    openFile: openFile === 'n/a' ? undefined : openFile,
  };
}

/** A step is an assistant message and the message that follows it. */
function* pairedSteps(messages: readonly (JsonObject | undefined)[]): Generator<JsonObject> {
  for (const [index, message] of messages.entries()) {
    if (message?.role !== 'assistant' || message.is_demo === true) continue;
    const next = messages[index + 1];
    const isAnswer = next?.role === 'user' || next?.role === 'tool' || next?.role === 'exit';
    const observation = isAnswer ? contentText(next.content) : '';
    const said = contentText(message.content);
    yield {
      kind: 'step',
      said,
      action: asText(message.action) ?? writtenCommand(message, said),
      observation,
      calls: message.tool_calls,
      exitCode: exitCodeOf(next, observation),
    };
  }
}

/** Only mini-swe-agent states it. */
function exitCodeOf(answer: JsonObject | undefined, observation: string): number | undefined {
  const stated = asObject(answer?.extra)?.returncode;
  if (typeof stated === 'number') return stated;
  const tagged = /^\s*<returncode>(-?\d{1,6})<\/returncode>/.exec(observation)?.[1];
  return tagged === undefined ? undefined : Number(tagged);
}

/** mini-swe-agent: the command is in the message itself. */
function writtenCommand(message: JsonObject, said: string): string | undefined {
  const [action] = asArray(asObject(message.extra)?.actions);
  const stated = asText(asObject(action)?.command);
  const open = /```(?:mswea_bash_command|bash)[ \t]*\n/.exec(said);
  if (stated !== undefined || open === null) return stated;
  const from = open.index + open[0].length;
  const to = said.indexOf('```', from);
  return said.slice(from, to < 0 ? undefined : to).trim();
}

function readHead({ state, record, send }: Line<State>): void {
  const instance = asText(record.instance);
  // The runner names the file after the instance; a file from elsewhere (standard input) has no such name.
  if (!/\.traj(\.json)?(\.gz|\.zst)?$/i.test(state.path) && instance !== undefined) state.session = instance;
  const named = [asText(record.model), modelFromName(state.path)].map((one) =>
    one === undefined || NO_MODEL.test(one) ? undefined : one,
  );
  Object.assign(state, routedModel(named[0] ?? named[1]));
  const { model, provider, session } = state;
  send({ kind: 'session', sessionId: session, agent: 'swe-agent', trigger: 'user', model, provider });
  const task = asText(record.task);
  if (task !== undefined) send({ kind: 'user', origin: 'user', text: task });
}

/** Old runs are named `<model>__<data>__<config>__t-…__p-…__c-…`, which is the only place where they name their model. */
function modelFromName(path: string): string | undefined {
  return /^([^_]+(?:_[^_]+)*)__.+__t-[\d.]+__p-[\d.]+__c-[\d.]+__/.exec(stemOf(path))?.[1];
}

/** The interface's own word for a command that it stopped. */
const TIMED_OUT =
  /(?:^|\n)EXECUTION TIMED OUT(?: BECAUSE [^\n]*(?![^\n]))?\s*$|^\s*The command '[\s\S]{0,2000}' (?:was cancelled because it took more than|timed out after)/;

function readStep({ state, record, line, send }: Line<State>): void {
  const { model, provider } = state;
  send({ kind: 'reply', text: asText(record.said) ?? '', model, provider });
  const action = (asText(record.action) ?? '').trim();
  const call = asObject(asArray(record.calls)[0]);
  const called = asObject(call?.function);
  const tool = asText(called?.name);
  if (action === '' && tool === undefined) return;
  const callId = (tool === undefined ? undefined : asText(call?.id)) ?? `step-${line}`;
  if (tool !== undefined) sendCall(send, callId, tool, parsed(called?.arguments));
  else {
    const [name, input] = writtenCall(action, asText(record.openFile));
    sendCall(send, callId, name, input);
  }
  const text = withoutPrompt(asText(record.observation) ?? '');
  const timedOut = TIMED_OUT.test(text) ? false : undefined;
  const ok = typeof record.exitCode === 'number' ? record.exitCode === 0 : timedOut;
  sendResult(send, callId, { text, ok });
}

/** What the interface writes below the output: where one is, and a prompt. */
const PROMPT = /\n?(?:\(Open file: [^\n]*\)\s*\n)?(?:\(Current directory: [^\n]*\)\s*\n)?bash-\$\s*$/;
/** The prompt is at the end, and short. */
const LONGEST_PROMPT = 2_000;

function withoutPrompt(text: string): string {
  return text.slice(0, -LONGEST_PROMPT) + text.slice(-LONGEST_PROMPT).replace(PROMPT, '');
}

/** Commands of SWE-agent's own interface; everything else is a line for the shell. */
const INTERFACE = new Set(
  `open goto scroll_up scroll_down create edit insert search_file search_dir find_file submit str_replace_editor
  str_replace_based_edit_tool filemap exit_forfeit view undo_edit rename_symbol connect_start connect_sendline
  debug_start debug_continue decompile disassemble`.split(/\s+/),
);

/** `create a.py` → the tool `create` with a path; `edit 3:5 …` works on the file that is open. */
function writtenCall(action: string, openFile: string | undefined): [tool: string, input: JsonObject] {
  const [name = '', ...rest] = action.slice(0, 400).split(/\s+/, 4);
  if (!INTERFACE.has(name)) return ['bash', { command: action }];
  const word = rest.find((one) => /[./]/.test(one) && !one.startsWith('-'));
  const path = name === 'edit' || name === 'insert' ? openFile : word?.replace(/^["']|["']$/g, '');
  const input = { command: action, ...(path !== undefined && { path }) };
  return [name, name.startsWith('str_replace') ? { ...input, command: rest[0] ?? '', line: action } : input];
}

const ENDS: readonly (readonly [RegExp, EndReason])[] = [
  [/^(?:exit_cost|exit_context|limitsexceeded|costlimit|exit_format_limit)/i, 'limit'],
  [/^(?:exit_total_execution_time|exit_command_timeout|timeexceeded|timeout)/i, 'timeout'],
  [/^exit_forfeit/i, 'aborted'],
  [/^(?:submitted|exit_command$)/i, 'normal'],
  [/^exit_|error|exception/i, 'error'],
];

function readTail({ record, send }: Line<State>): void {
  const stats = asObject(record.model_stats);
  const usage = unlessZero(usageOf(stats?.tokens_sent, stats?.tokens_received));
  const costUsd = asCost(stats?.instance_cost, undefined);
  if (usage !== undefined || costUsd !== undefined) send({ kind: 'session', usage, costUsd });
  const status = asText(record.exit_status);
  const submission = asText(record.submission)?.trim();
  if (submission !== undefined || /^submitted/i.test(status ?? '')) {
    // An empty submission would have been a patch.
    const isPatch = !submission || /^(?:diff --git|--- |\+\+\+ |Index: )/m.test(submission);
    send({ kind: 'artifact', artifact: isPatch ? 'file' : 'answer', ok: (submission ?? '') !== '' });
  }
  if (status === undefined) return;
  // `submitted (exit_cost)`: the work so far was submitted at the limit.
  const inner = /\(([^)]{1,80})\)/.exec(status)?.[1] ?? status;
  send({ kind: 'end', reason: ENDS.find(([pattern]) => pattern.test(inner))?.[1] ?? 'unknown' });
}
