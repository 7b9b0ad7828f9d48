/**
 * Sessions of Droid, stored or printed by `droid exec --output-format stream-json`. A stored one has messages in the words of the
 * Anthropic API, and its tokens in its settings: thinking apart from the output, the cache apart from the input. Versions that print
 * name the session and the calls in two ways.
 */
import { readJson } from '../files/read-json.ts';
import { asCount, asObject, asText, type JsonObject, shown } from '../json/json-fields.ts';
import {
  anyRecord,
  chatAdapter,
  exited,
  type Line,
  type Outcome,
  resultBlocks,
  type Said,
  sendCall,
  sendResult,
  sendUser,
  sidecarBefore,
  unlessZero,
  usageApart,
} from './chat.ts';
import { withoutTagged } from './tags.ts';

export const droidAdapter = chatAdapter({
  detect: anyRecord(
    (record) =>
      isPrinted(record) ||
      (record.type === 'session_start' &&
        asText(record.id) !== undefined &&
        ('owner' in record || 'sessionTitle' in record)),
    'lines',
  ),
  // What is printed names its session once, and again when it is another one.
  sessionOf: () => undefined,
  before: ({ state, record, send }) => {
    if (!isPrinted(record)) return;
    const session = sessionOf(record);
    state.model = asText(record.model) ?? state.model;
    if (session === state.session && record.type !== 'system') return;
    state.session = session;
    send({
      kind: 'session',
      agent: 'droid',
      sessionId: session,
      model: state.model,
      project: asText(record.cwd),
    });
  },
  kind: (record) => {
    if (isPrinted(record)) return `printed ${asText(record.type)}`;
    return record.type === 'message' ? asText(asObject(record.message)?.role) : asText(record.type);
  },
  message: ({ message }) => asObject(message),
  ignored: 'todo_state session_end',
  said: typed,
  reply: ({ model }) => ({ model: asText(model), usageElsewhere: true }),
  results: (message) =>
    resultBlocks(message).map(({ text = '', ok, ...rest }) => {
      const code = /\(exit code: (-?\d+)\)/.exec(text.slice(0, 300))?.[1];
      const failed = ok === false || (code !== undefined && Number(code) !== 0);
      return { ...rest, text, ...(DENIED.test(text) ? { denied: true } : failed ? { ok: false } : {}) };
    }),
  readers: {
    session_start: ({ record, send }) =>
      send({ kind: 'session', agent: 'droid', sessionId: asText(record.id), project: asText(record.cwd) }),
    compaction_state: ({ send }) => send({ kind: 'compaction' }),
    'printed system': () => undefined,
    'printed message': ({ state, record, send }) => {
      const text = asText(record.text) ?? '';
      if (record.role === 'user') sendUser(send, typed(text).text, typed(text).origin);
      else send({ kind: 'reply', text, usageElsewhere: true, model: state.model });
    },
    'printed tool_call': ({ record, line, send }) =>
      sendCall(send, callIdOf(record, line), record.toolName, record.parameters),
    'printed tool_result': ({ record, line, send }) =>
      sendResult(send, callIdOf(record, line), outcomeOf(record)),
    'printed completion': readCompletion,
    'printed error': ({ send }) => send({ kind: 'end', reason: 'error' }),
  },
  sidecar: (path) => {
    const settings = path.endsWith('.jsonl') ? path.replace(/\.jsonl$/, '.settings.json') : undefined;
    const about = settings === undefined ? undefined : asObject(readJson(settings));
    if (about === undefined) return { before: [], between: [], after: [] };
    const tokens = asObject(about.tokenUsage) ?? {};
    const output = (asCount(tokens.outputTokens) ?? 0) + (asCount(tokens.thinkingTokens) ?? 0);
    const usage = usageApart(tokens.inputTokens, output, tokens.cacheReadTokens, tokens.cacheCreationTokens);
    // Models of one's own carry a mark and the name of their provider.
    const model = asText(about.model)
      ?.replace(/^custom:/, '')
      .replace(/-?\[[^\]]{0,200}\]$/, '');
    return sidecarBefore({
      kind: 'session',
      model,
      provider: asText(about.providerLock),
      usage: unlessZero(usage),
    });
  },
});

const DENIED =
  /^(?:Error: )?(?:The user (?:rejected|denied|cancelled)|User (?:rejected|denied|cancelled)|Tool execution (?:rejected|denied))/i;

/** The program puts reminders before the user's text. */
function typed(text: string): Said {
  const own = withoutTagged(text, 'system-reminder').trim();
  return own === '' ? { text, origin: 'runtime' } : { text: own, origin: 'user' };
}

const PRINTED: ReadonlySet<unknown> = new Set(['message', 'tool_call', 'tool_result', 'completion']);
const CALL_FIELDS = ['id', 'toolCallId', 'toolId', 'toolName', 'parameters', 'value', 'isError'];

/** Others have the same kinds of lines, with an identity or a message in them. */
function isPrinted(fields: JsonObject): boolean {
  if (sessionOf(fields) === undefined || 'uuid' in fields || asObject(fields.message) !== undefined)
    return false;
  if (fields.type === 'system') return 'reasoning_effort' in fields || fields.subtype === undefined;
  if (fields.type === 'error') return asText(fields.source) !== undefined;
  if (!PRINTED.has(fields.type)) return false;
  if (fields.type === 'message') return asText(fields.role) !== undefined;
  if ('call_id' in fields || 'tool' in fields) return false;
  return fields.type === 'completion' || CALL_FIELDS.some((field) => field in fields);
}

function sessionOf({ session_id, sessionId }: JsonObject): string | undefined {
  return asText(session_id) ?? asText(sessionId);
}

function callIdOf({ toolCallId, id }: JsonObject, line: number): string {
  return asText(toolCallId) ?? asText(id) ?? `line-${line}`;
}

function outcomeOf({ isError, value }: JsonObject): Outcome {
  const result = asObject(value);
  const marked = isError === undefined ? {} : { ok: isError !== true };
  return { ...marked, ...exited(result?.exitCode), text: shown(result?.stdout ?? value) ?? '' };
}

function readCompletion({ state, record, line, send }: Line): void {
  const counts = asObject(record.usage);
  const usage =
    counts &&
    usageApart(
      asCount(counts.input_tokens) ?? 0,
      counts.output_tokens,
      counts.cache_read_input_tokens,
      counts.cache_creation_input_tokens,
    );
  send({
    kind: 'reply',
    text: asText(record.finalText) ?? '',
    messageId: `completion-${line}`,
    usageElsewhere: true,
    usageOfSeveral: true,
    model: state.model,
    usage,
  });
  send({ kind: 'end', reason: 'normal' });
}
