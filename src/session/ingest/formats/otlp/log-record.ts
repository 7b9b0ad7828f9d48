/** Log records that belong to spans: messages are often exported as logs, which only point at the request's span. */
import { asArray, asObject, asText, type JsonObject, parsed } from '../../json/json-fields.ts';
import { attributesOf, plainValue } from './attributes.ts';
import { hexId, type OtlpSpan, type RawLog, type SpanEvent, timeOf, withinTrace } from './span.ts';

export type OtlpLog = {
  readonly line: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly at: number | undefined;
  readonly event: SpanEvent;
  readonly resource: OtlpSpan['resource'];
};

/** Undefined: this holds no log records. */
export function rawLogs(record: unknown): RawLog[] | undefined {
  return Array.isArray(record) ? record.flatMap((one) => logsIn(one) ?? []) : logsIn(record);
}

function logsIn(record: unknown): RawLog[] | undefined {
  const object = asObject(record);
  const groups = object?.resourceLogs ?? object?.resource_logs;
  if (Array.isArray(groups)) return groups.flatMap(groupLogs);
  return object !== undefined && isLog(object) ? [{ log: object, resource: object.resource }] : undefined;
}

function groupLogs(value: unknown): RawLog[] {
  const group = asObject(value);
  const resource = asObject(group?.resource)?.attributes;
  return asArray(group?.scopeLogs ?? group?.scope_logs).flatMap((scope) => {
    const records = asObject(scope)?.logRecords ?? asObject(scope)?.log_records;
    return asArray(records).flatMap((one) => {
      const log = asObject(one);
      return log === undefined ? [] : [{ log, resource }];
    });
  });
}

function isLog(object: JsonObject): boolean {
  return idsOf(object) !== undefined && 'body' in object && 'attributes' in object;
}

/** Undefined for a record without a message, or without a conversation. */
export function readLog({ log, resource }: RawLog, line: number): OtlpLog | undefined {
  const ids = idsOf(log);
  const stated = attributesOf(log.attributes);
  const name = asText(log.eventName ?? log.event_name) ?? asText(stated.get('event.name'));
  if (ids === undefined || name === undefined || !/^gen_ai\.|^exception$/.test(name)) return undefined;
  const body = asObject(parsed(plainValue(log.body)));
  const attributes = new Map([...stated, ...Object.entries(body ?? {})]);
  return {
    line,
    ...ids,
    at: timeOf(log.timeUnixNano ?? log.time_unix_nano ?? log.observedTimeUnixNano ?? log.timestamp),
    event: { name, attributes },
    resource: attributesOf(resource),
  };
}

function idsOf(log: JsonObject): { traceId: string; spanId: string } | undefined {
  const context = asObject(log.spanContext);
  const traceId = hexId(log.traceId ?? log.trace_id ?? context?.traceId);
  const spanId = hexId(log.spanId ?? log.span_id ?? context?.spanId);
  return traceId === undefined || spanId === undefined
    ? undefined
    : { traceId, spanId: withinTrace(spanId, traceId) };
}

/**
 * The spans with the messages of their log records. Records without their span replace it: then the messages are all
 * that is known of the request.
 */
export function withLogs(spans: readonly OtlpSpan[], logs: readonly OtlpLog[]): OtlpSpan[] {
  if (logs.length === 0) return [...spans];
  const bySpan = new Map<string, OtlpLog[]>();
  for (const log of logs) {
    const id = `${log.traceId} ${log.spanId}`;
    const known = bySpan.get(id);
    if (known === undefined) bySpan.set(id, [log]);
    else known.push(log);
  }
  const joined = spans.map((span) => {
    const id = `${span.traceId} ${span.spanId}`;
    const own = bySpan.get(id);
    bySpan.delete(id);
    return own === undefined ? span : { ...span, events: [...span.events, ...inOrder(own)] };
  });
  return [...joined, ...[...bySpan.values()].flatMap(spanOfLogs)];
}

/** Log records have no identity: the same words at the same time in one span are a copy, as exported to another file. */
function inOrder(logs: readonly OtlpLog[]): SpanEvent[] {
  const once = new Map(
    logs.map((log) => [JSON.stringify([log.at, log.event.name, [...log.event.attributes]]), log]),
  );
  return [...once.values()].sort((a, b) => (a.at ?? 0) - (b.at ?? 0)).map(({ event }) => event);
}

function spanOfLogs(logs: readonly OtlpLog[]): OtlpSpan[] {
  const [first] = logs;
  const isRequest = logs.some(({ event }) => event.name.startsWith('gen_ai.'));
  if (first === undefined || !isRequest) return [];
  const times = logs.flatMap(({ at }) => at ?? []).sort((a, b) => a - b);
  const stated = logs.flatMap(({ event }) =>
    [...event.attributes].filter(([key]) => key.startsWith('gen_ai.')),
  );
  return [
    {
      line: first.line,
      traceId: first.traceId,
      spanId: first.spanId,
      parentId: undefined,
      name: 'chat',
      start: times[0],
      end: times.at(-1),
      status: 'unset',
      statusText: '',
      attributes: new Map<string, unknown>([['gen_ai.operation.name', 'chat'], ...stated]),
      resource: first.resource,
      events: inOrder(logs),
    },
  ];
}
