/** What the spans of a batch are to each other: who only wraps another agent, and who was given the person's task. */
import { conversationOf } from './conversation-id.ts';
import { agentOf, isGiven, messageIdOf, roleOf, toolFacts } from './facts.ts';
import { agentAbove, askedAbove, callerOf, type Lineage, learn, makeRoom, note } from './lineage.ts';
import { requestOf } from './messages.ts';
import { textKey } from './session.ts';
import type { OtlpSpan } from './span.ts';

export function learnSpans(lineage: Lineage, spans: readonly OtlpSpan[]): void {
  makeRoom(lineage, spans.length);
  for (const span of spans) {
    const role = roleOf(span);
    const agent = role === 'agent' ? agentOf(span) : undefined;
    learn(lineage, span, {
      ...(role === undefined ? {} : { role }),
      ...(agent === undefined ? {} : { agent }),
      ...(role === 'tool' ? { tool: toolFacts(span).tool } : {}),
      ...(role === 'chat' ? { message: messageIdOf(span) } : {}),
    });
  }
  noteSilent(lineage, spans);
  noteAsked(lineage, spans);
}

/** An agent that neither asks a model nor calls a tool sets others going; where that is one, both are the same agent. */
function noteSilent(lineage: Lineage, spans: readonly OtlpSpan[]): void {
  const works = new Set<string>();
  const below = new Map<string, Set<string>>();
  for (const span of spans) {
    const role = roleOf(span);
    const above = role === undefined || role === 'other' ? undefined : agentAbove(lineage, span.parentId);
    if (above === undefined) continue;
    const conversation = conversationOf(span);
    if (role !== 'agent') works.add(above);
    else entryOf(below, above).add(`${agentOf(span) ?? span.spanId} ${conversation ?? ''}`);
  }
  for (const span of spans) {
    const agents = below.get(span.spanId);
    if (agents === undefined || works.has(span.spanId)) continue;
    const own = conversationOf(span) ?? '';
    const isOne =
      agents.size === 1 && [...agents].every((one) => one.endsWith(` ${own}`) || one.endsWith(' '));
    note(lineage, span.spanId, { silent: isOne ? 'alone' : 'several' });
  }
}

function entryOf(map: Map<string, Set<string>>, key: string): Set<string> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Set<string>();
  map.set(key, made);
  return made;
}

/** The outermost span that was given something was given it by the person; an agent by its caller. */
function noteAsked(lineage: Lineage, spans: readonly OtlpSpan[]): void {
  const runs = spans
    .filter(isGiven)
    .sort((a, b) => (a.start ?? 0) - (b.start ?? 0) || (b.end ?? 0) - (a.end ?? 0));
  for (const span of runs) {
    const isCalled =
      roleOf(span) === 'agent' && callerOf(lineage, span.parentId, agentOf(span)) !== undefined;
    if (!isCalled && askedAbove(lineage, span.parentId) !== undefined) continue;
    const { texts } = requestOf(span);
    if (texts.length > 0) note(lineage, span.spanId, { asked: texts.map(textKey) });
  }
}
