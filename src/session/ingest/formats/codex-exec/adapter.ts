/**
 * Streams of `codex exec --json`: items that begin and are completed under one id. There is no time, model, prompt or folder
 * in them, sub-agents show only in the calls that start them, and the tokens are those of the whole thread so far.
 */
import type { UnplacedEvent, Usage } from '../../../event.ts';
import { asObject, asText, defined, type JsonObject, sampled, usageOf } from '../../json/json-fields.ts';
import { type BoundedMap, newBoundedMap } from '../bounded-map.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { readItem } from './items.ts';
import { isProtocolLine, readProtocol } from './protocol.ts';

export type CodexExecState = {
  thread: string | undefined;
  /** Turns so far: items are numbered anew in each run of a thread. */
  runs: number;
  /** Calls that were told of. */
  calls: BoundedMap<1>;
  total: Usage | undefined;
};

function start(): CodexExecState {
  return { thread: undefined, runs: 0, calls: newBoundedMap(), total: undefined };
}

function step(state: CodexExecState, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  const type = asText(fields?.type);
  if (fields === undefined || (type === undefined && !isEarlier(fields))) return '(no type)';
  const send = (event: UnplacedEvent): void => emit(placeEvent(event, { line }), state.thread);
  const msg = asObject(fields.msg);
  if (msg !== undefined)
    return readProtocol(state, msg, line, send, (usage) => readTotal(state, { usage }, line, send));
  switch (type) {
    // What was asked, and with which settings.
    case undefined:
      readSettings(fields, send);
      return undefined;
    case 'thread.started':
      if (asText(fields.thread_id) !== state.thread) state.total = undefined;
      state.thread = asText(fields.thread_id) ?? state.thread;
      state.runs += 1;
      send({ kind: 'session', agent: 'codex', ...defined({ sessionId: state.thread }) });
      return undefined;
    case 'turn.started':
      return undefined;
    case 'turn.completed':
      readTotal(state, fields, line, send);
      send({ kind: 'end', reason: 'normal' });
      return undefined;
    case 'turn.failed':
      send({ kind: 'reply', text: '', usageElsewhere: true, stop: 'error' });
      send({ kind: 'end', reason: 'error' });
      return undefined;
    // Requests that are tried again say so, too: whether the turn failed, its end tells.
    case 'error':
      return undefined;
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return readItem(state, asObject(fields.item) ?? {}, type === 'item.completed', send);
    default:
      return type;
  }
}

function isEarlier(fields: JsonObject): boolean {
  return isProtocolLine(fields) || isSettings(fields) || typeof fields.prompt === 'string';
}

function isSettings(fields: JsonObject): boolean {
  return asText(fields.workdir) !== undefined && asText(fields.model) !== undefined;
}

function readSettings(fields: JsonObject, send: (event: UnplacedEvent) => void): void {
  if (typeof fields.prompt === 'string') send({ kind: 'user', origin: 'user', text: fields.prompt });
  const about = {
    model: asText(fields.model),
    project: asText(fields.workdir),
    provider: asText(fields.provider),
  };
  if (isSettings(fields)) send({ kind: 'session', agent: 'codex', ...defined(about) });
}

/** The input contains what was read from the cache, the output contains the reasoning. */
function readTotal(
  state: CodexExecState,
  { usage }: JsonObject,
  line: number,
  send: (event: UnplacedEvent) => void,
): void {
  const fields = asObject(usage);
  const total =
    fields &&
    usageOf(
      fields.input_tokens,
      fields.output_tokens,
      fields.cached_input_tokens,
      fields.cache_write_input_tokens,
    );
  if (total === undefined) return;
  const before = state.total;
  state.total = total;
  send({
    kind: 'reply',
    text: '',
    messageId: `turn at ${line}`,
    usage: since(total, before),
    usageOfSeveral: true,
  });
}

/** Totals of a thread grow; a smaller one counts from the beginning. */
function since(now: Usage, before: Usage | undefined): Usage {
  const left = (kind: Exclude<keyof Usage, 'cacheWriteHour'>): number => now[kind] - (before?.[kind] ?? 0);
  const usage = {
    input: left('input'),
    output: left('output'),
    cacheRead: left('cacheRead'),
    cacheWrite: left('cacheWrite'),
  };
  return Object.values(usage).some((count) => count < 0) ? now : usage;
}

function detect({ records, document }: Sample): boolean {
  return sampled(records, document).some((fields) => {
    if (isProtocolLine(fields)) return true;
    switch (fields.type) {
      case 'thread.started':
        return asText(fields.thread_id) !== undefined;
      case 'item.started':
      case 'item.completed':
        return (
          asText(asObject(fields.item)?.id) !== undefined && asText(asObject(fields.item)?.type) !== undefined
        );
      default:
        return false;
    }
  });
}

function* elements(document: unknown): Iterable<unknown> {
  if (Array.isArray(document)) yield* document;
  else yield document;
}

export const codexExecAdapter: Adapter<CodexExecState> = { detect, start, step, elements };
