/** Spans out of whatever holds them: OTLP JSON, arrays of spans, trees of spans, one span per line. */
import {
  asArray,
  asId,
  asObject,
  asObjects,
  asText,
  asTime,
  type JsonObject,
  parsed,
} from '../../json/json-fields.ts';
import { type Attributes, attributesOf } from './attributes.ts';

export type OtlpSpan = {
  readonly line: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  /** Milliseconds, with fractions: spans follow each other closely. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly status: 'ok' | 'error' | 'unset';
  readonly statusText: string;
  readonly attributes: Attributes;
  readonly resource: Attributes;
  readonly events: readonly SpanEvent[];
};

export type SpanEvent = { readonly name: string; readonly attributes: Attributes };

export type RawSpan = { readonly span: JsonObject; readonly resource: unknown };
export type RawLog = { readonly log: JsonObject; readonly resource: unknown };
export type Raw = RawSpan | RawLog;

/** A tree deeper than this was not made by a tracer. */
const MAX_NESTING = 200;

export function isSpan(record: JsonObject): boolean {
  return spanIds(record) !== undefined && (asText(record.name) ?? asText(record.span_name)) !== undefined;
}

/** Undefined: this holds no spans. */
export function rawSpans(record: unknown): RawSpan[] | undefined {
  return Array.isArray(record) ? record.flatMap((one) => spansIn(one) ?? []) : spansIn(record);
}

function spansIn(record: unknown): RawSpan[] | undefined {
  const object = asObject(record);
  if (object === undefined) return undefined;
  const groups = object.resourceSpans ?? object.resource_spans;
  if (Array.isArray(groups)) return groups.flatMap(groupSpans);
  if (scopesOf(object) !== undefined) return groupSpans(object);
  if (isSpan(object)) return treeSpans(object, undefined);
  return Array.isArray(object.spans) ? object.spans.flatMap((one) => treeSpans(one, undefined)) : undefined;
}

function scopesOf(group: JsonObject): readonly unknown[] | undefined {
  const scopes = group.scopeSpans ?? group.scope_spans ?? group.instrumentationLibrarySpans;
  return Array.isArray(scopes) ? scopes : undefined;
}

function groupSpans(value: unknown): RawSpan[] {
  const group = asObject(value);
  if (group === undefined) return [];
  const resource = asObject(group.resource)?.attributes;
  return (scopesOf(group) ?? []).flatMap((scope) =>
    asArray(asObject(scope)?.spans).flatMap((span) => treeSpans(span, resource)),
  );
}

/** Some exports put children inside their parent. */
function treeSpans(value: unknown, resource: unknown): RawSpan[] {
  const found: RawSpan[] = [];
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const span = asObject(next.value);
    if (span === undefined || !isSpan(span)) continue;
    found.push({
      span,
      resource: resource ?? asObject(span.resource)?.attributes ?? span.resource_attributes,
    });
    if (next.depth >= MAX_NESTING) continue;
    for (const child of [...asArray(span.child_spans)].reverse())
      waiting.push({ value: child, depth: next.depth + 1 });
  }
  return found;
}

function spanIds(span: JsonObject): { traceId: string; spanId: string } | undefined {
  const context = asObject(span.context) ?? asObject(span.spanContext) ?? asObject(span._spanContext);
  const traceId = hexId(span.traceId ?? span.trace_id ?? context?.trace_id ?? context?.traceId);
  const spanId = hexId(span.spanId ?? span.span_id ?? context?.span_id ?? context?.spanId);
  return traceId === undefined || spanId === undefined
    ? undefined
    : { traceId, spanId: withinTrace(spanId, traceId) };
}

/** Ids of spans are theirs within one trace; a conversation may have several. */
export function withinTrace(spanId: string, traceId: string): string {
  return `${spanId} ${traceId}`;
}

export function readSpan({ span, resource }: RawSpan, line: number): OtlpSpan | undefined {
  const ids = spanIds(span);
  if (ids === undefined) return undefined;
  const start = timeOf(
    span.startTimeUnixNano ??
      span.start_time_unix_nano ??
      span.startTime ??
      span.start_time ??
      span.timestamp,
  );
  const end = timeOf(span.endTimeUnixNano ?? span.end_time_unix_nano ?? span.endTime ?? span.end_time);
  const status = asObject(span.status);
  const attributes = attributesOf(span.attributes ?? span.span_attributes);
  const above = asObject(span.parentSpanContext);
  const parent = realParent(span.parentSpanId ?? span.parent_span_id ?? span.parent_id ?? above?.spanId);
  return {
    line,
    ...ids,
    parentId: parent === undefined ? undefined : withinTrace(parent, ids.traceId),
    name: asText(span.name) ?? asText(span.span_name) ?? '',
    start,
    end: end ?? endAfter(start, span.duration),
    status: statusOf(status?.code ?? status?.status_code ?? span.status_code ?? span.status),
    statusText: asText(status?.message) ?? asText(status?.description) ?? asText(span.status_message) ?? '',
    attributes,
    resource: attributesOf(resource),
    events: [...asArray(span.events).flatMap(readSpanEvent), ...eventsInAttribute(attributes)],
  };
}

/** One library writes the messages of a request as a list of events in an attribute. */
function eventsInAttribute(attributes: Attributes): SpanEvent[] {
  return asObjects(parsed(attributes.get('events'))).flatMap((event) => {
    const name = asText(event['event.name']);
    return name === undefined ? [] : [{ name, attributes: attributesOf(event) }];
  });
}

/** Some encoders write the bytes of an id in base 64, as they do with all bytes. */
export function hexId(value: unknown): string | undefined {
  const id = asId(value);
  const isBase64 = id !== undefined && (/^[\w+/]{22}==$/.test(id) || /^[\w+/]{11}=$/.test(id));
  return isBase64 ? Buffer.from(id, 'base64').toString('hex') : id;
}

/** A root's parent is absent, empty or all zeros. */
function realParent(value: unknown): string | undefined {
  const id = hexId(value);
  return id === undefined || /^(?:0x)?0+$/.test(id) ? undefined : id;
}

function readSpanEvent(value: unknown): SpanEvent[] {
  const event = asObject(value);
  const name = asText(event?.name);
  return event === undefined || name === undefined
    ? []
    : [{ name, attributes: attributesOf(event.attributes) }];
}

function statusOf(code: unknown): OtlpSpan['status'] {
  if (code === 2 || code === '2') return 'error';
  if (code === 1 || code === '1') return 'ok';
  const word = typeof code === 'string' ? code.toUpperCase() : '';
  if (word.endsWith('ERROR')) return 'error';
  return word === 'OK' || word.endsWith('_OK') || word.endsWith('.OK') ? 'ok' : 'unset';
}

/** Nanoseconds, microseconds, milliseconds or seconds, distinguished by size; `[seconds, nanoseconds]`; or a date. */
export function timeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) {
    const [seconds, nanoseconds] = value;
    return typeof seconds === 'number' && typeof nanoseconds === 'number'
      ? asTime(seconds * 1e3 + nanoseconds / 1e6)
      : undefined;
  }
  const number = typeof value === 'string' && /^\d{9,20}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return asTime(number);
  if (number >= 1e17) return asTime(number / 1e6);
  if (number >= 1e14) return asTime(number / 1e3);
  return asTime(number >= 1e11 ? number : number * 1e3);
}

/** `PT1.5S`, the duration of a span in one export. */
function endAfter(start: number | undefined, duration: unknown): number | undefined {
  if (start === undefined || typeof duration !== 'string' || duration.length > 40) return undefined;
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(duration) ?? [];
  return start + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e3;
}
