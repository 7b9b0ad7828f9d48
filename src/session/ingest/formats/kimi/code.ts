/** Records of Kimi Code. */
import type { ReplyEvent } from '../../../event.ts';
import {
  asObject,
  asText,
  contentText,
  cutText,
  defined,
  type JsonObject,
  routedModel,
  shown,
} from '../../json/json-fields.ts';
import { remember } from '../bounded-map.ts';
import { type KimiState, kimiOutcome, kimiUsage, type SendKimi } from './state.ts';

type Reader = (state: KimiState, record: JsonObject, send: SendKimi, line: number) => string | undefined;

const ignore: Reader = () => undefined;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['turn.prompt', readPrompt],
  ['turn.steer', readPrompt],
  ['turn.cancel', (_, __, send) => void send({ kind: 'interrupt' })],
  ['turn.ended', readEnd],
  ['config.update', readModel],
  ['profile.bind', readModel],
  ['llm.request', readModel],
  ['usage.record', readUsage],
  ['permission.record_approval_result', readApproval],
  ['context.apply_compaction', (_, __, send) => void send({ kind: 'compaction' })],
  ['context.append_loop_event', readLoopEvent],
  // Repeats what was asked, and what the program reminds the model of.
  ['context.append_message', ignore],
  // The last turns were taken back: what they cost was spent, and what they did was not wanted.
  [
    'context.undo',
    (_, __, send) => void send({ kind: 'acceptance', value: 0, what: 'undone by the person' }),
  ],
  ...`context.clear forked full_compaction.begin full_compaction.cancel full_compaction.complete
    micro_compaction.apply tools.set_active_tools tools.update_store llm.tools_snapshot permission.set_mode plan_mode.enter
    plan_mode.exit plan_mode.cancel plugin.session_start runtime.set_binding token_counting.measured
    token_counting.turn_recorded goal.create goal.update goal.clear`
    .split(/\s+/)
    .map((type): [string, Reader] => [type, ignore]),
]);

export const CODE_TYPES: ReadonlySet<string> = new Set(READERS.keys());

export function readCodeRecord(
  state: KimiState,
  record: JsonObject,
  line: number,
  send: SendKimi,
): string | undefined {
  const type = asText(record.type);
  const reader = type === undefined ? undefined : READERS.get(type);
  return reader === undefined ? (type ?? '(no type)') : reader(state, record, send, line);
}

function readPrompt(state: KimiState, record: JsonObject, send: SendKimi): undefined {
  const kind = asText(asObject(record.origin)?.kind) ?? 'user';
  const origin = state.subagent ? 'subagent' : kind === 'user' ? 'user' : 'runtime';
  send({ kind: 'user', origin, text: contentText(record.input) });
}

function readEnd(_: KimiState, { reason }: JsonObject, send: SendKimi): undefined {
  if (reason === 'completed') send({ kind: 'end', reason: 'normal' });
  else if (reason === 'failed' || reason === 'error') send({ kind: 'end', reason: 'error' });
}

function readModel(state: KimiState, record: JsonObject, send: SendKimi): undefined {
  const named = asText(record.model);
  const { model, provider } =
    named === undefined
      ? routedModel(record.modelAlias)
      : { model: named, provider: asText(record.provider) };
  const project = asText(record.cwd) ?? asText(asObject(record.environmentDisclosure)?.cwd);
  if (project !== undefined) send({ kind: 'session', project });
  if (model === undefined) return;
  Object.assign(state, { model, provider });
}

/** Steps have their usage themselves; a compaction has it only here. */
function readUsage(state: KimiState, record: JsonObject, send: SendKimi, line: number): undefined {
  const usage = usageOf(record.usage);
  if (usage === undefined) return;
  const text = JSON.stringify(usage);
  const isKnown = text === state.counted;
  state.counted = undefined;
  if (!isKnown) send({ kind: 'reply', text: '', messageId: `usage ${line}`, usage, ...modelOf(state) });
}

function usageOf(value: unknown) {
  const fields = asObject(value);
  return kimiUsage(fields?.inputOther, fields?.output, fields?.inputCacheRead, fields?.inputCacheCreation);
}

function modelOf({ model, provider }: KimiState) {
  return defined({ model, provider });
}

function readApproval(state: KimiState, record: JsonObject, send: SendKimi): undefined {
  const call = asText(record.toolCallId);
  const answer = asObject(record.result);
  if (call === undefined || (answer?.decision !== 'rejected' && answer?.decision !== 'cancelled')) return;
  remember(state.denied, call, 1);
  send({ kind: 'result', callId: call, denied: true, ...defined({ reason: asText(answer.feedback) }) });
}

function readLoopEvent(
  state: KimiState,
  record: JsonObject,
  send: SendKimi,
  line: number,
): string | undefined {
  const event = asObject(record.event) ?? {};
  const callId = asText(event.toolCallId) ?? `line-${line}`;
  switch (event.type) {
    case 'step.begin':
      state.step = asText(event.uuid);
      return undefined;
    case 'content.part': {
      const part = asObject(event.part);
      const messageId = asText(event.stepUuid) ?? state.step;
      const text = part?.type === 'text' ? asText(part.text) : undefined;
      if (text !== undefined) send({ kind: 'reply', text, ...defined({ messageId }), ...modelOf(state) });
      return undefined;
    }
    case 'tool.call':
      send({ kind: 'call', callId, tool: asText(event.name) ?? 'unknown', input: event.args ?? null });
      return undefined;
    case 'tool.result':
      readResult(state, callId, event, send);
      return undefined;
    case 'step.end':
      readStepEnd(state, event, send);
      return undefined;
    default:
      return `loop ${asText(event.type) ?? '(no type)'}`;
  }
}

function readResult(state: KimiState, callId: string, event: JsonObject, send: SendKimi): void {
  const result = asObject(event.result);
  const isDenied = state.denied.get(callId) !== undefined;
  const text = cutText(shown(result?.output) ?? asText(result?.message) ?? '');
  send({ kind: 'result', callId, ...(isDenied ? { denied: true } : kimiOutcome(result, 'isError')), text });
}

type Stop = NonNullable<ReplyEvent['stop']>;

const STOPS: ReadonlyMap<unknown, Stop> = new Map<unknown, Stop>([
  ['end_turn', 'end'],
  ['tool_use', 'tool'],
  ['max_tokens', 'length'],
  ['filtered', 'refusal'],
]);

function readStepEnd(state: KimiState, event: JsonObject, send: SendKimi): void {
  const usage = usageOf(event.usage);
  state.counted = usage === undefined ? undefined : JSON.stringify(usage);
  const stop = STOPS.get(event.finishReason);
  send({
    kind: 'reply',
    text: '',
    // Its tokens are then on the record that follows.
    ...(usage === undefined && { usageElsewhere: true as const }),
    ...defined({ messageId: asText(event.uuid), usage, stop }),
    ...modelOf(state),
  });
}
