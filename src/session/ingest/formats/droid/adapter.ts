/**
 * Sessions of Droid, stored or printed. A stored one has messages in the words of the Anthropic API, and its tokens in its
 * settings: thinking apart from the output, the cache apart from the input.
 */
import type { Event, Usage } from '../../../event.ts';
import { jsonBeside } from '../../files/json-beside.ts';
import {
  asCount,
  asObject,
  asObjects,
  asText,
  asTime,
  contentText,
  cutText,
  defined,
  isZero,
  type JsonObject,
} from '../../json/json-fields.ts';
import type { Adapter, Emit, Sample, Sidecar } from '../format.ts';
import { placeEvent } from '../place-event.ts';
import { isPrintedLine, readPrinted } from './printed.ts';
import { type DroidSend, sayUser } from './say-user.ts';

type State = { session: string | undefined; model: string | undefined };

function step(state: State, record: unknown, line: number, emit: Emit): string | undefined {
  const fields = asObject(record);
  const type = asText(fields?.type);
  if (fields === undefined || type === undefined) return '(no type)';
  const send: DroidSend = (event) => emit(placeEvent(event, { line, at: asTime(fields.timestamp) }));
  if (isPrintedLine(fields)) return readPrinted(state, fields, line, send);
  switch (type) {
    case 'session_start': {
      const project = asText(fields.cwd);
      send({ kind: 'session', agent: 'droid', ...defined({ sessionId: asText(fields.id), project }) });
      return undefined;
    }
    case 'message':
      return readMessage(asObject(fields.message) ?? {}, line, send);
    case 'compaction_state':
      send({ kind: 'compaction' });
      return undefined;
    case 'todo_state':
    case 'session_end':
      return undefined;
    default:
      return type;
  }
}

function readMessage(message: JsonObject, line: number, send: DroidSend): string | undefined {
  const blocks = asObjects(message.content);
  const text = contentText(message.content);
  if (message.role === 'user') {
    for (const block of blocks) if (block.type === 'tool_result') readResult(block, send);
    sayUser(text, send);
  } else if (message.role === 'assistant') {
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    const stop = calls.length > 0 ? ('tool' as const) : undefined;
    send({ kind: 'reply', text, usageElsewhere: true, ...defined({ model: asText(message.model), stop }) });
    calls.forEach((call, index) => {
      const callId = asText(call.id) ?? `line-${line}/${index}`;
      send({ kind: 'call', callId, tool: asText(call.name) ?? 'unknown', input: call.input ?? null });
    });
  } else return asText(message.role) ?? '(no role)';
  return undefined;
}

const EXIT_CODE = /\(exit code: (-?\d+)\)/;
const DENIED =
  /^(?:Error: )?(?:The user (?:rejected|denied|cancelled)|User (?:rejected|denied|cancelled)|Tool execution (?:rejected|denied))/i;

function readResult(block: JsonObject, send: DroidSend): void {
  const callId = asText(block.tool_use_id);
  if (callId === undefined) return;
  const text = contentText(block.content);
  const code = EXIT_CODE.exec(text.slice(0, 300))?.[1];
  const failed = block.is_error === true || (code !== undefined && Number(code) !== 0);
  const outcome = DENIED.test(text) ? { denied: true } : failed ? { ok: false } : {};
  send({ kind: 'result', callId, ...outcome, text: cutText(text) });
}

function sidecar(path: string): Sidecar {
  const settings = path.endsWith('.jsonl') ? path.replace(/\.jsonl$/, '.settings.json') : undefined;
  const about = settings === undefined ? undefined : asObject(jsonBeside(settings));
  if (about === undefined) return { before: [], between: [], after: [] };
  const usage = usageOf(asObject(about.tokenUsage) ?? {});
  // Models of one's own carry a mark and the name of their provider.
  const model = asText(about.model)
    ?.replace(/^custom:/, '')
    .replace(/-?\[[^\]]{0,200}\]$/, '');
  const event = {
    kind: 'session',
    line: 1,
    ...defined({ model, provider: asText(about.providerLock), usage }),
  } satisfies Event;
  return { before: [event], between: [], after: [] };
}

function usageOf(tokens: JsonObject): Usage | undefined {
  const usage = {
    input: asCount(tokens.inputTokens) ?? 0,
    output: (asCount(tokens.outputTokens) ?? 0) + (asCount(tokens.thinkingTokens) ?? 0),
    cacheRead: asCount(tokens.cacheReadTokens) ?? 0,
    cacheWrite: asCount(tokens.cacheCreationTokens) ?? 0,
  };
  return isZero(usage) ? undefined : usage;
}

function detect({ records, document }: Sample): boolean {
  if (document) return false;
  return records.some((record) => {
    const fields = asObject(record) ?? {};
    if (fields.type === 'session_start')
      return asText(fields.id) !== undefined && ('owner' in fields || 'sessionTitle' in fields);
    return isPrintedLine(fields);
  });
}

export const droidAdapter: Adapter<State> = {
  detect,
  start: () => ({ session: undefined, model: undefined }),
  step,
  sidecar,
};
