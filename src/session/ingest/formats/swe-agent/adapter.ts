/**
 * SWE-agent and mini-swe-agent trajectories (`.traj`): one document, one session. A step has no flag for success, so
 * results carry none (mini-swe-agent states exit codes) and the text decides. Whether the task was solved is not in
 * the file. Events point at the step; the task is step 1's, the end the last one's.
 */
import type { EndReason } from '../../../event.ts';
import { tellingStem } from '../../files/name-by-file.ts';
import {
  asCost,
  asObject,
  asText,
  cutText,
  defined,
  isZero,
  type JsonObject,
  parsed,
  routedModel,
  usageOf,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import {
  isTrajectory,
  modelFromName,
  type Tail,
  type TrajectoryHead,
  type TrajectoryStep,
  trajectoryElements,
} from './steps.ts';

export type SweAgentState = {
  readonly path: string;
  session: string;
  model?: string;
  provider?: string;
  steps: number;
};

const ENDS: readonly (readonly [RegExp, EndReason])[] = [
  [/^(?:exit_cost|exit_context|limitsexceeded|costlimit|exit_format_limit)/i, 'limit'],
  [/^(?:exit_total_execution_time|exit_command_timeout|timeexceeded|timeout)/i, 'timeout'],
  [/^exit_forfeit/i, 'aborted'],
  [/^(?:submitted|exit_command$)/i, 'normal'],
  [/^exit_|error|exception/i, 'error'],
];

/** Commands of SWE-agent's own interface; everything else is a line for the shell. */
const INTERFACE = new Set(
  `open goto scroll_up scroll_down create edit insert search_file search_dir find_file submit str_replace_editor
  str_replace_based_edit_tool filemap exit_forfeit view undo_edit rename_symbol connect_start connect_sendline
  debug_start debug_continue decompile disassemble`.split(/\s+/),
);

/** What the interface writes below the output: where one is, and a prompt. */
const PROMPT = /\n?(?:\(Open file: [^\n]*\)\s*\n)?(?:\(Current directory: [^\n]*\)\s*\n)?bash-\$\s*$/;
/** The interface's own word for a command that it stopped. */
const TIMED_OUT =
  /(?:^|\n)EXECUTION TIMED OUT(?: BECAUSE [^\n]*(?![^\n]))?\s*$|^\s*The command '[\s\S]{0,2000}' (?:was cancelled because it took more than|timed out after)/;

export const sweAgentAdapter: Adapter<SweAgentState> = {
  detect: ({ records, document }: Sample) => {
    const trajectory = asObject(records[0]);
    return document && trajectory !== undefined && isTrajectory(trajectory);
  },
  start: ({ path }: FileInfo) => ({ path, session: tellingStem(path), steps: 0 }),
  step: (state, record, _line, emit) => {
    const element = asObject(record) as TrajectoryHead | TrajectoryStep | Tail | undefined;
    if (element?.kind === 'head') readHead(state, element, emit);
    else if (element?.kind === 'step') readStep(state, element, emit);
    else if (element?.kind === 'tail') readTail(state, asObject(element.info) ?? {}, emit);
    else return 'step';
    return undefined;
  },
  elements: trajectoryElements,
};

function readHead(state: SweAgentState, head: TrajectoryHead, emit: Emit): void {
  const instance = asText(head.instance);
  // The runner names the file after the instance; a file from elsewhere (standard input) has no such name.
  if (!/\.traj(\.json)?(\.gz|\.zst)?$/i.test(state.path) && instance !== undefined) state.session = instance;
  Object.assign(state, routedModel(asText(head.model) ?? modelFromName(state.path)));
  const { model, provider, session } = state;
  const at = { line: state.steps + 1 };
  const named = { kind: 'session', sessionId: session, agent: 'swe-agent', trigger: 'user' } as const;
  emit({ ...named, ...defined({ model, provider }), ...at }, session);
  const task = asText(head.task);
  if (task !== undefined) emit({ kind: 'user', origin: 'user', text: task, ...at }, session);
}

/** The prompt is at the end, and short. */
const LONGEST_PROMPT = 2_000;

function withoutPrompt(text: string): string {
  return text.slice(0, -LONGEST_PROMPT) + text.slice(-LONGEST_PROMPT).replace(PROMPT, '');
}

function readStep(state: SweAgentState, step: TrajectoryStep, emit: Emit): void {
  state.steps += 1;
  const at = { line: state.steps };
  const { model, provider, session } = state;
  emit({ kind: 'reply', text: asText(step.said) ?? '', ...defined({ model, provider }), ...at }, session);
  const action = (asText(step.action) ?? '').trim();
  const called = calledFunction(step);
  if (action === '' && called === undefined) return;
  const callId = called?.id ?? `step-${state.steps}`;
  emit({ kind: 'call', callId, ...(called ?? writtenCall(action, asText(step.openFile))), ...at }, session);
  const seen = withoutPrompt(asText(step.observation) ?? '');
  const ok =
    typeof step.exitCode === 'number' ? step.exitCode === 0 : TIMED_OUT.test(seen) ? false : undefined;
  const text = cutText(seen);
  emit({ kind: 'result', callId, text, ...defined({ ok }), ...at }, session);
}

function calledFunction(step: TrajectoryStep): { id?: string; tool: string; input: unknown } | undefined {
  const call = asObject(Array.isArray(step.calls) ? step.calls[0] : undefined);
  const called = asObject(call?.function);
  const tool = asText(called?.name);
  if (tool === undefined) return undefined;
  return { tool, input: parsed(called?.arguments), ...defined({ id: asText(call?.id) }) };
}

/** `create a.py` → the tool `create` with a path; `edit 3:5 …` works on the file that is open. */
function writtenCall(action: string, openFile: string | undefined): { tool: string; input: JsonObject } {
  const [name = '', ...rest] = action.slice(0, 400).split(/\s+/, 4);
  if (!INTERFACE.has(name)) return { tool: 'bash', input: { command: action } };
  const path = name === 'edit' || name === 'insert' ? openFile : pathAmong(rest);
  if (name.startsWith('str_replace'))
    return { tool: name, input: { command: rest[0] ?? '', ...defined({ path }), line: action } };
  return { tool: name, input: { command: action, ...defined({ path }) } };
}

function pathAmong(words: readonly string[]): string | undefined {
  const word = words.find((one) => /[./]/.test(one) && !one.startsWith('-'));
  return word?.replace(/^["']|["']$/g, '');
}

function readTail(state: SweAgentState, info: JsonObject, emit: Emit): void {
  const { session } = state;
  const at = { line: Math.max(1, state.steps) };
  const stats = asObject(info.model_stats);
  const usage = usageOf(stats?.tokens_sent, stats?.tokens_received);
  const counted = usage === undefined || isZero(usage) ? undefined : usage;
  const costUsd = asCost(stats?.instance_cost, undefined);
  if (counted !== undefined || costUsd !== undefined)
    emit({ kind: 'session', ...defined({ usage: counted, costUsd }), ...at }, session);
  const status = asText(info.exit_status);
  const submission = asText(info.submission)?.trim();
  const submitted = status !== undefined && /^submitted/i.test(status);
  if (submission !== undefined || submitted) {
    const artifact = submission === undefined || isPatch(submission) ? 'file' : 'answer';
    emit({ kind: 'artifact', artifact, ok: (submission ?? '') !== '', ...at }, session);
  }
  const reason = status === undefined ? undefined : endOf(status);
  if (reason !== undefined) emit({ kind: 'end', reason, ...at }, session);
}

/** An empty submission would have been a patch. */
function isPatch(submission: string): boolean {
  return submission === '' || /^(?:diff --git|--- |\+\+\+ |Index: )/m.test(submission);
}

/** `submitted (exit_cost)`: what was there was handed in when the limit was hit. */
function endOf(status: string): EndReason {
  const inner = /\(([^)]{1,80})\)/.exec(status)?.[1] ?? status;
  return ENDS.find(([pattern]) => pattern.test(inner))?.[1] ?? 'unknown';
}
