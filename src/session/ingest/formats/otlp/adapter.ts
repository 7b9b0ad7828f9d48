/**
 * OpenTelemetry spans and log records (OTLP as JSON or protobuf) with the GenAI conventions, OpenInference or a
 * framework's own names: one document, lines of such documents, arrays of spans, or one span per line. A conversation
 * is a session; without a conversation id the trace is, with the traces that continue it. Spans come in any order: they
 * wait until all are there, and are emitted by time. Evaluations recorded in spans are opinions and not read.
 */
import { asObject, type JsonObject, sampled } from '../../json/json-fields.ts';

import type { Adapter, Emit, Sample } from '../format.ts';
import { attributesOf } from './attributes.ts';
import { emitTree, type SessionMemory } from './emit-tree.ts';
import { conversationOf, programOf, unknownOperation } from './facts.ts';
import { rawLogs, readLog, withLogs } from './log-record.ts';
import { holdsLogged, loggedEvent } from './logged-event.ts';
import { otlpProtobuf } from './protobuf.ts';
import { isSpan, type Raw, rawSpans, readSpan } from './span.ts';
import { type TraceNames, treeOf } from './tree.ts';

type Waiting = readonly [line: number, raw: Raw];

export type OtlpState = TraceNames & {
  readonly sessions: Map<string, SessionMemory>;
  /** Spans and log records that are not emitted yet, and their approximate size in bytes. */
  waiting: Waiting[];
  weight: number;
  /** Some were emitted before all had arrived, so a long trace may be split. */
  isCut: boolean;
  /** Programs that log their events in the same file: their spans repeat these. */
  readonly loggedBy: string[];
  /** Formats that read those logs. */
  readonly alongside: string[];
};

export const otlpAdapter: Adapter<OtlpState> = {
  detect: ({ records, document }: Sample) => {
    const objects = sampled(records, document);
    return objects.some(holdsSpans) && !objects.some((one) => holdsLogged(one));
  },
  start: () => ({
    sessions: new Map(),
    traces: new Map(),
    continued: new Map(),
    waiting: [],
    weight: 0,
    isCut: false,
    loggedBy: [],
    alongside: [],
  }),
  step: (state, record, line, emit) => {
    const found = rawOf(record);
    if (found === undefined) return unknownRecord(record);
    for (const raw of found) {
      noteLogged(state, raw);
      if (hold(state, line, raw)) tell(state, takeHalf(state), emit);
    }
    return found.map(unknownIn).find((operation) => operation !== undefined);
  },
  finish: ({ waiting, ...rest }, _line, emit) => {
    // What is emitted now may be emitted again when more has arrived, so the state is copied.
    tell({ ...structuredClone(rest), waiting: [] }, waiting, emit);
  },
  alongside: ({ alongside }) => alongside,
  elements: (document) => rawOf(document) ?? [],
  binary: otlpProtobuf,
  entryKeys: (record) => new Set((rawOf(record) ?? []).flatMap(sharedNames)),
};

function holdsSpans(record: JsonObject): boolean {
  if (Array.isArray(record.resourceSpans) || Array.isArray(record.resource_spans)) return true;
  if (Array.isArray(record.scopeSpans) && asObject(record.resource) !== undefined) return true;
  if (Array.isArray(record.resourceLogs ?? record.resource_logs)) return true;
  const span = Array.isArray(record.spans) ? asObject(record.spans[0]) : record;
  return span !== undefined && isSpan(span) && ('attributes' in span || 'span_attributes' in span);
}

/** What a line holds, or an element of a document, which is one span or log record. */
function rawOf(record: unknown): Raw[] | undefined {
  const fields = asObject(record);
  if (asObject(fields?.span) !== undefined || asObject(fields?.log) !== undefined) return [fields as Raw];
  const spans = rawSpans(record);
  const logs = rawLogs(record);
  return spans === undefined ? logs : [...spans, ...(logs ?? [])];
}

/** Metrics travel in the same files. */
function unknownRecord(record: unknown): string {
  const keys = Object.keys(asObject(record) ?? {});
  return keys.find((key) => /^resource_?metrics$/i.test(key)) ?? 'record';
}

function unknownIn(raw: Raw): string | undefined {
  return 'span' in raw ? unknownOperation(raw.span.attributes) : undefined;
}

const MAX_PROGRAMS = 50;

/** Agents that log what they do export spans of the same, too. */
function noteLogged({ loggedBy, alongside }: OtlpState, raw: Raw): void {
  const event = 'log' in raw ? loggedEvent(raw) : undefined;
  if (event === undefined || loggedBy.length >= MAX_PROGRAMS) return;
  const program = programOf(attributesOf(raw.resource));
  if (program !== undefined && !loggedBy.includes(program)) loggedBy.push(program);
  if (alongside.length === 0) alongside.push(event.agent === 'codex' ? 'otlp-codex' : 'otlp-logs');
}

const MAX_WAITING = 10_000;
const MAX_WEIGHT = 32 * 1024 * 1024;
const MAX_DEPTH = 100;

/** True when they are too many. Records nested deeper than any exporter does are skipped. */
function hold(state: OtlpState, line: number, raw: Raw): boolean {
  const weight = weightOf(raw, 0);
  if (weight === Number.POSITIVE_INFINITY) return false;
  state.waiting.push([line, raw]);
  state.weight += weight;
  return state.waiting.length > MAX_WAITING || state.weight > MAX_WEIGHT;
}

/** About how many bytes it takes. */
function weightOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length + 16;
  if (typeof value !== 'object' || value === null) return 8;
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
  let weight = 16;
  for (const one of Object.values(value)) weight += weightOf(one, depth + 1);
  return weight;
}

/** The half that ended first, whole traces only: an open trace is incomplete. */
function takeHalf(state: OtlpState): Waiting[] {
  const placed = state.waiting.map((one) => ({ one, ...placeOf(one) }));
  const last = new Map<string, number>();
  for (const { trace, end } of placed) last.set(trace, Math.max(last.get(trace) ?? 0, end));
  const isOneTrace = last.size === 1;
  // A single trace is cut where it must be.
  const ended = ({ trace, end }: (typeof placed)[number]) => (isOneTrace ? end : (last.get(trace) ?? end));
  placed.sort((a, b) => ended(a) - ended(b));
  let half = Math.ceil(placed.length / 2);
  const edge = placed[half - 1]?.trace;
  while (!isOneTrace && half < placed.length && placed[half]?.trace === edge) half += 1;
  state.waiting = placed.slice(half).map(({ one }) => one);
  state.weight = state.waiting.reduce((sum, [, raw]) => sum + weightOf(raw, 0), 0);
  state.isCut = true;
  return placed.slice(0, half).map(({ one }) => one);
}

function placeOf([line, raw]: Waiting): { trace: string; end: number } {
  if ('log' in raw) {
    const log = readLog(raw, line);
    return { trace: log?.traceId ?? '', end: log?.at ?? 0 };
  }
  const span = readSpan({ span: { ...raw.span, attributes: [], events: [] }, resource: [] }, line);
  return { trace: span?.traceId ?? '', end: span?.end ?? span?.start ?? 0 };
}

function tell(state: OtlpState, batch: readonly Waiting[], emit: Emit): void {
  const spans = batch.flatMap(([line, raw]) => ('span' in raw ? (readSpan(raw, line) ?? []) : []));
  const logs = batch.flatMap(([line, raw]) => ('log' in raw ? (readLog(raw, line) ?? []) : []));
  const own = spans.filter(({ resource }) => !state.loggedBy.includes(programOf(resource) ?? ''));
  // Two exporters may write the same spans.
  const once = [...new Map(own.map((span) => [span.spanId, span])).values()];
  emitTree(treeOf(withLogs(once, logs), state, state.isCut), state.sessions, emit);
}

const TELLING =
  /^(?:gen_ai|llm|openinference|ai|traceloop|langfuse|langsmith|mastra|mlflow|gcp\.vertex|session|input|output)\./;

/**
 * The traces and conversations in a record, which show which files belong together. One conversation may be in several:
 * spans in one and messages in another, batches of one trace, the same spans as JSON and as protobuf.
 */
function sharedNames(raw: Raw): string[] {
  if ('log' in raw) {
    const log = readLog(raw, 1);
    return log === undefined ? [] : [`otlp trace ${log.traceId}`];
  }
  const stated = raw.span.attributes ?? raw.span.span_attributes;
  const keys = Array.isArray(stated)
    ? stated.map((one) => asObject(one)?.key)
    : Object.keys(asObject(stated) ?? {});
  if (!keys.some((key) => typeof key === 'string' && TELLING.test(`${key}.`))) return [];
  const span = readSpan({ ...raw, span: { ...raw.span, events: [] } }, 1);
  if (span === undefined) return [];
  const conversation = conversationOf(span);
  const trace = `otlp trace ${span.traceId}`;
  return conversation === undefined ? [trace] : [trace, `otlp conversation ${conversation}`];
}
