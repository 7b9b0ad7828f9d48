/**
 * OpenTelemetry spans and log records (OTLP as JSON or protobuf) with the GenAI conventions, OpenInference or a
 * framework's own names: one document, lines of such documents, arrays of spans, or one span per line. A conversation
 * is a session; without a conversation id the trace is, with those that go on where it ended. Spans come in any order
 * and are put in order of time. Evaluations recorded in spans are opinions and not read. Events point at the line, in a
 * document at the span, counted as it stands.
 */

import { asArray, asObject, asText, type JsonObject, sampled } from '../../json/json-fields.ts';
import { type BoundedMap, newBoundedMap, recall, remember } from '../bounded-map.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { holdsLogged, loggedEvent } from '../otlp-logs/logged-event.ts';
import { settleOrphans, tellsUsage } from './agent-moments.ts';
import { type Attributes, attributesOf } from './attributes.ts';
import { type Continued, followTraces } from './continued.ts';
import { agentOf, isKnownOperation, roleOf } from './facts.ts';
import { tellFailures } from './failures.ts';
import { hearAbove, isHeard, isLayer, type Lineage, newLineage, sessionOf } from './lineage.ts';
import { rawLogs, withLogs } from './log-record.ts';
import type { Orphan } from './moment-context.ts';
import { momentsOf, type SpanMoment } from './moments.ts';
import { otlpProtobuf } from './protobuf-groups.ts';
import { learnSpans } from './roles.ts';
import { newSession, type SessionMemory } from './session.ts';
import { sharedNames } from './several-files.ts';
import { isSpan, type OtlpSpan, rawSpans } from './span.ts';
import { spanPortions } from './span-portions.ts';
import { stepsOf } from './steps.ts';
import { callsBySpan } from './tool-calls.ts';
import { type Batch, hold, newWaiting, type Raw, takeAll, takeHalf, type Waiting } from './waiting.ts';

export type OtlpState = {
  readonly sessions: BoundedMap<SessionMemory>;
  readonly lineage: Lineage;
  readonly continued: Continued;
  readonly waiting: Waiting;
  /** Agents of which it is not known yet whether another agent called them. */
  orphans: Orphan[];
  /** Spans of the document that have come, when it comes in portions. */
  spans: number;
  /** Programs that log what they do in the same file: what their spans say is told there. */
  readonly loggedBy: string[];
  /** Formats that read those logs. */
  readonly alongside: string[];
};

const KEPT_SESSIONS = 500;

/** Spans with their place in a document; what `elements` makes of one. */
type Placed = { readonly placed: readonly (readonly [line: number, raw: Raw])[] };

export const otlpAdapter: Adapter<OtlpState> = {
  detect: ({ records, document }: Sample) => {
    const objects = sampled(records, document);
    return objects.some(holdsSpans) && !objects.some((one) => holdsLogged(one));
  },
  start: (_file: FileInfo) => ({
    sessions: newBoundedMap(),
    lineage: newLineage(),
    continued: newBoundedMap(),
    waiting: newWaiting(),
    orphans: [],
    spans: 0,
    loggedBy: [],
    alongside: [],
  }),
  step: (state, record, line, emit) => {
    const raw = rawOf(record, line, state.spans);
    if (raw === undefined) return unknownRecord(record);
    state.spans += raw.length;
    noteLogged(state, raw);
    feed(state, raw, emit);
    return raw.map(([, one]) => unknownOperation(one)).find((operation) => operation !== undefined);
  },
  finish: (state, _line, emit) => {
    // What is told now may be told again when more has come: the state stays as it is.
    const { waiting, ...rest } = state;
    const copy: OtlpState = { ...JSON.parse(JSON.stringify(rest)), waiting: { ...waiting } };
    tellBatch(copy, takeAll(copy.waiting), true, emit);
    // Nothing more comes: an agent whose caller never came was called from outside.
    for (const { end, session } of copy.orphans) emit(end, session);
  },
  alongside: ({ alongside }) => alongside,
  canResume: ({ waiting }) => waiting.raw.length === 0,
  elements: (document) => [
    { placed: (rawRecords(document) ?? []).map((raw, index) => [index + 1, raw] as const) } satisfies Placed,
  ],
  portions: spanPortions,
  binary: otlpProtobuf,
  entryKeys: (record) => new Set((rawOf(record, 1, 0) ?? []).flatMap(([, raw]) => sharedNames(raw))),
};

function feed(state: OtlpState, raw: readonly (readonly [number, Raw])[], emit: Emit): void {
  for (const [line, one] of raw)
    if (hold(state.waiting, line, one)) tellBatch(state, takeHalf(state.waiting), false, emit);
}

const MAX_PROGRAMS = 50;

type Logged = Pick<OtlpState, 'loggedBy' | 'alongside'>;

/** Agents that log what they do export spans of the same, too. */
function noteLogged({ loggedBy, alongside }: Logged, raw: readonly (readonly [number, Raw])[]): void {
  for (const [, one] of raw) {
    const event = 'log' in one ? loggedEvent(one) : undefined;
    if (event === undefined || loggedBy.length >= MAX_PROGRAMS) continue;
    const program = programOf(attributesOf(one.resource));
    if (program !== undefined && !loggedBy.includes(program)) loggedBy.push(program);
    const format = event.agent === 'codex' ? 'otlp-codex' : 'otlp-logs';
    if (alongside.length === 0) alongside.push(format);
  }
}

function programOf(resource: Attributes): string | undefined {
  return asText(resource.get('service.name'));
}

function holdsSpans(record: JsonObject): boolean {
  if (Array.isArray(record.resourceSpans) || Array.isArray(record.resource_spans)) return true;
  if (Array.isArray(record.scopeSpans) && asObject(record.resource) !== undefined) return true;
  if (Array.isArray(record.resourceLogs ?? record.resource_logs)) return true;
  const span = Array.isArray(record.spans) ? asObject(record.spans[0]) : record;
  return span !== undefined && isSpan(span) && ('attributes' in span || 'span_attributes' in span);
}

function rawRecords(record: unknown): Raw[] | undefined {
  const spans = rawSpans(record);
  const logs = rawLogs(record);
  return spans === undefined ? logs : [...spans, ...(logs ?? [])];
}

/** `before`: how many of a document have come, when it comes in portions. */
function rawOf(record: unknown, line: number, before: number): (readonly [number, Raw])[] | undefined {
  const placed = asObject(record)?.placed;
  if (!Array.isArray(placed)) return rawRecords(record)?.map((raw) => [line, raw] as const);
  return placed.flatMap((one: unknown) => {
    const [at, value] = asArray(one);
    const raw = asObject(value);
    const isRaw = asObject(raw?.span) !== undefined || asObject(raw?.log) !== undefined;
    return isRaw && Number.isInteger(at) && (at as number) >= 1
      ? [[before + (at as number), raw as Raw] as const]
      : [];
  });
}

/** Metrics travel in the same files. */
function unknownRecord(record: unknown): string {
  const keys = Object.keys(asObject(record) ?? {});
  return keys.find((key) => /^resource_?metrics$/i.test(key)) ?? 'record';
}

/** An operation that nobody knows yet. */
function unknownOperation(raw: Raw): string | undefined {
  if (!('span' in raw)) return undefined;
  const { attributes } = raw.span;
  const stated = Array.isArray(attributes)
    ? asObject(attributes.map(asObject).find((one) => one?.key === 'gen_ai.operation.name')?.value)
    : undefined;
  const plain = asObject(attributes)?.['gen_ai.operation.name'];
  const operation = asText(stated?.stringValue ?? stated?.string_value ?? plain);
  return operation === undefined || isKnownOperation(operation) ? undefined : `operation ${operation}`;
}

/** `complete`: a parent that is not among them is not in the file. */
function tellBatch(state: OtlpState, batch: Batch, complete: boolean, emit: Emit): void {
  const { lineage } = state;
  const told = batch.spans.filter(({ resource }) => !state.loggedBy.includes(programOf(resource) ?? ''));
  const failures = tellFailures(withLogs(eachOnce(told), batch.logs));
  const { spans } = failures;
  learnSpans(lineage, spans);
  followTraces(state.continued, lineage, spans);
  for (const span of spans) hear(lineage, span);
  const calls = callsBySpan(spans, (span) => sessionOf(lineage, span));
  const steps = stepsOf(failures, lineage);
  const moments = spans.flatMap((span) => {
    const role = roleOf(span);
    if (role === undefined) return [];
    return momentsOf(span, role, sessionOf(lineage, span), calls.get(span.spanId)?.at);
  });
  moments.sort(byTime);
  for (const moment of moments) {
    const memory = sessionMemory(state, moment.session);
    state.orphans.push(...moment.happen({ memory, lineage, complete, calls, steps, emit }));
  }
  state.orphans = settleOrphans(state.orphans, lineage, emit);
}

/** Two exporters may write the same spans. */
function eachOnce(spans: readonly OtlpSpan[]): OtlpSpan[] {
  return [...new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span])).values()];
}

/** Marks the agents above a span that says what a model used, or below which one does. */
function hear(lineage: Lineage, span: OtlpSpan): void {
  const role = roleOf(span);
  const session = sessionOf(lineage, span);
  const tells =
    role === 'chat' || (role === 'agent' && tellsUsage(span) && !isLayer(lineage, span, agentOf(span)));
  if (tells || isHeard(lineage, span.spanId, session)) hearAbove(lineage, span, session);
}

function sessionMemory({ sessions }: OtlpState, id: string): SessionMemory {
  const known = recall(sessions, id);
  if (known !== undefined) return known;
  const memory = newSession();
  remember(sessions, id, memory, KEPT_SESSIONS);
  return memory;
}

/** What ends comes before what starts at the same instant, children end before parents and start after them. */
function byTime(a: SpanMoment, b: SpanMoment): number {
  return a.time - b.time || a.rank - b.rank || a.nesting - b.nesting;
}
