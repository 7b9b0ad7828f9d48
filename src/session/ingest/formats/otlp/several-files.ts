/**
 * One conversation in several files: spans in one and what was said in another, batches of one trace, the same spans
 * as JSON and as protobuf.
 */
import { conversationOf } from './conversation-id.ts';
import { readLog } from './log-record.ts';
import { hexId, readSpan } from './span.ts';
import type { Raw } from './waiting.ts';

const TELLING =
  /^(?:gen_ai|llm|openinference|ai|traceloop|langfuse|langsmith|mastra|mlflow|gcp\.vertex|session|input|output)\./;

/** By what files are known to belong together: the traces and conversations of what is said in them. */
export function sharedNames(raw: Raw): string[] {
  if ('log' in raw) {
    const log = readLog(raw, 1);
    return log === undefined ? [] : [traceName(log.traceId)];
  }
  const { span } = raw;
  const stated = span.attributes ?? span.span_attributes;
  const keys = Array.isArray(stated)
    ? stated.map((one) => (one as { key?: unknown } | null)?.key)
    : Object.keys((stated as object | null) ?? {});
  if (!keys.some((key) => typeof key === 'string' && TELLING.test(`${key}.`))) return [];
  const read = readSpan({ ...raw, span: { ...span, events: [] } }, 1);
  const conversation = read === undefined ? undefined : conversationOf(read);
  const trace = read?.traceId ?? hexId(span.traceId);
  return [
    ...(trace === undefined ? [] : [traceName(trace)]),
    ...(conversation === undefined ? [] : [`otlp conversation ${conversation}`]),
  ];
}

function traceName(trace: string): string {
  return `otlp trace ${trace}`;
}
