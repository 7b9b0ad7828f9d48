/** Which conversation a span belongs to, under the many names that applications and frameworks give it. */
import { asId, asObject, parsed } from '../../json/json-fields.ts';
import { type Attributes, firstOf } from './attributes.ts';
import type { OtlpSpan } from './span.ts';

const NAMES = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'gcp.vertex.agent.session_id',
  'mlflow.trace.session',
] as const;

/** `ai.telemetry.metadata.sessionId`, `traceloop.association.properties.session_id`, `mastra.metadata.threadId`, … */
const WORDS = ['session', 'conversation', 'thread', 'chat'] as const;
const GIVEN =
  /(?:^|\.)(?:metadata|properties|context|baggage|attributes|thread|session|conversation)\.|^(?:session|conversation|thread|chat)_?id$/i;
/** Names of a project, a browser's visit or a thread of the operating system. */
const OTHERS = /^(?:langsmith\.trace|browser|http|thread|process)\./;

/** Asked for several times of each span, which may have thousands of attributes. */
const KNOWN = new WeakMap<OtlpSpan, { readonly id: string | undefined }>();

export function conversationOf(span: OtlpSpan): string | undefined {
  const known = KNOWN.get(span) ?? { id: findConversation(span) };
  KNOWN.set(span, known);
  return known.id;
}

function findConversation(span: OtlpSpan): string | undefined {
  return (
    asId(firstOf(span.attributes, ...NAMES)) ??
    givenId(span.attributes) ??
    asId(firstOf(span.resource, ...NAMES))
  );
}

/** What the application added of its own accord. A session goes before a thread. */
function givenId(attributes: Attributes): string | undefined {
  const found = new Map<string, string>();
  for (const [key, value] of attributes) {
    if (key === 'metadata' || key.endsWith('.metadata')) notePlain(found, parsed(value));
    const word = wordOf(key);
    const id = word === undefined || !GIVEN.test(key) || OTHERS.test(key) ? undefined : asId(value);
    if (word !== undefined && id !== undefined && !found.has(word)) found.set(word, id);
  }
  for (const word of WORDS) if (found.has(word)) return found.get(word);
  return undefined;
}

function notePlain(found: Map<string, string>, metadata: unknown): void {
  for (const [key, value] of Object.entries(asObject(metadata) ?? {}).slice(0, 100)) {
    const word = wordOf(key);
    const id = asId(value);
    if (word !== undefined && id !== undefined && !found.has(word)) found.set(word, id);
  }
}

/** `sessionId`, `session_id` and `conversation-id` end in an id of a session and of a conversation. */
function wordOf(key: string): (typeof WORDS)[number] | undefined {
  const last = key.slice(key.lastIndexOf('.') + 1);
  if (last.length > 20 || !/id$/i.test(last)) return undefined;
  const plain = last.toLowerCase().replace(/[_-]/g, '');
  return WORDS.find((word) => plain === `${word}id`);
}
