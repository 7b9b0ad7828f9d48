/** Threads of Amp: one document, messages with their usage and the state they were left in. */
import { asId, asObject, asObjects, asText, type JsonObject, shown } from '../json/json-fields.ts';
import { chatAdapter, documentIs, exited, type Outcome, stopOf, usageApart } from './chat.ts';

export const ampAdapter = chatAdapter({
  detect: documentIs(
    ({ id, messages }) => /^T-[0-9a-f-]{8,}$/i.test(asText(id) ?? '') && Array.isArray(messages),
  ),
  elements: function* ({ messages, ...thread }) {
    yield { ...thread, role: undefined };
    yield* asObjects(messages);
  },
  times: ({ meta, usage, created }) => [asObject(meta)?.sentAt, asObject(usage)?.timestamp, created],
  kind: ({ role, id }) => (role === undefined ? asText(id) && 'thread' : asText(role)),
  readers: {
    thread: ({ state, record, send }) => {
      state.session = asText(record.id);
      const [tree] = asObjects(asObject(asObject(record.env)?.initial)?.trees);
      const project = asText(tree?.uri)?.replace(/^file:\/\//, '');
      send({ kind: 'session', agent: 'amp', sessionId: state.session, project });
    },
  },
  reply: ({ messageId, usage, state }, { line }) => {
    const counts = asObject(usage);
    const { type, stopReason } = asObject(state) ?? {};
    return {
      messageId: asId(messageId) ?? `line-${line}`,
      model: asText(counts?.model),
      usage: usageApart(
        counts?.inputTokens,
        counts?.outputTokens,
        counts?.cacheReadInputTokens,
        counts?.cacheCreationInputTokens,
      ),
      stop: type === 'cancelled' ? 'aborted' : stopOf(stopReason),
    };
  },
  results: ({ content }) =>
    asObjects(content)
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({
        id: block.toolUseID ?? block.tool_use_id,
        ...outcomeOf(asObject(block.run) ?? {}),
      })),
});

/** A failed command still has a result; its exit code shows the failure. */
function outcomeOf(run: JsonObject): Outcome {
  const result = asObject(run.result);
  const text = shown(run.error) ?? shown(result?.output ?? run.result) ?? '';
  switch (run.status) {
    case 'done':
      return { ok: true, ...exited(result?.exitCode), text };
    case 'error':
      return { ok: false, text };
    case 'rejected-by-user':
    // Stopped with everything else.
    case 'cancelled':
      return { denied: true, text };
    default:
      return { running: true, text };
  }
}
