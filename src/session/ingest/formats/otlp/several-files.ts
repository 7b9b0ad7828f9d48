/**
 * One conversation in several files: spans in one and what was said in another, batches of one trace, the same spans
 * as JSON and as protobuf.
 */
import { type Gathered, type JointItem, MAX_WEIGHT, type ReadTogether } from '../joint-reading.ts';
import { conversationOf } from './conversation-id.ts';
import { type RawLog, readLog } from './log-record.ts';
import { hexId, readSpan } from './span.ts';
import { placeOf, type Raw, weightOf } from './waiting.ts';

type RawOf = (
  record: unknown,
  line: number,
  before: number,
) => readonly (readonly [number, Raw])[] | undefined;

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

export function joinableSpans(
  rawOf: RawOf,
  rest: Pick<ReadTogether<Raw>, 'feed' | 'flush'>,
): ReadTogether<Raw> {
  const itemOf = ([line, raw]: readonly [number, Raw]): JointItem<Raw> => {
    const { trace, end } = placeOf([line, raw]);
    // What is nested too deeply is left out by whoever reads it.
    const weight = Math.min(weightOf(raw, 0), MAX_WEIGHT);
    const at = end === 0 ? undefined : end;
    return {
      line,
      value: raw,
      keys: sharedNames(raw),
      with: traceName(trace),
      at,
      weight,
      leads: 'span' in raw,
    };
  };
  return {
    ...rest,
    itemsOf: (record, line, before) => (rawOf(record, line, before) ?? []).map(itemOf),
    elsewhere,
  };
}

/** Log records have no identity: those of a span are all in one file, or copies. */
function elsewhere(own: Gathered<Raw>, others: readonly Gathered<Raw>[]): Gathered<Raw> {
  const told = new Set(logged(own));
  return others.flatMap((raw) => {
    const left = raw.filter(([, one]) => !('log' in one) || !told.has(spanOfLog(one)));
    for (const id of logged(left)) told.add(id);
    return left;
  });
}

function logged(raw: Gathered<Raw>): string[] {
  return raw.flatMap(([, one]) => ('log' in one ? [spanOfLog(one)] : []));
}

function spanOfLog(raw: RawLog): string {
  const log = readLog(raw, 1);
  return `${log?.traceId} ${log?.spanId}`;
}
