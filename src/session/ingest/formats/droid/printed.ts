/** Lines of `droid exec --output-format stream-json`. Versions name the session and the calls in two ways. */
import type { ResultEvent } from '../../../event.ts';
import {
  asCount,
  asObject,
  asText,
  cutText,
  defined,
  type JsonObject,
  shown,
} from '../../json/json-fields.ts';
import { type DroidSend, sayUser } from './say-user.ts';

const TYPES: ReadonlySet<unknown> = new Set(['message', 'tool_call', 'tool_result', 'completion']);

export function isPrintedLine(fields: JsonObject): boolean {
  // Others have the same kinds of lines, with an identity or a message in them.
  if (sessionOf(fields) === undefined || 'uuid' in fields || asObject(fields.message) !== undefined)
    return false;
  if (fields.type === 'system') return 'reasoning_effort' in fields || fields.subtype === undefined;
  if (fields.type === 'error') return asText(fields.source) !== undefined;
  if (!TYPES.has(fields.type)) return false;
  if (fields.type === 'message') return asText(fields.role) !== undefined;
  if ('call_id' in fields || 'tool' in fields) return false;
  return fields.type === 'completion' || CALL_FIELDS.some((field) => field in fields);
}

const CALL_FIELDS = ['id', 'toolCallId', 'toolId', 'toolName', 'parameters', 'value', 'isError'];

function sessionOf(fields: JsonObject): string | undefined {
  return asText(fields.session_id) ?? asText(fields.sessionId);
}

export function readPrinted(
  state: { session: string | undefined; model: string | undefined },
  fields: JsonObject,
  line: number,
  send: DroidSend,
): string | undefined {
  const session = sessionOf(fields);
  state.model = asText(fields.model) ?? state.model;
  if (session !== state.session || fields.type === 'system') {
    state.session = session;
    const about = { sessionId: session, model: state.model, project: asText(fields.cwd) };
    send({ kind: 'session', agent: 'droid', ...defined(about) });
  }
  const callId = asText(fields.toolCallId) ?? asText(fields.id) ?? `line-${line}`;
  switch (fields.type) {
    case 'message':
      if (fields.role === 'user') sayUser(asText(fields.text) ?? '', send);
      else
        send({
          kind: 'reply',
          text: asText(fields.text) ?? '',
          usageElsewhere: true,
          ...defined({ model: state.model }),
        });
      return undefined;
    case 'tool_call':
      send({
        kind: 'call',
        callId,
        tool: asText(fields.toolName) ?? 'unknown',
        input: fields.parameters ?? null,
      });
      return undefined;
    case 'tool_result':
      send({ kind: 'result', callId, ...outcomeOf(fields) });
      return undefined;
    case 'completion':
      readCompletion(state.model, fields, line, send);
      return undefined;
    case 'error':
      send({ kind: 'end', reason: 'error' });
      return undefined;
    default:
      return undefined;
  }
}

function outcomeOf({ isError, value }: JsonObject): Pick<ResultEvent, 'ok' | 'text'> {
  const result = asObject(value);
  const text = cutText(shown(result?.stdout ?? value) ?? '');
  if (typeof result?.exitCode === 'number') return { ok: result.exitCode === 0, text };
  return isError === undefined ? { text } : { ok: isError !== true, text };
}

function readCompletion(model: string | undefined, fields: JsonObject, line: number, send: DroidSend): void {
  const counts = asObject(fields.usage);
  const usage = counts && {
    input: asCount(counts.input_tokens) ?? 0,
    output: asCount(counts.output_tokens) ?? 0,
    cacheRead: asCount(counts.cache_read_input_tokens) ?? 0,
    cacheWrite: asCount(counts.cache_creation_input_tokens) ?? 0,
  };
  const text = asText(fields.finalText) ?? '';
  send({
    kind: 'reply',
    text,
    messageId: `completion-${line}`,
    usageElsewhere: true,
    usageOfSeveral: true,
    ...defined({ model, usage }),
  });
  send({ kind: 'end', reason: 'normal' });
}
