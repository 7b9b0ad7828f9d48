/** Sessions of the Grok CLI: a line per message, thought, call or result. There are no times and no tokens in them. */
import { basename, dirname, join } from 'node:path';
import type { Event, UnplacedEvent } from '../../../event.ts';
import { jsonBeside } from '../../files/json-beside.ts';
import {
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  cutText,
  defined,
  type JsonObject,
  parsed,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample, Sidecar } from '../format.ts';
import { placeEvent } from '../place-event.ts';

type Send = (event: UnplacedEvent) => void;
type State = Record<string, never>;

function step(_: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  const type = asText(fields?.type);
  if (fields === undefined || type === undefined) return '(no type)';
  const send: Send = (event) => emit(placeEvent(event, { line }));
  const reader = READERS.get(type);
  if (reader === undefined) return type;
  reader(fields, send, line);
  return undefined;
}

type Reader = (fields: JsonObject, send: Send, line: number) => void;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['user', readUser],
  ['assistant', readReply],
  ['tool_result', readResult],
  ['backend_tool_call', readBackendCall],
  ['system', () => {}],
  ['reasoning', () => {}],
]);

function readUser(fields: JsonObject, send: Send): void {
  // Told by what was said next.
  if (asText(fields.prior_turn_interrupt) !== undefined) send({ kind: 'interrupt' });
  const text = contentText(fields.content);
  const hasMore = asObjects(fields.content).some(({ type }) => type === 'image');
  if (text === '' && !hasMore) return;
  send({ kind: 'user', origin: asText(fields.synthetic_reason) === undefined ? 'user' : 'runtime', text });
}

function readReply(fields: JsonObject, send: Send, line: number): void {
  const calls = asObjects(fields.tool_calls);
  const stop = calls.length > 0 ? ('tool' as const) : undefined;
  send({
    kind: 'reply',
    text: contentText(fields.content),
    ...defined({ model: asText(fields.model_id), stop }),
  });
  calls.forEach((call, index) => {
    const callId = asText(call.id) ?? `line-${line}/${index}`;
    send({
      kind: 'call',
      callId,
      tool: asText(call.name) ?? 'unknown',
      input: parsed(call.arguments) ?? null,
    });
  });
}

/** Nothing is marked: the text tells. */
function readResult(fields: JsonObject, send: Send): void {
  const callId = asText(fields.tool_call_id);
  if (callId !== undefined) send({ kind: 'result', callId, text: cutText(contentText(fields.content)) });
}

/** Made where the model runs, with what became of it. */
function readBackendCall({ kind }: JsonObject, send: Send, line: number): void {
  const call = asObject(kind) ?? {};
  const callId = asText(call.id) ?? `line-${line}`;
  send({ kind: 'call', callId, tool: asText(call.tool_type) ?? 'unknown', input: call.action ?? null });
  if (call.status === 'completed' || call.status === 'failed')
    send({ kind: 'result', callId, ok: call.status === 'completed' });
}

function sidecar(path: string): Sidecar {
  const folder = dirname(path);
  const about = asObject(jsonBeside(join(folder, 'summary.json'))) ?? {};
  const info = asObject(about.info);
  const isChild = about.session_kind === 'subagent';
  const event = {
    kind: 'session',
    agent: 'grok',
    line: 1,
    ...defined({
      sessionId: asText(info?.id) ?? asText(basename(folder)),
      parentSessionId: asText(about.parent_session_id),
      trigger: isChild ? ('subagent' as const) : undefined,
      project: asText(info?.cwd),
      model: asText(about.current_model_id),
      at: asTime(about.created_at),
    }),
  } satisfies Event;
  return { before: [event], between: [], after: [] };
}

function detect({ records, document }: Sample): boolean {
  if (document) return false;
  return records.some((record) => {
    const fields = asObject(record) ?? {};
    if (fields.type === 'assistant')
      return asText(fields.model_id) !== undefined && Array.isArray(fields.tool_calls);
    if (fields.type === 'backend_tool_call') return asObject(fields.kind) !== undefined;
    return fields.type === 'user' && Array.isArray(fields.content) && typeof fields.prompt_index === 'number';
  });
}

export const grokAdapter: Adapter<State> = { detect, start: () => ({}), step, sidecar };
