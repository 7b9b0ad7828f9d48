/**
 * Conversations that go on in another trace without an id of their own: the first request of the new trace repeats
 * what was said before, with the words and calls by which the earlier trace is known.
 */
import { type BoundedMap, recall, remember } from '../bounded-map.ts';
import { roleOf } from './facts.ts';
import { conversationOfTrace, type Lineage, nameTrace } from './lineage.ts';
import type { Message } from './message-parts.ts';
import { inputMessages, isSaid, outputMessages } from './messages.ts';
import { textKey } from './session.ts';
import type { OtlpSpan } from './span.ts';

/** What was said first and what was answered → the session. */
export type Continued = BoundedMap<string>;

const KEPT = 5_000;
/** Shorter answers ("OK") are given in many conversations. */
const TELLING_CHARS = 12;

export function followTraces(continued: Continued, lineage: Lineage, spans: readonly OtlpSpan[]): void {
  const traces = new Map<string, OtlpSpan[]>();
  for (const span of spans) {
    if (roleOf(span) !== 'chat' || conversationOfTrace(lineage, span.traceId) !== undefined) continue;
    const known = traces.get(span.traceId);
    if (known === undefined) traces.set(span.traceId, [span]);
    else known.push(span);
  }
  const inOrder = [...traces].map(([traceId, chats]) => ({ traceId, chats: chats.sort(byStart) }));
  inOrder.sort((a, b) => byStart(a.chats[0], b.chats[0]));
  for (const { traceId, chats } of inOrder) followTrace(continued, lineage, traceId, chats);
}

function followTrace(
  continued: Continued,
  lineage: Lineage,
  traceId: string,
  chats: readonly OtlpSpan[],
): void {
  const [first] = chats;
  const history = first === undefined ? [] : inputMessages(first);
  const began = history.find(isSaid)?.text;
  if (began === undefined) return;
  const session = earlierSession(continued, began, history);
  if (session !== undefined) nameTrace(lineage, traceId, session);
  for (const chat of chats)
    for (const key of keysOf(began, outputMessages(chat))) remember(continued, key, session ?? traceId, KEPT);
}

function earlierSession(
  continued: Continued,
  began: string,
  history: readonly Message[],
): string | undefined {
  for (const key of keysOf(
    began,
    history.filter(({ role }) => role === 'assistant'),
  ).reverse()) {
    const session = recall(continued, key);
    if (session !== undefined) return session;
  }
  return undefined;
}

function keysOf(began: string, answers: readonly Message[]): string[] {
  return answers.flatMap(({ text, calls }) => [
    ...(text.length >= TELLING_CHARS ? [textKey(`${began}\n${text}`)] : []),
    ...calls.flatMap(({ id }) => (id === undefined ? [] : [textKey(`${began}\n${id}`)])),
  ]);
}

function byStart(a: OtlpSpan | undefined, b: OtlpSpan | undefined): number {
  return (a?.start ?? a?.end ?? 0) - (b?.start ?? b?.end ?? 0);
}
