/** Transcripts of Cursor: messages of the user and the model, in order. A sub-agent has a file of its own. */
import { stemOf } from '../files/name-by-file.ts';
import { asObject, asText, contentText } from '../json/json-fields.ts';
import { anyRecord, type ChatState, callsIn, chatAdapter, childOf, resultBlocks, sendEnd } from './chat.ts';
import { typedText } from './cursor.ts';

type State = ChatState & {
  readonly parent: string | undefined;
  isAnnounced: boolean;
  /** Calls without a result so far: few versions name them. */
  open: string[];
};

const MAX_OPEN = 100;
/** Stands for words that are not written down. */
const REDACTED = '[REDACTED]';

export const cursorTranscriptAdapter = chatAdapter<State>({
  // Nothing but a role and a message: no format has less.
  detect: anyRecord(
    ({ role, type, message }) =>
      (role === 'user' || role === 'assistant') &&
      type === undefined &&
      Array.isArray(asObject(message)?.content),
    'lines',
  ),
  start: ({ path }) => {
    const parent = /[\\/]([^\\/]+)[\\/]subagents[\\/][^\\/]+$/.exec(path)?.[1];
    return { session: stemOf(path), parent, subagent: parent !== undefined, isAnnounced: false, open: [] };
  },
  times: () => [],
  before: ({ state, send }) => {
    if (!state.isAnnounced)
      send({ kind: 'session', agent: 'cursor', sessionId: state.session, ...childOf(state.parent) });
    state.isAnnounced = true;
  },
  message: ({ message }) => asObject(message),
  kind: ({ type, role }) => (type === 'turn_ended' ? 'turn_ended' : (asText(role) ?? asText(type))),
  known: /^(?:text|thinking|reasoning|image|tool[_-](?:use|call|result))$/,
  readers: { turn_ended: ({ record, send }) => sendEnd(send, record.status) },
  said: typedText,
  reply: ({ content }, { record }) => {
    const isRedacted = contentText(content) === REDACTED;
    return { model: asText(record.model), ...(isRedacted && { text: '', textMissing: true }) };
  },
  calls: (message, { line, state }) =>
    callsIn(message).map((call, index) => {
      const id = asText(call.id) ?? `line-${line}/${index}`;
      state.open = [...state.open, id].slice(-MAX_OPEN);
      return { ...call, id };
    }),
  // Results come in the order of the calls.
  results: (message, { state }) =>
    resultBlocks(message).flatMap(({ id: named, ...outcome }) => {
      const id = state.open.find((one) => one === named) ?? state.open[0];
      if (id === undefined) return [];
      state.open = state.open.filter((one) => one !== id);
      return [{ id, ...outcome }];
    }),
});
