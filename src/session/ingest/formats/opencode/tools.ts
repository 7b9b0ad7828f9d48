/** Calls of tools and what became of them. A command that fails is still `completed`: its exit code tells. */
import type { ResultEvent } from '../../../event.ts';
import { asObject, asText, cutText, firstTime, type JsonObject, shown } from '../../json/json-fields.ts';
import { shownDiff } from '../shown-diff.ts';
import type { Send } from './messages.ts';

export function readTool(part: JsonObject, place: string, send: Send): void {
  const state = asObject(part.state) ?? {};
  const time = asObject(state.time);
  const started = firstTime(time?.start);
  const callId = `${place} ${asText(part.callID) ?? asText(part.id) ?? ''}`;
  const tool = asText(part.tool) ?? 'unknown';
  const child = asText(asObject(state.metadata)?.sessionId) ?? asText(asObject(state.metadata)?.sessionID);
  const isSpawn = tool === 'task';
  send({ kind: 'call', callId, tool, input: state.input ?? null }, started);
  if (isSpawn && child !== undefined) send({ kind: 'spawn', spawnId: callId, sessionId: child }, started);
  const outcome = outcomeOf(state, tool);
  const diff = asText(asObject(state.metadata)?.diff);
  for (const change of shownDiff(callId, diff, asText(asObject(state.input)?.filePath)))
    send(change, firstTime(time?.end) ?? started);
  send({ kind: 'result', callId, ...outcome }, firstTime(time?.end) ?? started);
  if (isSpawn && child !== undefined && outcome.ok !== undefined)
    send({ kind: 'spawn', spawnId: callId, ok: outcome.ok }, firstTime(time?.end) ?? started);
}

type Outcome = Pick<ResultEvent, 'ok' | 'running' | 'denied' | 'byRule' | 'reason' | 'text'>;

const DENIED = /^(?:Error: )?The user rejected permission(?:[^\n]{0,200}?feedback: (?<reason>[\s\S]*))?/;
const FORBIDDEN = /^(?:Error: )?The user has specified a rule which prevents/;
const SHELL = /^(?:bash|shell)$/;

function outcomeOf(state: JsonObject, tool: string): Outcome {
  const metadata = asObject(state.metadata);
  switch (state.status) {
    case 'completed':
    case 'success':
      return { ...succeeded(metadata, tool), text: cutText(shown(state.output) ?? '') };
    case 'error': {
      const text = cutText(shown(state.error) ?? '');
      // Stopped with everything else when the person stopped the agent.
      if (metadata?.interrupted === true || text === 'Tool execution aborted') return { denied: true, text };
      return { ...denialOf(text), text };
    }
    default:
      return { running: true };
  }
}

function denialOf(text: string): Outcome {
  if (FORBIDDEN.test(text)) return { denied: true, byRule: true };
  const denied = DENIED.exec(text);
  if (denied === null) return { ok: false };
  const reason = denied.groups?.reason?.trim();
  return reason === undefined || reason === '' ? { denied: true } : { denied: true, reason };
}

/** `invalid` stands in for a call that could not be made. No exit code: it was stopped, or ran out of time. */
function succeeded(metadata: JsonObject | undefined, tool: string): { ok?: boolean } {
  if (tool === 'invalid') return { ok: false };
  if (metadata !== undefined && 'exit' in metadata) return { ok: metadata.exit === 0 };
  return SHELL.test(tool) ? {} : { ok: true };
}
