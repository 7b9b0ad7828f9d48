/** Steps of an agent that are neither a message nor a call of a tool: they count where one of them failed. */
import { hasFailed, roleOf } from './facts.ts';
import type { Failures } from './failures.ts';
import type { OtlpSpan } from './span.ts';

const MAX_HOPS = 100;

/**
 * Spans that count as a call: steps that failed by themselves, and those beside them that did the same and succeeded.
 * What holds a tool's call is counted by it. The outermost span is the run itself.
 */
export function stepsOf({ spans, passedOn }: Failures): ReadonlySet<string> {
  const parents = new Map(spans.map(({ spanId, parentId }) => [spanId, parentId]));
  const inner = spans.filter(
    (span) => isStep(span) && span.parentId !== undefined && parents.has(span.parentId),
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

/** `Step 3` and `Step 4` below the same span are steps of one kind. */
function kindOf(span: OtlpSpan): string {
  return `${span.traceId} ${span.parentId} ${stepName(span)}`;
}

export function stepName({ name }: OtlpSpan): string {
  return name.replace(/[\s#._-]*\d+$/, '').slice(0, 120) || 'step';
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
