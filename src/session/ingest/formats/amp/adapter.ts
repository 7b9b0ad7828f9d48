/** Threads of Amp: one document, messages with their usage and the state they were left in. */
import type { ReplyEvent, ResultEvent, UnplacedEvent, Usage } from '../../../event.ts';
import {
  asCount,
  asId,
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  cutText,
  defined,
  type JsonObject,
  shown,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';

type State = { session: string | undefined };
type Send = (event: UnplacedEvent) => void;

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined) return '(not an object)';
  const at =
    asTime(asObject(fields.meta)?.sentAt) ??
    asTime(asObject(fields.usage)?.timestamp) ??
    asTime(fields.created);
  const send: Send = (event) => emit(placeEvent(event, { line, at }), state.session);
  switch (fields.role) {
    case 'user':
      readUser(fields, send);
      return undefined;
    case 'assistant':
      readReply(fields, line, send);
      return undefined;
    case undefined:
      return readThread(state, fields, send);
    default:
      return asText(fields.role) ?? '(no role)';
  }
}

function readThread(state: State, fields: JsonObject, send: Send): string | undefined {
  const id = asText(fields.id);
  if (id === undefined) return '(no role)';
  state.session = id;
  const [tree] = asObjects(asObject(asObject(fields.env)?.initial)?.trees);
  const project = asText(tree?.uri)?.replace(/^file:\/\//, '');
  send({ kind: 'session', agent: 'amp', sessionId: id, ...defined({ project }) });
  return undefined;
}

function readUser({ content }: JsonObject, send: Send): void {
  for (const block of asObjects(content)) if (block.type === 'tool_result') readResult(block, send);
  const text = contentText(content);
  if (text !== '') send({ kind: 'user', origin: 'user', text });
}

const STOPS: ReadonlyMap<unknown, ReplyEvent['stop']> = new Map([
  ['end_turn', 'end'],
  ['tool_use', 'tool'],
  ['max_tokens', 'length'],
  ['refusal', 'refusal'],
]);

function readReply(fields: JsonObject, line: number, send: Send): void {
  const counts = asObject(fields.usage);
  const state = asObject(fields.state);
  const isCancelled = state?.type === 'cancelled';
  const stop = isCancelled ? ('aborted' as const) : STOPS.get(state?.stopReason);
  const messageId = asId(fields.messageId) ?? `line-${line}`;
  const model = asText(counts?.model);
  send({
    kind: 'reply',
    messageId,
    text: contentText(fields.content),
    ...defined({ model, usage: counts && usageOf(counts), stop }),
  });
  for (const block of asObjects(fields.content)) {
    const callId = block.type === 'tool_use' ? asText(block.id) : undefined;
    if (callId !== undefined)
      send({ kind: 'call', callId, tool: asText(block.name) ?? 'unknown', input: block.input ?? null });
  }
  if (isCancelled) send({ kind: 'interrupt' });
}

/** The input is without what was cached. */
function usageOf(counts: JsonObject): Usage | undefined {
  const [input, output] = [asCount(counts.inputTokens), asCount(counts.outputTokens)];
  if (input === undefined && output === undefined) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: asCount(counts.cacheReadInputTokens) ?? 0,
    cacheWrite: asCount(counts.cacheCreationInputTokens) ?? 0,
  };
}

function readResult(block: JsonObject, send: Send): void {
  const callId = asText(block.toolUseID) ?? asText(block.tool_use_id);
  if (callId === undefined) return;
  const run = asObject(block.run) ?? {};
  const result = asObject(run.result);
  const text = shown(run.error) ?? shown(result?.output ?? run.result) ?? '';
  send({ kind: 'result', callId, ...outcomeOf(run, result), text: cutText(text) });
}

/** A command that fails is done; its exit code tells. */
function outcomeOf(
  run: JsonObject,
  result: JsonObject | undefined,
): Pick<ResultEvent, 'ok' | 'denied' | 'running'> {
  switch (run.status) {
    case 'done':
      return typeof result?.exitCode === 'number' ? { ok: result.exitCode === 0 } : { ok: true };
    case 'error':
      return { ok: false };
    case 'rejected-by-user':
    // Stopped with everything else.
    case 'cancelled':
      return { denied: true };
    default:
      return { running: true };
  }
}

function* elements(document: unknown): Iterable<unknown> {
  const { messages, ...thread } = asObject(document) ?? {};
  yield { id: thread.id, env: thread.env, created: thread.created };
  yield* asObjects(messages);
}

function detect({ records, document }: Sample): boolean {
  const fields = document ? asObject(records[0]) : undefined;
  return /^T-[0-9a-f-]{8,}$/i.test(asText(fields?.id) ?? '') && Array.isArray(fields?.messages);
}

export const ampAdapter: Adapter<State> = { detect, start: () => ({ session: undefined }), step, elements };
