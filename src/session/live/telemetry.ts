/** What agents and programs send over OTLP: which conversation each span and log record is of. */
import { attributesOf } from '../ingest/formats/otlp/attributes.ts';
import { conversationOf } from '../ingest/formats/otlp/facts.ts';
import { rawLogs, readLog } from '../ingest/formats/otlp/log-record.ts';
import { loggedEvents } from '../ingest/formats/otlp/logged-event.ts';
import { decodeRequest } from '../ingest/formats/otlp/protobuf.ts';
import { type OtlpSpan, type RawLog, type RawSpan, rawSpans, readSpan } from '../ingest/formats/otlp/span.ts';
import { asObject, asText } from '../ingest/json/json-fields.ts';
import { hasTooManyParts, isNestedDeeper } from '../ingest/json/scan-json.ts';

export type TelemetryKind = 'traces' | 'logs';

/** Of JSON; no exporter comes near. */
const MAX_DEPTH = 100;

/** Undefined: it is none. */
export function decodeTelemetry(bytes: Buffer, kind: TelemetryKind, encoding: 'protobuf' | 'json'): unknown {
  if (encoding === 'protobuf') return decodeRequest(bytes, kind === 'traces' ? 'spans' : 'logs');
  if (hasTooManyParts(bytes) || isNestedDeeper(bytes, MAX_DEPTH)) return undefined;
  try {
    const value = asObject(JSON.parse(bytes.toString('utf8')));
    const groups = kind === 'traces' ? value?.resourceSpans : value?.resourceLogs;
    return value !== undefined && (groups === undefined || Array.isArray(groups)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One span or log record, as a line of a file that any collector could have written. */
export type TelemetryRecord = {
  readonly line: string;
  readonly trace?: string;
  readonly conversation?: string;
  /** The program that sent it. */
  readonly service: string;
  /** `agent`: an agent logged it of itself. Those are read as a transcript of their own. */
  readonly kind: 'span' | 'log' | 'agent';
};

/** `rejected`: records without an identity; `skipped`: records without a conversation. */
export type TelemetryRecords = {
  readonly records: readonly TelemetryRecord[];
  readonly rejected: number;
  readonly skipped: number;
  /** Spans that are requests of a service in production: no part of any session. */
  readonly requests: readonly OtlpSpan[];
};

/** What their attributes begin with. */
const REQUEST = 'assay.decomposition.';

export function telemetryRecords(document: unknown, kind: TelemetryKind): TelemetryRecords {
  return kind === 'traces' ? spanRecords(document) : logRecords(document);
}

function spanRecords(document: unknown): TelemetryRecords {
  const records: TelemetryRecord[] = [];
  const requests: OtlpSpan[] = [];
  const all = countOf(document, 'resourceSpans', 'scopeSpans', 'spans');
  const serviceOf = servicesOf();
  for (const raw of rawSpans(document) ?? []) {
    const span = readSpan(raw, 1);
    if (span === undefined) continue;
    if (span.attributes.keys().some((key) => key.startsWith(REQUEST))) {
      requests.push(span);
      continue;
    }
    const { traceId: trace } = span;
    const conversation = conversationOf(span);
    const line = lineOfSpan(raw);
    records.push({
      line,
      trace,
      ...(conversation === undefined ? {} : { conversation }),
      service: serviceOf(raw.resource),
      kind: 'span',
    });
  }
  const rejected = Math.max(0, all - records.length - requests.length);
  return { records, rejected, skipped: 0, requests };
}

function logRecords(document: unknown): TelemetryRecords {
  const records: TelemetryRecord[] = [];
  let skipped = 0;
  const serviceOf = servicesOf();
  for (const raw of rawLogs(document) ?? []) {
    const line = lineOfLog(raw);
    const [event] = loggedEvents(JSON.parse(line)) ?? [];
    const log = event === undefined ? readLog(raw, 1) : undefined;
    const common = { line, service: serviceOf(raw.resource) };
    if (event !== undefined)
      records.push({ ...common, kind: 'agent', conversation: `${event.agent} ${event.session}` });
    else if (log !== undefined) records.push({ ...common, kind: 'log', trace: log.traceId });
    else skipped += 1;
  }
  return { records, rejected: 0, skipped, requests: [] };
}

/** How many there are, those without an identity among them. */
function countOf(document: unknown, groups: string, scopes: string, records: string): number {
  let count = 0;
  for (const group of listIn(document, groups))
    for (const scope of listIn(group, scopes)) count += listIn(scope, records).length;
  return count;
}

function listIn(value: unknown, key: string): readonly unknown[] {
  const list = asObject(value)?.[key];
  return Array.isArray(list) ? list : [];
}

function lineOfSpan({ span, resource }: RawSpan): string {
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: resource ?? [] }, scopeSpans: [{ spans: [span] }] }],
  });
}

function lineOfLog({ log, resource }: RawLog): string {
  return JSON.stringify({
    resourceLogs: [{ resource: { attributes: resource ?? [] }, scopeLogs: [{ logRecords: [log] }] }],
  });
}

/** All that one program sends together has the same resource, which is read once. */
function servicesOf(): (resource: unknown) => string {
  const known = new Map<unknown, string>();
  return (resource) => {
    const name = known.get(resource) ?? asText(attributesOf(resource).get('service.name')) ?? 'unknown';
    known.set(resource, name);
    return name;
  };
}
