/**
 * Lines that `opencode run --format json` prints: finished parts, each under its session. There is no header, prompt or
 * model in them, and sessions of sub-agents are not printed.
 */
import type { UnplacedEvent } from '../../../event.ts';
import { asObject, asText, defined, firstTime, type JsonObject, sampled } from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { type Send, stopOfError, stopOfReason } from '../opencode/messages.ts';
import { readTool } from '../opencode/tools.ts';
import { costOf, usageOf } from '../opencode/usage.ts';
import { placeEvent } from '../place-event.ts';

type State = {
  session: string | undefined;
  /** How many steps have begun. */
  steps: number;
};

function isStreamLine(fields: JsonObject): boolean {
  if (asText(fields.type) === undefined || asText(fields.sessionID) === undefined) return false;
  const part = asObject(fields.part);
  return part === undefined
    ? fields.type === 'error' && asText(asObject(fields.error)?.name) !== undefined
    : asText(part.messageID) !== undefined;
}

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  if (fields === undefined || !isStreamLine(fields)) return asText(fields?.type) ?? '(no part)';
  const session = asText(fields.sessionID);
  const at = firstTime(fields.timestamp);
  const send = (event: UnplacedEvent, when = at): void =>
    emit(placeEvent(event, { line, at: when }), session);
  if (session !== state.session) {
    state.session = session;
    send({ kind: 'session', agent: 'opencode', ...defined({ sessionId: session }) });
  }
  return readPart(state, fields, at, send);
}

function readPart(state: State, fields: JsonObject, at: number | undefined, send: Send): string | undefined {
  const part = asObject(fields.part) ?? {};
  if (fields.type === 'step_start') state.steps += 1;
  const messageId = `${asText(part.messageID) ?? ''}/${state.steps}`;
  switch (fields.type) {
    case 'step_start':
    case 'reasoning':
      return undefined;
    case 'text':
      send({ kind: 'reply', messageId, text: asText(part.text) ?? '' });
      return undefined;
    case 'tool_use':
      readTool(part, messageId, send);
      return undefined;
    case 'step_finish': {
      const usage = usageOf(part.tokens, at);
      const stop = stopOfReason(part.reason);
      send({
        kind: 'reply',
        messageId,
        text: '',
        ...defined({ usage, stop, costUsd: costOf(part.cost, usage) }),
      });
      return undefined;
    }
    case 'error': {
      const stop = stopOfError(fields.error) ?? 'error';
      send({ kind: 'reply', text: '', stop });
      if (stop === 'aborted') send({ kind: 'interrupt' });
      return undefined;
    }
    default:
      return asText(fields.type);
  }
}

function detect({ records, document }: Sample): boolean {
  return sampled(records, document).some(isStreamLine);
}

function* elements(document: unknown): Iterable<unknown> {
  if (Array.isArray(document)) yield* document;
  else yield document;
}

export const opencodeRunAdapter: Adapter<State> = {
  detect,
  start: () => ({ session: undefined, steps: 0 }),
  step,
  elements,
};
