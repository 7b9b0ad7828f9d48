/** Sessions of the Grok CLI: a line per message, thought, call or result. There are no times and no tokens in them. */
import { basename, dirname, join } from 'node:path';
import { readJson } from '../files/read-json.ts';
import { asObject, asText, asTime, contentText } from '../json/json-fields.ts';
import { anyRecord, chatAdapter, sendCall, sendResult, sidecarBefore } from './chat.ts';

export const grokAdapter = chatAdapter({
  detect: anyRecord(({ type, model_id, tool_calls, kind, content, prompt_index }) => {
    if (type === 'assistant') return asText(model_id) !== undefined && Array.isArray(tool_calls);
    if (type === 'backend_tool_call') return asObject(kind) !== undefined;
    return type === 'user' && Array.isArray(content) && typeof prompt_index === 'number';
  }, 'lines'),
  times: () => [],
  kind: ({ type }) => asText(type),
  ignored: 'reasoning',
  said: (text, { record, send }) => {
    // Recorded by the message after it.
    if (asText(record.prior_turn_interrupt) !== undefined) send({ kind: 'interrupt' });
    return { text, origin: asText(record.synthetic_reason) === undefined ? 'user' : 'runtime' };
  },
  reply: ({ model_id }) => ({ model: asText(model_id) }),
  // Results have no mark: the text decides.
  readers: {
    tool_result: ({ record, send }) =>
      sendResult(send, record.tool_call_id, { text: contentText(record.content) }),
    // Made on the model's server, with its result.
    backend_tool_call: ({ record, line, send }) => {
      const { id, tool_type, action, status } = asObject(record.kind) ?? {};
      const callId = asText(id) ?? `line-${line}`;
      sendCall(send, callId, tool_type, action);
      if (status === 'completed' || status === 'failed')
        sendResult(send, callId, { ok: status === 'completed' });
    },
  },
  sidecar: (path) => {
    const folder = dirname(path);
    const about = asObject(readJson(join(folder, 'summary.json'))) ?? {};
    const info = asObject(about.info);
    return sidecarBefore(
      {
        kind: 'session',
        agent: 'grok',
        sessionId: asText(info?.id) ?? asText(basename(folder)),
        parentSessionId: asText(about.parent_session_id),
        trigger: about.session_kind === 'subagent' ? 'subagent' : undefined,
        project: asText(info?.cwd),
        model: asText(about.current_model_id),
      },
      asTime(about.created_at),
    );
  },
});
