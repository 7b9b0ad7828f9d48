/**
 * OpenTelemetry spans (OTLP JSON) with the GenAI conventions or OpenInference names: one document, lines of such
 * documents, arrays of spans, or one span per line. A conversation is a session; without a conversation id the trace
 * is. Spans come in any order: those of one document or line are put in order of time; lines follow each other as
 * they stand, which is the order in which work ended. Evaluations recorded in spans are opinions and not read.
 * Events point at the line, in a document at the span, counted as it stands.
 */

import { asObject, sampled } from '../../json/json-fields.ts';
import { type BoundedMap, newBoundedMap, recall, remember } from '../bounded-map.ts';
import type { Adapter, Emit, FileInfo, Sample } from '../format.ts';
import { agentOf, roleOf, toolFacts, unknownOperation } from './facts.ts';
import {
  hearAbove,
  isHeard,
  isLayer,
  type Lineage,
  learn,
  makeRoom,
  newLineage,
  sessionOf,
} from './lineage.ts';
import { momentsOf, type Orphan, type SpanMoment, settleOrphans, tellsUsage } from './moments.ts';
import { newSession, type SessionMemory } from './session.ts';
import { isSpan, type OtlpSpan, type RawSpan, rawSpans, readSpan } from './span.ts';
import { spanPortions } from './span-portions.ts';

export type OtlpState = {
  readonly sessions: BoundedMap<SessionMemory>;
  readonly lineage: Lineage;
  /** Agents of which it is not known yet whether another agent called them. */
  orphans: Orphan[];
  /** Spans of the document that have come, when it comes in portions. */
  spans: number;
};

const KEPT_SESSIONS = 500;

/** Spans with their place in a document; what `elements` makes of one. */
type Placed = {
  readonly placed: readonly (readonly [line: number, raw: RawSpan])[];
  /** True when more of the document may follow. */
  readonly isPortion: boolean;
};

export const otlpAdapter: Adapter<OtlpState> = {
  detect: ({ records, document }: Sample) => sampled(records, document).some(holdsSpans),
  start: (_file: FileInfo) => ({ sessions: newBoundedMap(), lineage: newLineage(), orphans: [], spans: 0 }),
  step: (state, record, line, emit) => {
    const spans = spansOf(record, line, state.spans);
    if (spans === undefined) return unknownRecord(record);
    const { placed, isPortion } = asObject(record) ?? {};
    if (Array.isArray(placed)) state.spans += placed.length;
    return readSpans(state, spans, placed !== undefined && isPortion !== true, emit);
  },
  finish: (state, _line, emit) => {
    // Nothing more comes: an agent whose caller never came was called from outside.
    for (const { end, session } of state.orphans) emit(end, session);
  },
  elements: (document) => [
    {
      placed: (rawSpans(document) ?? []).map((raw, index) => [index + 1, raw] as const),
      isPortion: asObject(document)?.isPortion === true,
    } satisfies Placed,
  ],
  portions: spanPortions,
};

function holdsSpans(record: Readonly<Record<string, unknown>>): boolean {
  if (Array.isArray(record.resourceSpans) || Array.isArray(record.resource_spans)) return true;
  if (Array.isArray(record.scopeSpans) && asObject(record.resource) !== undefined) return true;
  const span = Array.isArray(record.spans) ? asObject(record.spans[0]) : record;
  return span !== undefined && isSpan(span) && ('attributes' in span || 'span_attributes' in span);
}

function spansOf(record: unknown, line: number, before: number): OtlpSpan[] | undefined {
  const placed = asObject(record)?.placed;
  if (Array.isArray(placed))
    return placed.flatMap((one: Placed['placed'][number]) =>
      Array.isArray(one) ? (placedSpan(one, before) ?? []) : [],
    );
  return rawSpans(record)?.flatMap((raw) => readSpan(raw, line) ?? []);
}

function placedSpan([line, raw]: Placed['placed'][number], before: number): OtlpSpan | undefined {
  const span = asObject(asObject(raw)?.span);
  if (span === undefined || !Number.isInteger(line) || line < 1) return undefined;
  return readSpan({ span, resource: raw.resource }, before + line);
}

/** Metrics and logs travel in the same files. */
function unknownRecord(record: unknown): string {
  const keys = Object.keys(asObject(record) ?? {});
  return keys.find((key) => /^resource(?:Logs|Metrics)$|^resource_(?:logs|metrics)$/.test(key)) ?? 'record';
}

/** `complete`: a parent that is not among them is not in the file. */
function readSpans(
  state: OtlpState,
  spans: readonly OtlpSpan[],
  complete: boolean,
  emit: Emit,
): string | undefined {
  makeRoom(state.lineage, spans.length);
  for (const span of spans) {
    const role = roleOf(span);
    const agent = role === 'agent' ? agentOf(span) : undefined;
    learn(state.lineage, span, {
      ...(role === undefined ? {} : { role }),
      ...(agent === undefined ? {} : { agent }),
      ...(role === 'tool' ? { tool: toolFacts(span).tool } : {}),
      ...(role === 'chat' ? { message: messageIdOf(span) } : {}),
    });
  }
  for (const span of spans) hear(state.lineage, span);
  const moments = spans.flatMap((span) => {
    const role = roleOf(span);
    return role === undefined || role === 'other'
      ? []
      : momentsOf(span, role, sessionOf(state.lineage, span));
  });
  moments.sort(byTime);
  for (const moment of moments) {
    const memory = sessionMemory(state, moment.session);
    state.orphans.push(...moment.happen({ memory, lineage: state.lineage, complete, emit }));
  }
  state.orphans = settleOrphans(state.orphans, state.lineage, emit);
  return spans.map(unknownOperation).find((operation) => operation !== undefined);
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

function messageIdOf(span: OtlpSpan): string {
  const id = span.attributes.get('gen_ai.response.id');
  return typeof id === 'string' && id !== '' ? id : span.spanId;
}

/** What ends comes before what starts at the same instant, children end before parents and start after them. */
function byTime(a: SpanMoment, b: SpanMoment): number {
  return a.time - b.time || a.rank - b.rank || a.nesting - b.nesting;
}
