/** Steps of an agent that are neither a message nor a call of a tool: they count where one of them failed. */

import { cutText } from '../../json/json-fields.ts';
import { agentOf, endOf, hasFailed, roleOf } from './facts.ts';
import type { Failures } from './failures.ts';
import { callerOf, isCalledByTool, type Lineage } from './lineage.ts';
import type { MomentContext } from './moment-context.ts';
import type { OtlpSpan } from './span.ts';

const MAX_HOPS = 100;

/**
 * Spans that count as a call: steps that failed by themselves, and those beside them that did the same and succeeded.
 * What holds a tool's call is counted by it. The outermost span is the run itself.
 */
export function stepsOf({ spans, passedOn }: Failures, lineage: Lineage): ReadonlySet<string> {
  const parents = new Map(spans.map(({ spanId, parentId }) => [spanId, parentId]));
  const several = holdersOfAgents(spans);
  const inner = spans.filter(
    (span) =>
      span.parentId !== undefined &&
      parents.has(span.parentId) &&
      (isStep(span) || (roleOf(span) === 'agent' && isAgentStep(span, several, lineage))),
  );
  const failed = inner.filter((span) => hasFailed(span) && !passedOn.has(span.spanId));
  if (failed.length === 0) return new Set();
  const kinds = new Set(failed.map(kindOf));
  const busy = aboveCalls(spans, parents);
  const beside = inner.filter(
    (span) => !hasFailed(span) && kinds.has(kindOf(span)) && !busy.has(span.spanId),
  );
  return new Set([...failed, ...beside].map(({ spanId }) => spanId));
}

/** What only wraps a request to a model fails with it, and that is no call. */
function isStep(span: OtlpSpan): boolean {
  const operation = span.attributes.get('gen_ai.operation.name');
  return roleOf(span) === 'other' && !(typeof operation === 'string' && /^model_/.test(operation));
}

/**
 * An agent is a step of the one that called it, or one of several in a row; alone it is the run. Who was stopped has
 * not failed.
 */
function isAgentStep(span: OtlpSpan, several: ReadonlySet<string>, lineage: Lineage): boolean {
  if (endOf(span) === 'aborted' || isCalledByTool(lineage, span)) return false;
  return several.has(span.parentId ?? '') || callerOf(lineage, span.parentId, agentOf(span)) !== undefined;
}

/** Agents and chains right below which there is more than one agent. */
function holdersOfAgents(spans: readonly OtlpSpan[]): ReadonlySet<string> {
  const agents = new Map<string, number>();
  for (const span of spans)
    if (span.parentId !== undefined && roleOf(span) === 'agent')
      agents.set(span.parentId, (agents.get(span.parentId) ?? 0) + 1);
  const holders = spans.filter((span) => {
    const role = roleOf(span);
    return (role === 'agent' || role === 'other') && (agents.get(span.spanId) ?? 0) > 1;
  });
  return new Set(holders.map(({ spanId }) => spanId));
}

/** `Step 3` and `Step 4` below the same span are steps of one kind. */
function kindOf(span: OtlpSpan): string {
  return `${span.traceId} ${span.parentId} ${stepName(span)}`;
}

/** Tells a step as a call with its result, where it counts as one. */
export function tellStep({ span, steps, tell }: MomentContext, session?: string): void {
  if (!steps.has(span.spanId)) return;
  const tool = stepName(span);
  // Each is a call of its own, and all of them work on the same.
  tell({ kind: 'call', callId: span.spanId, tool, input: { id: tool, step: span.spanId } }, session);
  const ok = !hasFailed(span);
  tell({ kind: 'result', callId: span.spanId, ok, text: cutText(span.statusText) }, session);
}

function stepName({ name }: OtlpSpan): string {
  return name.replace(/(?<![\s#._-])[\s#._-]*(?<!\d)\d+$/, '').slice(0, 120) || 'step';
}

function aboveCalls(
  spans: readonly OtlpSpan[],
  parents: ReadonlyMap<string, string | undefined>,
): ReadonlySet<string> {
  const above = new Set<string>();
  for (const span of spans) {
    if (roleOf(span) !== 'tool' && !hasFailed(span)) continue;
    let id = span.parentId;
    for (let hop = 0; id !== undefined && !above.has(id) && hop < MAX_HOPS; hop += 1) {
      above.add(id);
      id = parents.get(id);
    }
  }
  return above;
}
