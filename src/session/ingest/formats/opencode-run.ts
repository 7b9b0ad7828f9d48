/**
 * Lines that `opencode run --format json` prints: finished parts, each under its session. There is no header, prompt or
 * model in them, and sessions of sub-agents are not printed.
 */
import { asObject, asText, firstTime, type JsonObject } from '../json/json-fields.ts';
import { anyRecord, type ChatState, chatAdapter, type Line, stopOf } from './chat.ts';
import { readTool, stepCost, stepUsage, stopOfError } from './opencode/messages.ts';

type State = ChatState & {
  /** How many steps have begun. */
  steps: number;
};

export const opencodeRunAdapter = chatAdapter<State>({
  detect: anyRecord(isPrintedLine),
  start: () => ({ steps: 0 }),
  kind: (record) => (isPrintedLine(record) ? asText(record.type) : '(no part)'),
  before: ({ state, record, send }) => {
    const session = asText(record.sessionID);
    if (!isPrintedLine(record) || session === state.session) return;
    state.session = session;
    send({ kind: 'session', agent: 'opencode', sessionId: session });
  },
  ignored: 'reasoning',
  readers: {
    step_start: ({ state }) => {
      state.steps += 1;
    },
    text: (line) => {
      const { part, messageId } = partOf(line);
      line.send({ kind: 'reply', messageId, text: asText(part.text) ?? '' });
    },
    tool_use: (line) => {
      const { part, messageId } = partOf(line);
      readTool(part, messageId, line.send);
    },
    step_finish: (line) => {
      const { part, messageId } = partOf(line);
      const usage = stepUsage(part.tokens, firstTime(line.record.timestamp));
      const costUsd = stepCost(part.cost, usage);
      line.send({ kind: 'reply', messageId, text: '', usage, stop: stopOf(part.reason), costUsd });
    },
    error: ({ record, send }) => {
      const stop = stopOfError(record.error) ?? 'error';
      send({ kind: 'reply', text: '', stop });
      if (stop === 'aborted') send({ kind: 'interrupt' });
    },
  },
});

function isPrintedLine({ type, sessionID, part, error }: JsonObject): boolean {
  if (asText(type) === undefined || asText(sessionID) === undefined) return false;
  return asObject(part) === undefined
    ? type === 'error' && asText(asObject(error)?.name) !== undefined
    : asText(asObject(part)?.messageID) !== undefined;
}

function partOf({ state, record }: Line<State>): { part: JsonObject; messageId: string } {
  const part = asObject(record.part) ?? {};
  return { part, messageId: `${asText(part.messageID) ?? ''}/${state.steps}` };
}
