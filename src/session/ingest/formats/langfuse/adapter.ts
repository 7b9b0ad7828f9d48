/**
 * Observations of Langfuse come in any order and describe a trace only together, so they are emitted at the end, by
 * time. A session is what Langfuse calls one; each trace without a session is one of its own. Events point at the
 * observation in its file.
 */
import type { UnplacedEvent } from '../../../event.ts';
import {
  asArray,
  asId,
  asObject,
  asObjects,
  asText,
  type JsonObject,
  routedModel,
  sampled,
} from '../../json/json-fields.ts';
import { placeEvent } from '../chat.ts';
import type { Adapter, Emit, Sample } from '../format.ts';
import { field, isObservation, type Observation, readObservation, type TraceHead } from './observation.ts';

type LangfuseState = { readonly rows: Observation[] };

/** What a document is stepped through as. */
type Element = { readonly head: TraceHead; readonly row: unknown };

/** Their texts are in memory until the end. */
const MOST_ROWS = 200_000;

export const langfuseAdapter: Adapter<LangfuseState> = {
  detect: ({ records, document }: Sample) =>
    document ? isExport(records[0]) : sampled(records, false).some(isObservation),
  start: () => ({ rows: [] }),
  step: ({ rows }, record, line) => {
    const { head, row } = elementOf(record);
    const observation = asObject(row);
    if (observation === undefined || !isObservation(observation))
      return `type ${asText(observation?.type) ?? ''}`;
    if (rows.length >= MOST_ROWS) return `observation ${MOST_ROWS + 1} and later`;
    rows.push(readObservation(observation, head, line));
    return undefined;
  },
  // The text is in the state.
  finish: ({ rows }, _line, emit) => tellAll(rows, emit),
  elements: rowsOf,
  entryKey: (record) => asText(asObject(elementOf(record).row)?.id),
};

/** A line is an observation by itself. */
function elementOf(record: unknown): Element {
  const fields = asObject(record);
  const head = asObject(fields?.head);
  return head !== undefined && 'row' in (fields ?? {})
    ? { head, row: fields?.row }
    : { head: {}, row: record };
}

function isExport(document: unknown): boolean {
  return rowsOf(document).some(({ row }) => isObservation(asObject(row)));
}

/** A list, a page of the API, a trace with its observations, or traces with theirs. */
function rowsOf(document: unknown): Element[] {
  if (Array.isArray(document)) return document.flatMap((one) => within(asObject(one)));
  const fields = asObject(document);
  if (fields === undefined) return [];
  if (Array.isArray(fields.data)) return fields.data.flatMap((one) => within(asObject(one)));
  if (Array.isArray(fields.traces)) return asObjects(fields.traces).flatMap(within);
  return within(fields);
}

function within(one: JsonObject | undefined): Element[] {
  if (one === undefined) return [];
  const observations = asArray(one.observations);
  if (observations.length === 0) return [{ head: {}, row: one }];
  const trace = asObject(one.trace) ?? one;
  const head = { session: asId(field(trace, 'sessionId')), traceName: asText(trace.name) };
  return observations.map((row) => ({ head, row }));
}

/** The name of a session; one without a name is called by its trace, so that scores can be sent back. */
export function langfuseSessionId(session: string | undefined, trace: string): string {
  return session ?? `trace:${trace}`;
}

function tellAll(rows: readonly Observation[], emit: Emit): void {
  // A trace may name its session on some of its observations only.
  const named = new Map<string, string>();
  for (const { trace, session } of rows) if (session !== undefined) named.set(trace, session);
  const once = new Map(rows.map((row) => [`${row.trace} ${row.id}`, row]));
  const sessions = Map.groupBy(once.values(), ({ trace }) => langfuseSessionId(named.get(trace), trace));
  for (const [sessionId, own] of sessions) {
    const tell: Tell = (row, event, at) => emit(placeEvent(event, { line: row.line, at }), sessionId);
    tellSession(sessionId, own, tell);
  }
}

/** Tells an event of an observation. */
type Tell = (row: Observation, event: UnplacedEvent, at: number | undefined) => void;

type Told = {
  asked: string | undefined;
  readonly generations: ReadonlySet<string>;
  /** Traces with tools as observations, where the model's calls would count twice. */
  readonly traced: ReadonlySet<string>;
};

/** The observations of one session, in the order of time. */
function tellSession(session: string, rows: readonly Observation[], tell: Tell): void {
  const inOrder = rows.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0) || a.line - b.line);
  const [first] = inOrder;
  if (first === undefined) return;
  const agent = first.traceName ?? inOrder.find(({ parent }) => parent === undefined)?.name ?? 'langfuse';
  tell(first, { kind: 'session', sessionId: session, agent, trigger: 'user' }, first.at);
  const ofType = (wanted: string) => inOrder.filter(({ type }) => type === wanted);
  const state: Told = {
    asked: undefined,
    generations: new Set(ofType('GENERATION').map(({ id }) => id)),
    traced: new Set(ofType('TOOL').map(({ trace }) => trace)),
  };
  for (const trace of Map.groupBy(inOrder, (row) => row.trace).values()) tellTrace(trace, state, tell);
  tellEnd(inOrder, tell);
}

function tellTrace(rows: readonly Observation[], state: Told, tell: Tell): void {
  const asking = rows.filter((row) => row.type === 'GENERATION' && row.asked !== undefined);
  const root = rows.find(({ parent, asked }) => parent === undefined && asked !== undefined);
  // Only where no model was asked in words: what set the trace going.
  if (asking.length === 0 && root !== undefined) tellAsked(root, state, tell);
  for (const row of rows) {
    if (row.type === 'TOOL' || row.type === 'RETRIEVER') tellTool(row, tell);
    // A generation recorded by two libraries is nested in itself.
    if (row.type === 'GENERATION' && !state.generations.has(row.parent ?? ''))
      tellGeneration(row, state, tell);
  }
}

function tellAsked(row: Observation, state: Told, tell: Tell): void {
  if (row.asked === undefined || row.asked === state.asked) return;
  state.asked = row.asked;
  tell(row, { kind: 'user', origin: 'user', text: row.asked }, row.at);
}

function tellGeneration(row: Observation, state: Told, tell: Tell): void {
  const { usage, costUsd, failed } = row;
  const hasTools = state.traced.has(row.trace);
  const end = row.end ?? row.at;
  if (!hasTools)
    for (const { id, text, ok } of row.answers) tell(row, { kind: 'result', callId: id, text, ok }, row.at);
  tellAsked(row, state, tell);
  tell(
    row,
    {
      kind: 'reply',
      messageId: row.id,
      text: row.said,
      ...routedModel(row.model),
      usage,
      costUsd,
      stop: failed ? 'error' : undefined,
      // A request that failed counts no tokens.
      usageElsewhere: failed && usage === undefined ? true : undefined,
    },
    end,
  );
  if (hasTools) return;
  for (const { id, tool, input } of row.calls) tell(row, { kind: 'call', callId: id, tool, input }, end);
}

/** Langfuse marks failures; an unmarked call may still report a failure in its text. */
function tellTool(row: Observation, tell: Tell): void {
  const tool = row.name ?? row.type.toLowerCase();
  tell(row, { kind: 'call', callId: row.id, tool, input: row.input }, row.at);
  const ok = row.failed ? false : undefined;
  tell(row, { kind: 'result', callId: row.id, text: row.said, ok }, row.end ?? row.at);
}

/** Only a failure is recorded; the last message decides otherwise. */
function tellEnd(rows: readonly Observation[], tell: Tell): void {
  const last = rows.findLast(({ parent, type }) => parent === undefined || type === 'GENERATION');
  const trace = rows.filter((row) => row.trace === last?.trace);
  const root = trace.find(({ parent }) => parent === undefined) ?? last;
  if (root?.failed === true) tell(root, { kind: 'end', reason: 'error' }, root.end);
}
